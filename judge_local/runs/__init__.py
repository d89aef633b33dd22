"""Grading runs: what to ask in which order (plan), and asking it, storing each answer as it comes (execute)."""
