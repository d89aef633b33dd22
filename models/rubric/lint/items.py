"""Lint rules about a single item and its elements: does every check text it makes stand alone and mean something."""

import re
from collections.abc import Iterator

from models.rubric.lint.finding import Finding, Severity
from models.rubric.metarubric import (
    FlexibleList,
    Item,
    Process,
    Relationship,
    SimpleKnowledge,
    StrictList,
    elements,
    label,
    pool,
)

# A text that begins with one of these points at something outside itself.
_LEANING = re.compile(
    r"(it|its|this|that|these|those|they|them|their|he|she|his|her|the same|the former|the latter|"
    r"the above|the previous|as above|also|as well|likewise|furthermore|in addition)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(mentioned above|see above|as above|listed above|the above|previous (check|item|step|point)s?|ditto)\b",
    re.IGNORECASE,
)
# Names that say what kind of list it is, but not of what.
_GENERIC = frozenset(
    "ingredients steps parts features items options reasons causes effects types kinds examples methods "
    "colors colours materials uses facts names tools elements components stages details process procedure list "
    "properties symptoms people places dates events characteristics things other others".split()
)


def item_findings(item: Item) -> list[Finding]:
    """Advice about one item, in reading order."""
    return [*_leaning(item), *_names(item), *_single(item), *_shape(item), *_separators(item)]


def _warn(rule: str, item: Item, element: str | None, message: str, fix: str) -> Finding:
    return Finding(rule, Severity.WARNING, item.id, element, message, fix)


def _leaning(item: Item) -> Iterator[Finding]:
    texts = [(None, item.fact)] if isinstance(item, SimpleKnowledge) else []
    for element, text in [*texts, *((e.id, e.text) for e in elements(item))]:
        match = _LEANING.match(text.strip()) or _POINTING.search(text)
        if match:
            yield _warn(
                "text.leans",
                item,
                element,
                f"'{text.strip()}' leans on something else ('{match[0]}'); a judge sees one check alone.",
                "Name what it is about.",
            )


def _names(item: Item) -> Iterator[Finding]:
    named = [item.subject, item.related] if isinstance(item, Relationship) else []
    if isinstance(item, StrictList | FlexibleList | Process):
        named = [item.name]
    for name in named:
        words = name.casefold().split()
        alone = [
            w for w in words if w not in ("the", "a", "an", "its", "main", "key", "important", "common", "typical")
        ]
        if words and (all(w in _GENERIC for w in alone) or _LEANING.match(name.strip())):
            yield _warn(
                "name.alone",
                item,
                None,
                f"The name '{name}' does not stand alone.",
                f"Say of what, for example '{name} of a flat white'.",
            )


def _single(item: Item) -> Iterator[Finding]:
    if isinstance(item, StrictList | FlexibleList) and len(pool(item)) == 1:
        yield _warn(
            "list.single",
            item,
            None,
            f"The list '{label(item)}' has one element.",
            "Write it as a simple_knowledge fact, or add what is missing.",
        )
    if isinstance(item, Process) and len(item.steps) == 1:
        yield _warn(
            "sequence.single",
            item,
            None,
            f"The process '{item.name}' has one step, so there is no order to check.",
            "Add the other steps, or write it as a simple_knowledge fact.",
        )


def _shape(item: Item) -> Iterator[Finding]:
    if isinstance(item, FlexibleList) and len(item.options) > 1 and item.at_least == (len(item.options),):
        yield _warn(
            "baseline.whole_pool",
            item,
            None,
            f"'{item.name}' asks for all of its {len(item.options)} options.",
            "Make it a strict_list, or lower at_least.",
        )
    if isinstance(item, Process) and len(item.steps) > 1 and not any(step.required for step in item.steps):
        yield _warn(
            "process.all_optional",
            item,
            None,
            f"Every step of '{item.name}' is optional, so nothing of it is asked at its own tier.",
            "Mark the steps that a complete answer needs as required.",
        )
    if isinstance(item, Relationship) and not item.aspects:
        yield _warn(
            "relationship.no_aspects",
            item,
            None,
            f"The relationship '{label(item)}' has no aspects, so only the connection is checked.",
            "Add what an answer should explain about the two.",
        )


def _separators(item: Item) -> Iterator[Finding]:
    """A check text joins names and options with ': ' and '; '; the same marks inside make it ambiguous."""
    if isinstance(item, FlexibleList):
        for option in item.options:
            if "; " in option.text:
                yield _warn(
                    "text.separator",
                    item,
                    option.id,
                    f"The option '{option.text}' holds '; ', which separates options.",
                    "Split it into two options, or use a comma.",
                )
    name = item.name if isinstance(item, StrictList | FlexibleList | Process) else ""
    if ": " in name:
        yield _warn(
            "text.separator",
            item,
            None,
            f"The name '{name}' holds ': ', which separates a name from what belongs to it.",
            "Word it without a colon.",
        )
