"""Scores from verdicts. One scoring core (score.py); which verdict counts is effective.py's."""
