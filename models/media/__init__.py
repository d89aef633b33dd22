"""The picture side of what is true: one gate that every image passes, for view, import and judge."""
