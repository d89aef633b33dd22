"""What ships with the app and is no code: the sample project, icons, translations. Read through importlib.resources."""
