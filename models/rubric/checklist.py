"""The checklist: the flat list of checks a meta-rubric compiles into, each with where it came from and why.

Shapes only; the rules that fill it are in compile.py and overrides.py.
"""

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from models.rubric.metarubric import Origin, Override, Tier


class Kind(StrEnum):
    """What a check asks; the meaning of each verdict depends on it."""

    PRESENCE = "presence"
    THRESHOLD = "threshold"
    SEQUENCE = "sequence"
    RELATION = "relation"
    INSIGHT = "insight"


class Role(StrEnum):
    """requirement: keeps its parent's tier. secondary: one tier lower."""

    REQUIREMENT = "requirement"
    SECONDARY = "secondary"


@dataclass(frozen=True, slots=True)
class AppliedOverride:
    """The edit that made this check differ from what the rules gave. `stale`: the rules give something else by now."""

    action: Literal["reword", "retier", "drop", "add"]
    base_text: str | None
    stale: bool


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the checklist. (rule, origin) is unique within a checklist; `id` is a hash of its content."""

    tier: Tier
    role: Role
    kind: Kind
    text: str
    origin: Origin
    rule: str
    why: str
    override: AppliedOverride | None = None

    @property
    def id(self) -> str:
        """ "c-" and 16 hex digits of sha256 over kind, tier, text and origin."""
        o = self.origin
        content = json.dumps([self.kind, self.tier, self.text, [o.item, o.element, o.n]], ensure_ascii=True)
        return "c-" + hashlib.sha256(content.encode()).hexdigest()[:16]

    @property
    def key(self) -> str:
        """What a judge's answer is kept under: see `check_key`."""
        return check_key(self.kind, self.text)

    def as_json(self) -> dict[str, Any]:
        """The stable shape of `gamut compile --json`."""
        o, edit = self.origin, self.override
        return {
            "id": self.id,
            "tier": self.tier.value,
            "role": self.role.value,
            "kind": self.kind.value,
            "text": self.text,
            "origin": {"item": o.item, "element": o.element, "n": o.n},
            "rule": self.rule,
            "why": self.why,
            "override": None
            if edit is None
            else {"action": edit.action, "base_text": edit.base_text, "stale": edit.stale},
        }


def check_key(kind: str, text: str) -> str:
    """32 hex digits of sha256 over kind and text alone: a retier or a reorder asks a judge nothing new."""
    return hashlib.sha256(f"{kind}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class CheckText:
    """A check as a judge is asked it and its answers are kept: kind and text, nothing else."""

    kind: Kind
    text: str

    @property
    def key(self) -> str:
        """What answers to it are kept under."""
        return check_key(self.kind, self.text)


@dataclass(frozen=True, slots=True)
class Checklist:
    """A compiled checklist and what was left out on the way.

    `dropped`: checks that a person dropped. `orphans`: overrides whose origin is gone; they are kept, and reported.
    `identifying`: ids of items that the text-only variant leaves out because the question gives them away.
    """

    checks: tuple[Check, ...]
    dropped: tuple[Check, ...] = ()
    orphans: tuple[Override, ...] = ()
    identifying: tuple[str, ...] = ()
