"""The checklist as sections of keyed rows: what the model shows, and by what two lists are compared row by row."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from enum import IntEnum

from models.rubric.checklist import Check, Checklist
from models.rubric.metarubric import Override, Tier


class Section(IntEnum):
    """The headers in their order."""

    ANSWER_CRITICAL = 0
    VALUABLE = 1
    CONTEXT = 2
    DROPPED = 3
    LOST = 4


OF_TIER = {
    Tier.ANSWER_CRITICAL: Section.ANSWER_CRITICAL,
    Tier.VALUABLE: Section.VALUABLE,
    Tier.CONTEXT: Section.CONTEXT,
}


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A check, or an override that has lost its check. `key` stays the same for as long as the origin does."""

    key: Hashable
    check: Check | None = None
    orphan: Override | None = None
    dropped: bool = False


def sections_of(checklist: Checklist) -> list[list[CheckRow]]:
    """The rows of each section, empty ones too."""
    sections: list[list[CheckRow]] = [[] for _ in Section]
    for check in checklist.checks:
        sections[OF_TIER[check.tier]].append(CheckRow(key_of(check), check))
    for check in checklist.dropped:
        sections[Section.DROPPED].append(CheckRow(key_of(check), check, dropped=True))
    seen: Counter[Override] = Counter()
    for orphan in checklist.orphans:
        seen[orphan] += 1
        sections[Section.LOST].append(CheckRow((orphan, seen[orphan]), orphan=orphan))
    return sections


def key_of(check: Check) -> Hashable:
    """What a check is told apart by while its text and tier change."""
    return check.rule, check.origin
