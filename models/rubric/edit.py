"""The edits of a question: each gives the question afterwards and the change that was made, None if there was none.

Pure functions over frozen values; change.py says how a change is undone. An edit may leave a rubric that cannot compile
(an editor must hold it), but never one that could not be stored: that is refused with an EditError.
"""

from dataclasses import replace
from typing import Any, Literal

from models.errors import GamutError
from models.rubric.change import (
    POOLS,
    Change,
    ElementAdded,
    ElementChanged,
    ElementMoved,
    ElementRemoved,
    ItemAdded,
    ItemChanged,
    ItemMoved,
    ItemRemoved,
    QuestionChanged,
    apply,
    changes_nothing,
    item_index,
    part_of,
    with_fields,
)
from models.rubric.metarubric import (
    ITEM_TYPES,
    Element,
    FlexibleList,
    Item,
    MetaInsight,
    Process,
    Question,
    Relationship,
    SimpleKnowledge,
    Step,
    StrictList,
    TextOnly,
    Tier,
    content_id,
    derive_ids,
    elements,
)
from models.rubric.problems import item_name_seed

Edited = tuple[Question, Change | None]
TextField = Literal["fact", "name", "subject", "related"]
MAIN_FIELD: dict[str, TextField] = {
    "simple_knowledge": "fact",
    "strict_list": "name",
    "flexible_list": "name",
    "process": "name",
    "relationship": "subject",
}


class EditError(GamutError):
    """An edit that cannot be made; nothing was changed."""


def made(question: Question, change: Change) -> Edited:
    """The question after the change; no change where nothing differs."""
    return (question, None) if changes_nothing(change) else (apply(question, change), change)


def clean(text: str) -> str:
    """Text as a file can hold it: no white space at its ends, no half characters."""
    return "".join(c for c in text if not "\ud800" <= c <= "\udfff").strip()


def _item(question: Question, item: str) -> Item:
    return question.rubric[item_index(question, item)]


# Items ---------------------------------------------------------------------------------------------------------------


def add_item(question: Question, item_type: str, index: int | None = None, *, tier: Tier = Tier.VALUABLE) -> Edited:
    """A blank item at `index` (None: last). The change's item has the new id."""
    blank: dict[str, dict[str, Any]] = {
        "simple_knowledge": {"fact": ""},
        "strict_list": {"name": "", "items": ()},
        "flexible_list": {"name": "", "options": (), "at_least": (1,)},
        "process": {"name": "", "steps": ()},
        "relationship": {"subject": "", "related": "", "aspects": ()},
    }
    item: Item = ITEM_TYPES[item_type]("", tier, **blank[item_type])
    item = replace(item, id=_free_item_id(question, item))
    return made(question, ItemAdded(len(question.rubric) if index is None else index, item))


def remove_item(question: Question, item: str) -> Edited:
    """Overrides of its checks stay, and become orphans."""
    index = item_index(question, item)
    return made(question, ItemRemoved(index, question.rubric[index]))


def move_item(question: Question, item: str, to: int) -> Edited:
    """`to`: where the item shall stand; past the ends is the end."""
    index = item_index(question, item)
    return made(question, ItemMoved(item, index, max(0, min(to, len(question.rubric) - 1))))


def set_item_text(question: Question, item: str, text: str, field: TextField | None = None) -> Edited:
    """Change a text of an item (None: its main one). A blank item gets its id from its first text; then it keeps it."""
    before = _item(question, item)
    field = field or MAIN_FIELD[before.type]
    after = with_fields(before, **{field: clean(text)})
    fresh = not _texts(before) and _is_derived(item, item_name_seed(before)) and bool(_texts(after))
    becomes = _free_item_id(question, after) if fresh else item
    return made(question, ItemChanged(item, field, getattr(before, field), clean(text), becomes))


def set_item_tier(question: Question, item: str, tier: Tier) -> Edited:
    return _set_item(question, item, "tier", tier)


def set_item_cites(question: Question, item: str, cites: tuple[str, ...]) -> Edited:
    return _set_item(question, item, "cites", cites)


def set_identifies_subject(question: Question, item: str, identifies: bool) -> Edited:
    """Whether a text-only question gives this fact away."""
    return _set_item(question, item, "identifies_subject", identifies, SimpleKnowledge)


def set_at_least(question: Question, item: str, at_least: tuple[int, ...]) -> Edited:
    return _set_item(question, item, "at_least", at_least, FlexibleList)


def set_coverage(question: Question, item: str, coverage: tuple[int, ...] | None) -> Edited:
    """None asks for the profile's default."""
    return _set_item(question, item, "coverage", coverage, FlexibleList)


def _set_item(question: Question, item: str, field: str, value: Any, only: type[Item] | None = None) -> Edited:
    before = _item(question, item)
    if only is not None and not isinstance(before, only):
        raise EditError(f"A {before.type} has no {field}.", "Choose an item of another type.")
    return made(question, ItemChanged(item, field, getattr(before, field), value, item))


def _texts(item: Item) -> str:
    return item.subject + item.related if isinstance(item, Relationship) else getattr(item, MAIN_FIELD[item.type])


def _is_derived(one: str, seed: str) -> bool:
    """Whether the id comes from that seed, a repeat's number aside."""
    return one.partition("-")[0] == content_id(seed)


def free_id(taken: set[str], seed: str) -> str:
    """The id derived from a text, numbered where it is taken."""
    return derive_ids([*((one, "") for one in sorted(taken)), (None, seed)])[-1]


def _free_item_id(question: Question, item: Item) -> str:
    """Ids that overrides name count as taken, so that an old edit never lands on a new item."""
    edited = {o.origin.item for o in question.overrides if o.origin}
    added = {o.id for o in question.overrides if o.id}
    return free_id({one.id for one in question.rubric} | edited | added, item_name_seed(item))


# Elements ------------------------------------------------------------------------------------------------------------


def add_element(question: Question, item: str, text: str = "", index: int | None = None) -> Edited:
    """An option, list item, step or aspect at `index` of the pool (None: last)."""
    before = _item(question, item)
    if before.type not in POOLS:
        raise EditError("A single fact has no elements.", "Add another item, or a list.")
    part = POOLS[before.type]
    kind = Step if isinstance(before, Process) else Element
    one = kind(clean(text), _free_element_id(question, before, clean(text)))
    return made(question, ElementAdded(item, part, len(getattr(before, part)) if index is None else index, one))


def add_insight(
    question: Question, item: str, text: str = "", index: int | None = None, *, tier: Tier = Tier.VALUABLE
) -> Edited:
    """A meta-insight at `index` of the meta-insights (None: last)."""
    before = _item(question, item)
    if not isinstance(before, StrictList | FlexibleList | Process):
        raise EditError("Only lists and processes have meta-insights.", "Choose a list or a process.")
    one = MetaInsight(clean(text), _free_element_id(question, before, clean(text)), (), tier)
    at = len(before.meta_insights) if index is None else index
    return made(question, ElementAdded(item, "meta_insights", at, one))


def remove_element(question: Question, item: str, element: str) -> Edited:
    before = _item(question, item)
    part, index = part_of(before, element)
    return made(question, ElementRemoved(item, part, index, getattr(before, part)[index]))


def move_element(question: Question, item: str, element: str, to: int) -> Edited:
    """`to`: where it shall stand among its own kind; past the ends is the end."""
    before = _item(question, item)
    part, index = part_of(before, element)
    to = max(0, min(to, len(getattr(before, part)) - 1))
    return made(question, ElementMoved(item, part, element, index, to))


def set_element_text(question: Question, item: str, element: str, text: str) -> Edited:
    """A blank element gets its id from its first text; then it keeps it."""
    before = _item(question, item)
    old = _element(before, element)
    fresh = not old.text and _is_derived(element, "") and bool(clean(text))
    becomes = _free_element_id(question, before, clean(text)) if fresh else element
    return _set_element(question, item, element, "text", clean(text), becomes)


def set_element_cites(question: Question, item: str, element: str, cites: tuple[str, ...]) -> Edited:
    return _set_element(question, item, element, "cites", cites)


def set_required(question: Question, item: str, step: str, required: bool) -> Edited:
    """Whether a step of a process belongs in every complete answer."""
    return _set_element(question, item, step, "required", required, only=Step)


def set_insight_tier(question: Question, item: str, insight: str, tier: Tier) -> Edited:
    return _set_element(question, item, insight, "tier", tier, only=MetaInsight)


def _element(item: Item, element: str) -> Element:
    part, index = part_of(item, element)
    found: Element = getattr(item, part)[index]
    return found


def _set_element(
    question: Question,
    item: str,
    element: str,
    field: str,
    value: Any,
    becomes: str | None = None,
    *,
    only: type[Element] | None = None,
) -> Edited:
    before = _item(question, item)
    part, index = part_of(before, element)
    old = getattr(before, part)[index]
    if only is not None and not isinstance(old, only):
        raise EditError(
            f"This element has no {field}.", "Only steps are required or optional; only insights have tiers."
        )
    return made(question, ElementChanged(item, part, element, field, getattr(old, field), value, becomes or element))


def _free_element_id(question: Question, item: Item, text: str) -> str:
    origins = [o.origin for o in question.overrides if o.origin and o.origin.item == item.id]
    return free_id({one.id for one in elements(item)} | {o.element for o in origins if o.element}, text)


# The question itself -------------------------------------------------------------------------------------------------


def set_question_text(question: Question, text: str) -> Edited:
    return made(question, QuestionChanged("question", question.question, clean(text)))


def set_text_only(question: Question, text_only: TextOnly | None) -> Edited:
    """The text-only variant; a ready one needs its question."""
    if text_only is not None:
        asked = clean(text_only.question or "") or None
        if text_only.status == "ready" and asked is None:
            raise EditError(
                "A text-only variant needs its question.", "Write it, or exclude the variant with a reason."
            )
        text_only = TextOnly(asked, text_only.status, clean(text_only.reason or "") or None)
    return made(question, QuestionChanged("text_only", question.text_only, text_only))


def set_field(question: Question, field: Literal["entity", "domain", "topic", "reason"], text: str | None) -> Edited:
    """An optional text of the question; blank is none."""
    return made(question, QuestionChanged(field, getattr(question, field), clean(text or "") or None))


def set_status(question: Question, status: Literal["active", "dropped"]) -> Edited:
    return made(question, QuestionChanged("status", question.status, status))
