"""One edit of a question as a value: what was there before and what is there after, and nothing else of the question.

A change applies forward and backward exactly, so an undo stack can hold thousands of them. Which changes make sense is
edit.py's business; here a change that does not fit the question is a bug and raises LookupError.
"""

from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from models.rubric.metarubric import Element, Item, Override, Question, insights


@dataclass(frozen=True, slots=True)
class ItemAdded:
    """`index`: where the item stands afterwards."""

    index: int
    item: Item


@dataclass(frozen=True, slots=True)
class ItemRemoved:
    """`index`: where the item stood before."""

    index: int
    item: Item


@dataclass(frozen=True, slots=True)
class ItemMoved:
    """`old`, `new`: where the item stood before, and stands afterwards."""

    item: str
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class ItemChanged:
    """`becomes`: the item's id afterwards; another one only where a blank item got its first text."""

    item: str
    field: str
    old: Any
    new: Any
    becomes: str


@dataclass(frozen=True, slots=True)
class ElementAdded:
    """`part`: the item's field that holds the element (options, items, steps, aspects or meta_insights)."""

    item: str
    part: str
    index: int
    element: Element


@dataclass(frozen=True, slots=True)
class ElementRemoved:
    """The reverse of ElementAdded."""

    item: str
    part: str
    index: int
    element: Element


@dataclass(frozen=True, slots=True)
class ElementMoved:
    """`old`, `new`: positions within `part`, before and afterwards."""

    item: str
    part: str
    element: str
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class ElementChanged:
    """`becomes`: the element's id afterwards; another one only where a blank element got its first text."""

    item: str
    part: str
    element: str
    field: str
    old: Any
    new: Any
    becomes: str


@dataclass(frozen=True, slots=True)
class QuestionChanged:
    """A field of the question itself: question, text_only, entity, domain, status or reason."""

    field: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class OverrideChanged:
    """An override made (`old` is None), removed (`new` is None) or replaced, at `index` of the overrides."""

    index: int
    old: Override | None
    new: Override | None


Change = (
    ItemAdded
    | ItemRemoved
    | ItemMoved
    | ItemChanged
    | ElementAdded
    | ElementRemoved
    | ElementMoved
    | ElementChanged
    | QuestionChanged
    | OverrideChanged
)

T = TypeVar("T")


def apply(question: Question, change: Change) -> Question:
    """The question after the change. Raises LookupError if the change was not made on such a question."""
    match change:
        case ItemAdded(index, item):
            return replace(question, rubric=_with(question.rubric, index, item))
        case ItemRemoved(index, item):
            return replace(question, rubric=_without(question.rubric, index, item.id))
        case ItemMoved(item_id, old, new):
            return replace(question, rubric=_moved(question.rubric, item_id, old, new))
        case ItemChanged(item_id, field, _, new, becomes):
            return _item_replaced(question, item_id, **{field: new, "id": becomes})
        case QuestionChanged(field, _, new):
            return replace(question, **{field: new})
        case OverrideChanged():
            return replace(question, overrides=_overridden(question.overrides, change))
    elements = getattr(question.rubric[item_index(question, change.item)], change.part)
    return _item_replaced(question, change.item, **{change.part: _elements_after(elements, change)})


def inverse(change: Change) -> Change:
    """The change that takes it back."""
    match change:
        case ItemAdded(index, item):
            return ItemRemoved(index, item)
        case ItemRemoved(index, item):
            return ItemAdded(index, item)
        case ElementAdded(item_id, part, index, element):
            return ElementRemoved(item_id, part, index, element)
        case ElementRemoved(item_id, part, index, element):
            return ElementAdded(item_id, part, index, element)
        case ItemChanged():
            return replace(change, item=change.becomes, becomes=change.item, old=change.new, new=change.old)
        case ElementChanged():
            return replace(change, element=change.becomes, becomes=change.element, old=change.new, new=change.old)
        case _:
            return with_fields(change, old=change.new, new=change.old)


def with_fields(value: T, **fields: Any) -> T:
    """`dataclasses.replace` for a value of one of several types, by the names of fields that its type has."""
    return cast(T, replace(cast(Any, value), **fields))


def revert(question: Question, change: Change) -> Question:
    """The question before the change."""
    return apply(question, inverse(change))


def merged(first: Change, then: Change) -> Change | None:
    """Both as one change: typing on in the same field, or the first text of what was just added; else None."""
    match first, then:
        case ItemChanged(), ItemChanged() if (first.becomes, first.field) == (then.item, then.field):
            return replace(first, new=then.new, becomes=then.becomes)
        case ElementChanged(), ElementChanged() if (first.item, first.becomes, first.field) == (
            then.item,
            then.element,
            then.field,
        ):
            return replace(first, new=then.new, becomes=then.becomes)
        case QuestionChanged(), QuestionChanged() if first.field == then.field:
            return replace(first, new=then.new)
        case ItemAdded(), ItemChanged() if first.item.id == then.item:
            return replace(first, item=with_fields(first.item, **{then.field: then.new, "id": then.becomes}))
        case ElementAdded(), ElementChanged() if (first.item, first.element.id) == (then.item, then.element):
            return replace(first, element=with_fields(first.element, **{then.field: then.new, "id": then.becomes}))
        case OverrideChanged(), OverrideChanged() if first.index == then.index and first.new == then.old is not None:
            return replace(first, new=then.new)
    return None


def changes_nothing(change: Change) -> bool:
    """Whether before and after are the same."""
    match change:
        case ItemAdded() | ItemRemoved() | ElementAdded() | ElementRemoved():
            return False
        case _:
            return bool(change.old == change.new)


def item_index(question: Question, item: str) -> int:
    """Where the item with that id stands; raises LookupError."""
    for index, one in enumerate(question.rubric):
        if one.id == item:
            return index
    raise LookupError(f"no item {item}")


def part_of(item: Item, element: str) -> tuple[str, int]:
    """The field that holds the element with that id, and its position there; raises LookupError."""
    for part in (POOLS.get(item.type), "meta_insights" if insights(item) else None):
        for index, one in enumerate(getattr(item, part) if part else ()):
            if one.id == element:
                return str(part), index
    raise LookupError(f"no element {element} in item {item.id}")


POOLS = {"strict_list": "items", "flexible_list": "options", "process": "steps", "relationship": "aspects"}


def _item_replaced(question: Question, item: str, **fields: Any) -> Question:
    index = item_index(question, item)
    rubric = question.rubric
    return replace(question, rubric=(*rubric[:index], with_fields(rubric[index], **fields), *rubric[index + 1 :]))


def _elements_after(
    elements: tuple[Element, ...], change: ElementAdded | ElementRemoved | ElementMoved | ElementChanged
) -> tuple[Element, ...]:
    match change:
        case ElementAdded():
            return _with(elements, change.index, change.element)
        case ElementRemoved():
            return _without(elements, change.index, change.element.id)
        case ElementMoved():
            return _moved(elements, change.element, change.old, change.new)
        case ElementChanged():
            if all(one.id != change.element for one in elements):
                raise LookupError(f"no element {change.element}")
            fields = {change.field: change.new, "id": change.becomes}
            return tuple(with_fields(one, **fields) if one.id == change.element else one for one in elements)


def _with(rows: tuple[T, ...], index: int, one: T) -> tuple[T, ...]:
    if not 0 <= index <= len(rows):
        raise LookupError(f"no place {index}")
    return (*rows[:index], one, *rows[index:])


def _without(rows: tuple[T, ...], index: int, one: str) -> tuple[T, ...]:
    if not 0 <= index < len(rows) or cast(Any, rows[index]).id != one:
        raise LookupError(f"no {one} at {index}")
    return (*rows[:index], *rows[index + 1 :])


def _moved(rows: tuple[T, ...], one: str, old: int, new: int) -> tuple[T, ...]:
    rest = _without(rows, old, one)
    return _with(rest, new, rows[old])


def _overridden(overrides: tuple[Override, ...], change: OverrideChanged) -> tuple[Override, ...]:
    index, old, new = change.index, change.old, change.new
    if old is None:
        return overrides if new is None else (*overrides[:index], new, *overrides[index:])
    if not 0 <= index < len(overrides) or overrides[index] != old:
        raise LookupError(f"no such override at {index}")
    return (*overrides[:index], *(() if new is None else (new,)), *overrides[index + 1 :])
