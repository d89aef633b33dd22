"""What is seen: the command line and the window, the use cases they share, and the one place that wires."""

__version__ = "0.1.0"
