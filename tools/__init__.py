"""Tools for those who work on the app; none of them is installed with it."""
