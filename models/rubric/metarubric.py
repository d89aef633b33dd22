"""The meta-rubric: typed items of what a complete answer contains, as frozen values.

Only shapes and ids live here. Reading files is the codec's, judging a rubric's craft is lint's, and what an item turns
into is compile's. A value here may be unfinished (a baseline above its pool, an empty name): an editor must hold it.
"""

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal


class Tier(StrEnum):
    """How much a part matters: answer_critical > valuable > context."""

    ANSWER_CRITICAL = "answer_critical"
    VALUABLE = "valuable"
    CONTEXT = "context"

    def lower(self) -> "Tier":
        """One step down; context stays context."""
        return {Tier.ANSWER_CRITICAL: Tier.VALUABLE}.get(self, Tier.CONTEXT)


TIERS: tuple[Tier, ...] = tuple(Tier)


@dataclass(frozen=True, slots=True)
class Element:
    """One option, list item or aspect: its text, its id within the item, the snippets it cites."""

    text: str
    id: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step(Element):
    """One step of a process."""

    required: bool = True


@dataclass(frozen=True, slots=True)
class MetaInsight(Element):
    """What a whole list or process conveys; it has a tier of its own."""

    tier: Tier = Tier.VALUABLE


@dataclass(frozen=True, slots=True)
class SimpleKnowledge:
    """One fact. `identifies_subject`: a text-only question gives this fact away."""

    id: str
    tier: Tier
    fact: str
    identifies_subject: bool = False
    cites: tuple[str, ...] = ()
    type: Literal["simple_knowledge"] = "simple_knowledge"


@dataclass(frozen=True, slots=True)
class StrictList:
    """A list of which every item belongs in a complete answer."""

    id: str
    tier: Tier
    name: str
    items: tuple[Element, ...]
    meta_insights: tuple[MetaInsight, ...] = ()
    cites: tuple[str, ...] = ()
    type: Literal["strict_list"] = "strict_list"


@dataclass(frozen=True, slots=True)
class FlexibleList:
    """A pool of options of which `at_least` this many (one or two baselines) are enough.

    `coverage`: further thresholds for extra credit on a long or context list; None asks for the profile's default.
    """

    id: str
    tier: Tier
    name: str
    options: tuple[Element, ...]
    at_least: tuple[int, ...]
    coverage: tuple[int, ...] | None = None
    meta_insights: tuple[MetaInsight, ...] = ()
    cites: tuple[str, ...] = ()
    type: Literal["flexible_list"] = "flexible_list"


@dataclass(frozen=True, slots=True)
class Process:
    """Steps whose order matters; some may be optional."""

    id: str
    tier: Tier
    name: str
    steps: tuple[Step, ...]
    meta_insights: tuple[MetaInsight, ...] = ()
    cites: tuple[str, ...] = ()
    type: Literal["process"] = "process"


@dataclass(frozen=True, slots=True)
class Relationship:
    """How a subject and a related entity hang together, aspect by aspect."""

    id: str
    tier: Tier
    subject: str
    related: str
    aspects: tuple[Element, ...]
    cites: tuple[str, ...] = ()
    type: Literal["relationship"] = "relationship"


Item = SimpleKnowledge | StrictList | FlexibleList | Process | Relationship
ITEM_TYPES: dict[str, type[Item]] = {
    "simple_knowledge": SimpleKnowledge,
    "strict_list": StrictList,
    "flexible_list": FlexibleList,
    "process": Process,
    "relationship": Relationship,
}


def label(item: Item) -> str:
    """What a person calls the item: its fact, its name, or "subject - related"."""
    match item:
        case SimpleKnowledge():
            return item.fact
        case Relationship():
            return f"{item.subject} - {item.related}"
        case _:
            return item.name


def pool(item: Item) -> tuple[Element, ...]:
    """The item's own elements in order, without its meta-insights; empty for a single fact."""
    match item:
        case SimpleKnowledge():
            return ()
        case StrictList():
            return item.items
        case FlexibleList():
            return item.options
        case Process():
            return item.steps
        case Relationship():
            return item.aspects


def insights(item: Item) -> tuple[MetaInsight, ...]:
    """The item's meta-insights; facts and relationships have none."""
    return item.meta_insights if isinstance(item, StrictList | FlexibleList | Process) else ()


def elements(item: Item) -> tuple[Element, ...]:
    """Every element of the item, meta-insights last. Their ids are unique within the item."""
    return pool(item) + insights(item)


def content_id(text: str) -> str:
    """The first 8 hex digits of sha256 of the NFC text (DESIGN, section 3)."""
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def item_seed(type_name: str, name: str) -> str:
    """The text an item's derived id is taken from: its type and its name or fact."""
    return f"{type_name}\n{name}"


def derive_ids(given: Iterable[tuple[str | None, str]]) -> list[str]:
    """Ids for (given id or None, seed text) pairs: the given one, else the content's, with -2, -3 ... for a repeat.

    Given ids are taken first, so that a derived one never takes a given one's place.
    """
    pairs = list(given)
    taken = {one for one, _ in pairs if one is not None}
    ids: list[str] = []
    for one, seed in pairs:
        if one is None:
            base = content_id(seed)
            one, n = base, 1
            while one in taken:
                n += 1
                one = f"{base}-{n}"
            taken.add(one)
        ids.append(one)
    return ids


@dataclass(frozen=True, slots=True)
class Snippet:
    """A source that elements cite. `checked`: whether a person found that it supports what cites it."""

    id: str
    url: str | None = None
    title: str | None = None
    quote: str | None = None
    note: str | None = None
    checked: Literal["unchecked", "supports", "does_not"] = "unchecked"
    by: str | None = None
    on: str | None = None


@dataclass(frozen=True, slots=True)
class ImageRef:
    """A picture. `file` is relative to the rubric file; inside a project `sha256` finds the bytes."""

    file: str
    credit: str | None = None
    licence: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class TextOnly:
    """The variant of the question that needs no picture, or why there is none."""

    question: str | None
    status: Literal["ready", "excluded"] = "ready"
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Override:
    """A person's edit of the compiled checklist. It survives a recompile.

    `origin` and `rule` say which compiled check is meant (`rule` tells a process's two sequences apart); `base_text`
    and `base_tier` are what the rules gave when the edit was made: the edit is stale when they give something else now.
    An added check has no origin but its own `id`.
    """

    action: Literal["reword", "retier", "drop", "add"]
    origin: "Origin | None" = None
    rule: str | None = None
    id: str | None = None
    kind: str | None = None
    text: str | None = None
    tier: Tier | None = None
    base_text: str | None = None
    base_tier: Tier | None = None
    note: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a check comes from, in ids: item, element within it, and the number of a threshold."""

    item: str
    element: str | None = None
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its pictures, sources, meta-rubric and overrides: what a rubric file holds.

    `entity` is what the picture shows; it is never shown to a model. `reserved` keeps fields that this version stores
    but does not read (golden, silenced, regions).
    """

    id: str
    question: str
    images: tuple[ImageRef, ...] = ()
    text_only: TextOnly | None = None
    entity: str | None = None
    domain: str | None = None
    topic: str | None = None
    tags: tuple[tuple[str, str], ...] = ()
    status: Literal["active", "dropped"] = "active"
    reason: str | None = None
    snippets: tuple[Snippet, ...] = ()
    rubric: tuple[Item, ...] = ()
    overrides: tuple[Override, ...] = ()
    profile: str | None = None
    language: str | None = None
    reserved: tuple[tuple[str, Any], ...] = field(default=())
