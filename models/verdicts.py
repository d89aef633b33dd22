"""The vocabulary of judging: the four verdicts, and what can come of asking a judge.

A verdict has a score; every other outcome has none and is never counted as a pass or a fail.
"""

from enum import StrEnum


class Verdict(StrEnum):
    """How a response stands to one check (GAMUT's four labels)."""

    MEETS = "meets"
    PARTIALLY_MEETS = "partially_meets"
    MISSING = "missing"
    CONTRADICTS = "contradicts"


class Outcome(StrEnum):
    """What came of asking a judge about one check. Only `VERDICT` carries a verdict."""

    VERDICT = "verdict"
    ABSTAINED = "abstained"
    REFUSED = "refused"
    UNPARSABLE = "unparsable"
    TOO_LONG = "too_long"
    FAILED = "failed"
    NOT_RUN = "not_run"


class Variant(StrEnum):
    """Which form of a question was answered: the one with its pictures, or the text-only one."""

    IMAGE = "image"
    TEXT = "text"
