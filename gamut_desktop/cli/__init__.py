"""The command line, a typer app without Qt: JSON alone on stdout, progress and sentences on stderr."""
