"""Lint: what a careful colleague would say about a rubric. Errors are what compile refuses; the rest is advice."""

from models.rubric.lint.finding import Finding, Severity
from models.rubric.lint.run import lint

__all__ = ["Finding", "Severity", "lint"]
