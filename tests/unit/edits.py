"""Random edits of a question, for property tests of the edits themselves and of everything that follows them."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from models.errors import GamutError
from models.rubric import edit, edit_overrides
from models.rubric.compile import compile_question
from models.rubric.metarubric import (
    ITEM_TYPES,
    FlexibleList,
    Item,
    MetaInsight,
    Question,
    SimpleKnowledge,
    Step,
    TextOnly,
    elements,
    insights,
)
from tests.unit.rubrics import TEXTS, TIERS

NAMES = TEXTS | st.just("")
COUNTS = st.lists(st.integers(1, 12), min_size=1, max_size=2, unique=True).map(lambda n: tuple(sorted(n)))
CITES = st.lists(st.sampled_from(["s1", "s2"]), unique=True).map(tuple)
PLACES = st.integers(0, 6)
Draw = Callable[[st.SearchStrategy[Any]], Any]


def _item(draw: Draw, question: Question, *only: type[Item]) -> Item | None:
    fitting = [item for item in question.rubric if not only or isinstance(item, only)]
    return draw(st.sampled_from(fitting)) if fitting else None


def _element(draw: Draw, question: Question, only: type | None = None) -> tuple[str, str] | None:
    fitting = [(i.id, e.id) for i in question.rubric for e in elements(i) if only is None or isinstance(e, only)]
    return draw(st.sampled_from(fitting)) if fitting else None


def _on_item(make: Callable[..., edit.Edited], value: st.SearchStrategy[Any] | None = None, *only: type[Item]) -> Any:
    def edited(draw: Draw, q: Question) -> edit.Edited:
        item = _item(draw, q, *only)
        if item is None:
            return q, None
        return make(q, item.id) if value is None else make(q, item.id, draw(value))

    return edited


def _on_element(make: Callable[..., edit.Edited], value: st.SearchStrategy[Any] | None, only: Any = None) -> Any:
    def edited(draw: Draw, q: Question) -> edit.Edited:
        found = _element(draw, q, only)
        if found is None:
            return q, None
        return make(q, *found) if value is None else make(q, *found, draw(value))

    return edited


def _on_check(make: Callable[..., edit.Edited], value: st.SearchStrategy[Any] | None = None) -> Any:
    def edited(draw: Draw, q: Question) -> edit.Edited:
        try:
            checks = compile_question(q, raw=True).checks
        except GamutError:
            return q, None
        if not checks:
            return q, None
        check = draw(st.sampled_from(checks))
        return make(q, check) if value is None else make(q, check, draw(value))

    return edited


def _remove_override(draw: Draw, q: Question) -> edit.Edited:
    return edit_overrides.remove_override(q, draw(st.sampled_from(q.overrides))) if q.overrides else (q, None)


def _change_added(draw: Draw, q: Question) -> edit.Edited:
    added = [o.id for o in q.overrides if o.action == "add" and o.id]
    if not added:
        return q, None
    return edit_overrides.change_added(q, draw(st.sampled_from(added)), text=draw(TEXTS), tier=draw(TIERS))


def _add_insight(draw: Draw, q: Question) -> edit.Edited:
    item = _item(draw, q, *(t for t in ITEM_TYPES.values() if "meta_insights" in t.__slots__))
    if item is None:
        return q, None
    return edit.add_insight(q, item.id, draw(NAMES), draw(st.integers(0, len(insights(item)))))


def _add_element(draw: Draw, q: Question) -> edit.Edited:
    item = _item(draw, q, *(t for name, t in ITEM_TYPES.items() if name != "simple_knowledge"))
    if item is None:
        return q, None
    return edit.add_element(q, item.id, draw(NAMES), draw(st.integers(0, len(elements(item)) - len(insights(item)))))


def _add_item(draw: Draw, q: Question) -> edit.Edited:
    index = draw(st.integers(0, len(q.rubric)))
    return edit.add_item(q, draw(st.sampled_from(list(ITEM_TYPES))), index, tier=draw(TIERS))


EDITS: dict[str, Callable[[Draw, Question], edit.Edited]] = {
    "add_item": _add_item,
    "remove_item": _on_item(edit.remove_item),
    "move_item": _on_item(edit.move_item, PLACES),
    "set_item_text": _on_item(edit.set_item_text, NAMES),
    "set_item_tier": _on_item(edit.set_item_tier, TIERS),
    "set_item_cites": _on_item(edit.set_item_cites, CITES),
    "set_identifies_subject": _on_item(edit.set_identifies_subject, st.booleans(), SimpleKnowledge),
    "set_at_least": _on_item(edit.set_at_least, COUNTS, FlexibleList),
    "set_coverage": _on_item(edit.set_coverage, COUNTS | st.none(), FlexibleList),
    "add_element": _add_element,
    "add_insight": _add_insight,
    "remove_element": _on_element(edit.remove_element, None),
    "move_element": _on_element(edit.move_element, PLACES),
    "set_element_text": _on_element(edit.set_element_text, NAMES),
    "set_element_cites": _on_element(edit.set_element_cites, CITES),
    "set_required": _on_element(edit.set_required, st.booleans(), Step),
    "set_insight_tier": _on_element(edit.set_insight_tier, TIERS, MetaInsight),
    "set_question_text": lambda draw, q: edit.set_question_text(q, draw(NAMES)),
    "set_text_only": lambda draw, q: edit.set_text_only(q, draw(TEXTS.map(TextOnly) | st.none())),
    "set_field": lambda draw, q: edit.set_field(q, draw(st.sampled_from(["entity", "domain", "reason"])), draw(NAMES)),
    "set_status": lambda draw, q: edit.set_status(q, draw(st.sampled_from(["active", "dropped"]))),
    "reword": _on_check(edit_overrides.reword, TEXTS),
    "retier": _on_check(edit_overrides.retier, TIERS),
    "drop": _on_check(edit_overrides.drop),
    "bring_back": _on_check(edit_overrides.bring_back),
    "add_check": lambda draw, q: edit_overrides.add_check(q, draw(TEXTS), draw(TIERS)),
    "change_added": _change_added,
    "remove_override": _remove_override,
}


def draw_edit(data: st.DataObject, question: Question) -> edit.Edited:
    """Any edit that fits the question; (question, None) where none of the drawn kind does."""
    return EDITS[data.draw(st.sampled_from(sorted(EDITS)))](data.draw, question)
