"""The fewest row steps from one list (or several sections of one) to another, told apart by keys.

Models turn the steps into begin/endInsertRows, RemoveRows and MoveRows, so that a view keeps its selection and scroll
position. Rows that only moved past others stay where they are if the others can move instead.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Remove:
    """Rows `first` to `last` of a section go."""

    section: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Insert(Generic[K]):
    """New rows come to stand from `first` on."""

    section: int
    first: int
    keys: tuple[K, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """One row goes before row `before` of a section, both numbered as they stand before the step (as Qt wants it)."""

    section: int
    row: int
    to_section: int
    before: int


Step = Remove | Insert[K] | Move


def row_steps(old: Sequence[Sequence[K]], new: Sequence[Sequence[K]]) -> list[Step[K]]:
    """Steps that turn the sections `old` into `new`, in order. Keys are unique over all sections of each."""
    rows = [list(section) for section in old]
    steps: list[Step[K]] = [*_removals(rows, {key for section in new for key in section})]
    known = {key for section in rows for key in section}
    for number, wanted in enumerate(new):
        steps += _fill(rows, number, wanted, known)
    return steps


def take(rows: list[list[K]], step: Step[K]) -> None:
    """Do one step on the rows."""
    match step:
        case Remove(section, first, last):
            del rows[section][first : last + 1]
        case Insert(section, first, keys):
            rows[section][first:first] = keys
        case Move(section, row, to_section, before):
            key = rows[section].pop(row)
            shift = section == to_section and row < before
            rows[to_section].insert(before - shift, key)


def _removals(rows: list[list[K]], wanted: set[K]) -> Iterable[Remove]:
    for section, keys in enumerate(rows):
        last = len(keys) - 1
        while last >= 0:
            first = last
            if keys[last] not in wanted:
                while first > 0 and keys[first - 1] not in wanted:
                    first -= 1
                step = Remove(section, first, last)
                take(rows, step)
                yield step
            last = first - 1


def _fill(rows: list[list[K]], section: int, wanted: Sequence[K], known: set[K]) -> Iterable[Step[K]]:
    stay = _stay(rows[section], wanted)
    at, row = 0, 0  # where the next wanted row shall stand; which wanted row is next
    while row < len(wanted):
        key = wanted[row]
        fresh = 0
        while row + fresh < len(wanted) and wanted[row + fresh] not in known:
            fresh += 1
        step: Step[K] | None = None
        if fresh:
            step = Insert(section, at, tuple(wanted[row : row + fresh]))
        elif key not in stay:
            where = next(number for number, keys in enumerate(rows) if key in keys)
            step = Move(where, rows[where].index(key), section, at)
        if step is not None and not (isinstance(step, Move) and _stands(step)):
            take(rows, step)
            yield step
        row += fresh or 1
        at = rows[section].index(wanted[row - 1]) + 1


def _stands(step: Move) -> bool:
    return step.section == step.to_section and step.before in (step.row, step.row + 1)


def _stay(keys: Sequence[K], wanted: Sequence[K]) -> set[K]:
    """The most keys that stand in the wanted order already: a longest increasing subsequence of wanted positions."""
    place = {key: number for number, key in enumerate(wanted)}
    tails: list[int] = []
    ends: list[K] = []
    before: dict[K, K | None] = {}
    for key in keys:
        if key not in place:
            continue
        length = bisect_left(tails, place[key])
        tails[length:] = [place[key], *tails[length + 1 :]]
        ends[length:] = [key, *ends[length + 1 :]]
        before[key] = ends[length - 1] if length else None
    stay: set[K] = set()
    last = ends[-1] if ends else None
    while last is not None:
        stay.add(last)
        last = before[last]
    return stay
