"""Which verdict counts. Verdicts are append-only; this one function says what they amount to (DESIGN, section 3).

The effective verdict of (response, check, judge) is the newest human override of it; else the newest row whose input
key is current and whose ruler is the selected one. A row without verdict never hides an older verdict
under the same keys.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from models.verdicts import Outcome, Verdict


class Row(Protocol):
    """What a stored answer must tell; rows come oldest first."""

    @property
    def input_key(self) -> str: ...
    @property
    def ruler_id(self) -> int: ...
    @property
    def outcome(self) -> Outcome: ...
    @property
    def verdict(self) -> Verdict | None: ...


class Override(Protocol):
    """A person's verdict in place of a judge's; verdict None withdraws it. Overrides come oldest first."""

    @property
    def verdict(self) -> Verdict | None: ...


R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class Effective(Generic[R]):
    """What counts for one check. `row`: the stored answer behind it, if any; `by_person`: a human override counts."""

    outcome: Outcome
    verdict: Verdict | None
    row: R | None = None
    by_person: bool = False


def effective(rows: Iterable[R], overrides: Iterable[Override], *, input_key: str, ruler_id: int) -> Effective[R]:
    """The effective verdict of one (response, check, judge). `rows`: that judge's answers to it, oldest first.

    Without any current row the outcome is NOT_RUN.
    """
    row = _current(rows, input_key, ruler_id)
    newest = None
    for newest in overrides:  # noqa: B007  the last one counts
        pass
    if newest is not None and newest.verdict is not None:
        return Effective(Outcome.VERDICT, newest.verdict, row, by_person=True)
    if row is None:
        return Effective(Outcome.NOT_RUN, None)
    return Effective(row.outcome, row.verdict, row)


def _current(rows: Iterable[R], input_key: str, ruler_id: int) -> R | None:
    """The newest current row with a verdict; else the newest current row."""
    best: R | None = None
    for row in rows:
        if row.input_key != input_key or row.ruler_id != ruler_id:
            continue
        if row.outcome is Outcome.VERDICT or best is None or best.outcome is not Outcome.VERDICT:
            best = row
    return best
