"""How the command line shows things: sentences to stderr, scores times 100 with one decimal, a dash for undefined."""

import json
import sys
from collections.abc import Sequence
from typing import Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from models.rubric.metarubric import Tier
from models.verdicts import Outcome, Verdict

SIGNS = {Verdict.MEETS: "●", Verdict.PARTIALLY_MEETS: "◐", Verdict.MISSING: "○", Verdict.CONTRADICTS: "⊗"}
WORDS = {
    Verdict.MEETS: "meets",
    Verdict.PARTIALLY_MEETS: "partially meets",
    Verdict.MISSING: "missing",
    Verdict.CONTRADICTS: "contradicts",
}
TIERS = {Tier.ANSWER_CRITICAL: "AC", Tier.VALUABLE: "V", Tier.CONTEXT: "C"}
DASH = "–"


def say(sentence: str) -> None:
    """One sentence for the person, on stderr."""
    typer.echo(sentence, err=True)


def print_json(value: Any) -> None:
    """JSON alone on stdout; the same value gives the same bytes."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def points(value: float | None) -> str:
    """A score or share as shown: times 100, one decimal; a dash where it is undefined."""
    return DASH if value is None else f"{value * 100:.1f}"


def span(interval: Sequence[float] | None) -> str:
    """An interval as shown; one number where both ends are the same."""
    if interval is None:
        return DASH
    low, high = points(interval[0]), points(interval[1])
    return low if low == high else f"{low} to {high}"


def verdict_words(outcome: Outcome, verdict: Verdict | None) -> str:
    """A verdict with its sign, or the outcome as a word."""
    return f"{SIGNS[verdict]} {WORDS[verdict]}" if verdict else f"◌ {outcome.value.replace('_', ' ')}"


def table(*columns: str, right: Sequence[str] = ()) -> Table:
    """A plain table; the columns named in `right` hold numbers."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def print_table(made: Table) -> None:
    """The table on stdout; as wide as the terminal, or 110 columns where there is none."""
    width = None if sys.stdout.isatty() else 110
    Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False).print(made)
