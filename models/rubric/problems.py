"""What makes an item impossible to compile. Compile refuses on these, lint reports them as errors: one list for both.

An editor may hold an item with problems; nothing may be graded by it.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from models.rubric.metarubric import (
    Element,
    FlexibleList,
    Item,
    Process,
    Relationship,
    SimpleKnowledge,
    StrictList,
    Tier,
    content_id,
    elements,
    item_seed,
    label,
    pool,
)
from models.rubric.profile import Profile


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why an item cannot compile. `fix` says what to do, as a sentence."""

    rule: str
    item: str
    element: str | None
    message: str
    fix: str


def same_text(text: str) -> str:
    """The form under which two texts count as the same: NFC, case folded, white space collapsed."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def is_long(item: FlexibleList, profile: Profile) -> bool:
    """Whether extra credit is given by coverage, not option by option (GAMUT: more than 7 options, or context)."""
    return len(item.options) > profile.short_list_max or item.tier is Tier.CONTEXT


def _called(item: Item) -> str:
    name = label(item).strip()
    return f"'{name}'" if name else f"the {item.type} '{item.id}'"


def _empty(item: Item) -> Iterator[Problem]:
    named = {
        SimpleKnowledge: ("fact",),
        StrictList: ("name",),
        FlexibleList: ("name",),
        Process: ("name",),
        Relationship: ("subject", "related"),
    }[type(item)]
    for field in named:
        if not getattr(item, field).strip():
            yield Problem(
                "text.empty",
                item.id,
                None,
                f"The {item.type} '{item.id}' has no {field}.",
                f"Write its {field}, or remove it.",
            )
    for element in elements(item):
        if not element.text.strip():
            yield Problem(
                "element.empty",
                item.id,
                element.id,
                f"An element of {_called(item)} is empty.",
                "Write its text, or remove it.",
            )
    if not pool(item) and not isinstance(item, SimpleKnowledge | Relationship):
        yield Problem(
            "list.empty", item.id, None, f"{_called(item)} has no elements.", "Add at least one, or remove the item."
        )


def _duplicates(item: Item) -> Iterator[Problem]:
    seen: dict[str, Element] = {}
    for element in elements(item):
        key = same_text(element.text)
        if key and key in seen:
            yield Problem(
                "element.duplicate",
                item.id,
                element.id,
                f"{_called(item)} has '{element.text.strip()}' twice.",
                "Remove one of the two.",
            )
        seen.setdefault(key, element)


def _baseline(item: FlexibleList) -> Iterator[Problem]:
    size, wanted = len(item.options), item.at_least
    increasing = all(a < b for a, b in pairwise(wanted))
    if wanted and max(wanted) > size:
        yield Problem(
            "baseline.above_pool",
            item.id,
            None,
            f"{_called(item)} asks for at least {max(wanted)}, but has {size} option{'s' * (size != 1)}.",
            f"Lower at_least to {size} or less, or add options.",
        )
    elif len(wanted) not in (1, 2) or not increasing or min(wanted) < 1:
        shown = ", ".join(map(str, wanted)) or "nothing"
        yield Problem(
            "baseline.invalid",
            item.id,
            None,
            f"{_called(item)} has at_least {shown}.",
            "Give one number from 1 up, or two increasing ones.",
        )


def _coverage(item: FlexibleList, profile: Profile) -> Iterator[Problem]:
    if item.coverage is None:
        return
    if not is_long(item, profile):
        yield Problem(
            "coverage.short_list",
            item.id,
            None,
            f"{_called(item)} has coverage, but with {len(item.options)} options each option is a check of its own.",
            f"Remove coverage; it belongs to lists of more than {profile.short_list_max} options or of tier context.",
        )
        return
    lowest = max(item.at_least, default=0)
    steps = (lowest, *item.coverage)
    if any(a >= b for a, b in pairwise(steps)) or max(steps) > len(item.options):
        yield Problem(
            "coverage.invalid",
            item.id,
            None,
            f"{_called(item)} has coverage {', '.join(map(str, item.coverage))}.",
            f"Give increasing numbers above {lowest} and up to {len(item.options)}, or leave coverage out.",
        )


def item_problems(item: Item, profile: Profile) -> list[Problem]:
    """Why this item cannot compile, in reading order; empty if it can."""
    found = [*_empty(item), *_duplicates(item)]
    if isinstance(item, FlexibleList):
        found += [*_baseline(item), *_coverage(item, profile)]
    return found


def item_name_seed(item: Item) -> str:
    """The text that an item's derived id comes from: type and name or fact."""
    name = f"{item.subject}\n{item.related}" if isinstance(item, Relationship) else label(item)
    return item_seed(item.type, name)


def rubric_problems(items: Sequence[Item], profile: Profile) -> list[Problem]:
    """Why this rubric cannot compile: each item's problems, and items that are there twice."""
    found: list[Problem] = []
    seen: set[str] = set()
    for item in items:
        found += item_problems(item, profile)
        seed = content_id(same_text(item_name_seed(item)))
        if seed in seen and label(item).strip():
            found.append(
                Problem(
                    "item.duplicate",
                    item.id,
                    None,
                    f"There are two items of type {item.type} called {_called(item)}.",
                    "Merge the two, or name what tells them apart.",
                )
            )
        seen.add(seed)
    return found
