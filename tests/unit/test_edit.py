"""Edits of a question: what they change, what they refuse, and that every change can be taken back exactly."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.rubric import edit, edit_overrides
from models.rubric.change import Change, ItemAdded, apply, inverse, merged, revert
from models.rubric.codec import dump_json, parse_question
from models.rubric.compile import compile_question
from models.rubric.metarubric import (
    FlexibleList,
    MetaInsight,
    Origin,
    Override,
    Process,
    Question,
    Relationship,
    SimpleKnowledge,
    StrictList,
    TextOnly,
    Tier,
    content_id,
    elements,
    item_seed,
)
from models.rubric.overrides import override_of
from tests.unit.edits import EDITS, draw_edit
from tests.unit.rubrics import element_list, question, questions, steps

AC, V, C = Tier
FACT = SimpleKnowledge("k", AC, "Coffee is brewed")
LIST = FlexibleList("l", V, "parts of a cup", element_list("bowl", "handle", "rim"), (1,))
STEPS = Process("p", AC, "brewing", steps(grind=True, pour=False), (MetaInsight("It is quick", "m", (), V),))
ASKED = question(FACT, LIST, STEPS)


def done(edited: edit.Edited) -> Question:
    after, change = edited
    assert change is not None
    return after


def raw(asked: Question, n: int = 0):
    return compile_question(asked, raw=True).checks[n]


# Every change --------------------------------------------------------------------------------------------------------


@given(questions(), st.data())
def test_every_change_applies_and_reverts_exactly(asked: Question, data: st.DataObject):
    before = asked
    for _ in range(6):
        after, change = draw_edit(data, before)
        if change is None:
            assert after == before
            continue
        assert apply(before, change) == after
        assert revert(after, change) == before
        assert apply(revert(after, change), change) == after
        assert inverse(inverse(change)) == change
        before = after


@given(questions(), st.data())
def test_whatever_an_edit_leaves_can_be_stored_and_read_again(asked: Question, data: st.DataObject):
    for _ in range(6):
        asked, _ = draw_edit(data, asked)
    assert parse_question(dump_json(asked), is_json=True) == asked


@given(questions(), st.data())
def test_ids_stay_unique_and_others_keep_theirs(asked: Question, data: st.DataObject):
    for _ in range(8):
        before = {item.id for item in asked.rubric}
        asked, _ = draw_edit(data, asked)
        ids = [item.id for item in asked.rubric]
        assert len(set(ids)) == len(ids)
        assert len(before - set(ids)) <= 1
        for item in asked.rubric:
            parts = [one.id for one in elements(item)]
            assert len(set(parts)) == len(parts)


@given(questions(), st.data())
def test_a_merged_change_is_both_changes(asked: Question, data: st.DataObject):
    middle, first = draw_edit(data, asked)
    after, then = draw_edit(data, middle)
    both = merged(first, then) if first and then else None
    if both is not None:
        assert apply(asked, both) == after
        assert revert(after, both) == asked


def test_every_kind_of_edit_is_drawn_by_the_tests():
    verbs = ("add_", "remove_", "move_", "set_", "change_added", "reword", "retier", "drop", "bring_")
    assert {name for module in (edit, edit_overrides) for name in vars(module) if name.startswith(verbs)} == set(EDITS)


def test_a_change_holds_the_part_it_changed_alone():
    _, change = edit.set_item_tier(ASKED, "l", AC)
    assert change is not None
    held = [getattr(change, field.name) for field in fields(change)]
    assert held == ["l", "tier", V, AC, "l"]


def test_a_change_that_does_not_fit_is_a_bug():
    change: Change = ItemAdded(7, FACT)
    with pytest.raises(LookupError):
        apply(ASKED, change)
    with pytest.raises(LookupError):
        edit.remove_item(ASKED, "nowhere")
    with pytest.raises(LookupError):
        edit.remove_element(ASKED, "l", "nowhere")


def test_an_edit_that_changes_nothing_is_none():
    assert edit.set_item_tier(ASKED, "l", V) == (ASKED, None)
    assert edit.move_item(ASKED, "k", 0) == (ASKED, None)
    assert edit.move_item(ASKED, "k", -3) == (ASKED, None)
    assert edit.set_item_text(ASKED, "k", " Coffee is brewed  ") == (ASKED, None)


# Items and elements --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["simple_knowledge", "strict_list", "flexible_list", "process", "relationship"])
def test_a_new_item_takes_its_id_from_its_first_text_and_keeps_it(kind: str):
    after, change = edit.add_item(ASKED, kind, 1)
    assert isinstance(change, ItemAdded)
    assert after.rubric[1] is change.item
    named = done(edit.set_item_text(after, change.item.id, "Milk")).rubric[1]
    text = "Milk\n" if kind == "relationship" else "Milk"
    assert named.id == content_id(item_seed(kind, text))
    later = done(edit.set_item_text(replace(after, rubric=(named,)), named.id, "Cream"))
    assert later.rubric[0].id == named.id


@pytest.mark.parametrize("kind", ["simple_knowledge", "strict_list", "relationship"])
def test_the_first_text_of_a_blank_item_or_element_is_taken_back_exactly(kind: str):
    blank, added = edit.add_item(ASKED, kind)
    assert isinstance(added, ItemAdded)
    named, change = edit.set_item_text(blank, added.item.id, "Milk")
    assert change is not None
    assert named.rubric[-1].id != added.item.id
    assert revert(named, change) == blank
    both = merged(added, change)
    assert both is not None
    assert (apply(ASKED, both), revert(named, both)) == (named, ASKED)
    blank, added = edit.add_element(ASKED, "l")
    named, change = edit.set_element_text(blank, "l", elements(blank.rubric[1])[-1].id, "saucer")
    assert added is not None
    assert change is not None
    assert revert(named, change) == blank
    both = merged(added, change)
    assert both is not None
    assert (apply(ASKED, both), revert(named, both)) == (named, ASKED)


def test_a_renamed_item_keeps_its_id_even_when_it_was_blank_in_between():
    blank = done(edit.set_item_text(ASKED, "k", ""))
    assert done(edit.set_item_text(blank, "k", "Tea")).rubric[0].id == "k"


def test_two_blank_items_of_a_type_have_two_ids():
    after = done(edit.add_item(done(edit.add_item(ASKED, "process")), "process"))
    assert after.rubric[-1].id == f"{after.rubric[-2].id}-2"


def test_a_new_item_never_takes_the_id_of_one_that_an_override_remembers():
    twin = SimpleKnowledge(content_id(item_seed("simple_knowledge", "Tea")), AC, "Tea")
    asked = question(twin)
    asked = done(edit_overrides.drop(asked, raw(asked)))
    asked = done(edit.remove_item(asked, twin.id))
    asked, change = edit.add_item(asked, "simple_knowledge")
    assert isinstance(change, ItemAdded)
    asked = done(edit.set_item_text(asked, change.item.id, "Tea"))
    assert asked.rubric[0].id == f"{twin.id}-2"
    assert len(compile_question(asked).checks) == 1


def test_a_new_element_takes_its_id_from_its_first_text_and_keeps_it():
    after = done(edit.add_element(ASKED, "l", index=1))
    blank = elements(after.rubric[1])[1]
    after = done(edit.set_element_text(after, "l", blank.id, "saucer"))
    assert elements(after.rubric[1])[1].id == content_id("saucer")
    after = done(edit.set_element_text(after, "l", content_id("saucer"), "plate"))
    assert elements(after.rubric[1])[1].id == content_id("saucer")


def test_meta_insights_come_after_the_pool_and_have_a_tier():
    after = done(edit.add_insight(ASKED, "l", "A cup is made to be held"))
    assert elements(after.rubric[1])[-1] == MetaInsight(
        "A cup is made to be held", content_id("A cup is made to be held"), (), V
    )
    after = done(edit.set_insight_tier(after, "l", elements(after.rubric[1])[-1].id, C))
    assert after.rubric[1].meta_insights[0].tier is C


def test_an_element_moves_among_its_own_kind_alone():
    assert [e.text for e in done(edit.move_element(ASKED, "l", LIST.options[0].id, 99)).rubric[1].options] == [
        "handle",
        "rim",
        "bowl",
    ]
    assert edit.move_element(ASKED, "p", "m", 99) == (ASKED, None)


def test_a_step_can_be_made_optional():
    after = done(edit.set_required(ASKED, "p", "s-grind", False))
    assert [step.required for step in after.rubric[2].steps] == [False, False]


@pytest.mark.parametrize(
    ("refused", "told"),
    [
        (lambda: edit.add_element(ASKED, "k"), "A single fact has no elements. Add another item, or a list."),
        (lambda: edit.add_insight(ASKED, "k"), "Only lists and processes have meta-insights."),
        (lambda: edit.set_coverage(ASKED, "k", (1,)), "A simple_knowledge has no coverage."),
        (lambda: edit.set_required(ASKED, "l", LIST.options[0].id, False), "This element has no required."),
        (lambda: edit.set_text_only(ASKED, TextOnly(" ")), "A text-only variant needs its question."),
        (lambda: edit_overrides.add_check(ASKED, " ", V), "A check needs a text. Write what it asks for."),
        (lambda: edit_overrides.reword(ASKED, raw(ASKED), ""), "A check needs a text."),
    ],
)
def test_what_could_not_be_stored_is_refused_in_a_sentence(refused, told):
    with pytest.raises(edit.EditError) as error:
        refused()
    assert str(error.value).startswith(told)


def test_half_characters_of_a_paste_are_left_out():
    after = done(edit.set_item_text(ASKED, "k", " Tea \ud83d is brewed"))
    assert after.rubric[0].fact == "Tea  is brewed"


# The question itself -------------------------------------------------------------------------------------------------


def test_the_questions_own_fields():
    asked = done(edit.set_question_text(ASKED, "Which cup?"))
    asked = done(edit.set_text_only(asked, TextOnly(" Which one? ", "ready", " ")))
    asked = done(edit.set_field(asked, "entity", " cup "))
    asked = done(edit.set_status(asked, "dropped"))
    asked = done(edit.set_field(asked, "reason", "blurred"))
    assert (asked.question, asked.text_only, asked.entity, asked.status, asked.reason) == (
        "Which cup?",
        TextOnly("Which one?"),
        "cup",
        "dropped",
        "blurred",
    )
    assert done(edit.set_field(asked, "entity", " ")).entity is None


# Overrides -----------------------------------------------------------------------------------------------------------


def test_a_reword_and_a_retier_of_one_check_are_one_override():
    asked = done(edit_overrides.reword(ASKED, raw(ASKED), "Says it is brewed", by="ann"))
    asked = done(edit_overrides.retier(asked, raw(ASKED), C))
    assert asked.overrides == (override_of(raw(ASKED), "reword", text="Says it is brewed", tier=C, by="ann"),)
    check = compile_question(asked).checks[0]
    assert (check.text, check.tier) == ("Says it is brewed", C)


def test_the_rules_own_text_and_tier_take_the_override_back():
    asked = done(edit_overrides.reword(ASKED, raw(ASKED), "Says it is brewed"))
    assert done(edit_overrides.reword(asked, raw(ASKED), raw(ASKED).text)) == ASKED
    asked = done(edit_overrides.retier(ASKED, raw(ASKED), C))
    assert done(edit_overrides.retier(asked, raw(ASKED), AC)) == ASKED


def test_a_dropped_check_comes_back_as_it_was():
    reworded = done(edit_overrides.reword(ASKED, raw(ASKED), "Says it is brewed"))
    dropped = done(edit_overrides.drop(reworded, raw(ASKED)))
    assert [check.text for check in compile_question(dropped).dropped] == [raw(ASKED).text]
    assert done(edit_overrides.bring_back(dropped, raw(ASKED))) == reworded
    plain = done(edit_overrides.drop(ASKED, raw(ASKED)))
    assert done(edit_overrides.bring_back(plain, raw(ASKED))) == ASKED
    assert edit_overrides.bring_back(ASKED, raw(ASKED)) == (ASKED, None)


def test_an_override_that_is_renewed_is_no_longer_stale():
    asked = done(edit_overrides.reword(ASKED, raw(ASKED), "Says it is brewed"))
    asked = done(edit.set_item_text(asked, "k", "Coffee is boiled"))
    assert compile_question(asked).checks[0].override.stale
    asked = done(edit_overrides.reword(asked, raw(asked), "Says it is boiled"))
    assert not compile_question(asked).checks[0].override.stale


def test_an_added_check_can_be_changed_and_removed():
    asked = done(edit_overrides.add_check(ASKED, "Says where", V, by="ann"))
    check = compile_question(asked).checks[-1]
    assert check.origin == Origin(content_id("Says where"))
    asked = done(edit_overrides.change_added(asked, check.origin.item, text="Says when", tier=C))
    behind = edit_overrides.override_behind(asked, compile_question(asked).checks[-1])
    assert behind == Override("add", id=check.origin.item, kind="presence", text="Says when", tier=C, by="ann")
    assert done(edit_overrides.remove_override(asked, behind)) == ASKED


def test_two_added_checks_of_one_text_have_two_ids():
    asked = done(edit_overrides.add_check(done(edit_overrides.add_check(ASKED, "Same", V)), "Same", V))
    assert len({check.origin for check in compile_question(asked).checks[-2:]}) == 2


def test_the_override_behind_a_check_is_found_by_rule_and_origin():
    asked = question(Process("p", AC, "brewing", steps(warm=False, grind=True, pour=True)))
    last = raw(asked, -1)
    edited = done(edit_overrides.drop(asked, last))
    assert edit_overrides.override_behind(edited, last) == edited.overrides[0]
    assert edit_overrides.override_behind(edited, raw(asked, -2)) is None


def test_relationship_texts_are_edited_by_field():
    asked = question(Relationship("r", V, "cup", "saucer", element_list("it catches drops")))
    after = done(edit.set_item_text(asked, "r", "plate", "related"))
    assert (after.rubric[0].subject, after.rubric[0].related) == ("cup", "plate")


def test_a_strict_list_of_the_same_text_gets_numbered_ids():
    asked = question(StrictList("s", V, "parts", ()))
    asked = done(edit.add_element(done(edit.add_element(asked, "s", "rim")), "s", "rim"))
    assert [e.id for e in asked.rubric[0].items] == [content_id("rim"), f"{content_id('rim')}-2"]
