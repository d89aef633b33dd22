"""The panes of the window: each shows one model and calls the editor or a use case; none decides anything."""
