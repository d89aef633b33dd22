"""Tests of the project file: real files, real processes, no sleeps."""
