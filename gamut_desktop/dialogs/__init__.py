"""Small windows over the main one: none blocks the event loop, Esc closes each."""
