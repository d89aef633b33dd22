"""One selection shown everywhere: which checks a tree row makes, and which tree row made a check."""

from collections.abc import Iterator

from models.rubric.checklist import Check, Checklist, Kind

Node = tuple[str, str | None]


def checks_of(checklist: Checklist, item: str, element: str | None = None) -> Iterator[Check]:
    """The checks of an item, or those that speak of one of its elements: its own, and those that list all of them."""
    for check in (*checklist.checks, *checklist.dropped):
        lists_all = check.kind in (Kind.THRESHOLD, Kind.SEQUENCE) and check.origin.element is None
        mine = element is None or check.origin.element == element or lists_all
        if check.rule != "override.added" and check.origin.item == item and mine:
            yield check


def node_of(check: Check) -> Node | None:
    """The row that made the check; None for one that a person added."""
    return None if check.rule == "override.added" else (check.origin.item, check.origin.element)
