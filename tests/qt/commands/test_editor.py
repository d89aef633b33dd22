"""The editor: one command an edit, typing merges, undo to the bottom is the question as it was loaded."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamut_desktop.editor import RubricEditor
from models.rubric.compile import compile_question
from models.rubric.metarubric import FlexibleList, Override, Question, SimpleKnowledge, TextOnly, Tier
from models.verdicts import Variant
from tests.unit.edits import draw_edit
from tests.unit.rubrics import element_list, question, questions

AC, V, C = Tier
ASKED = question(
    SimpleKnowledge("k", AC, "Coffee is brewed", identifies_subject=True),
    FlexibleList("l", V, "parts of a cup", element_list("bowl", "handle"), (1,)),
    text_only=TextOnly("Without?"),
)
BOWL = ASKED.rubric[1].options[0].id


@pytest.fixture
def editor(qtbot) -> RubricEditor:
    editor = RubricEditor(author="ann")
    editor.load(ASKED)
    return editor


@pytest.fixture
def told(editor) -> list[str]:
    sentences: list[str] = []
    editor.refused.connect(sentences.append)
    return sentences


@given(questions(), st.data())
@settings(max_examples=30)
def test_undo_to_the_bottom_is_the_question_as_loaded_and_redo_the_one_as_left(qapp, asked: Question, data):
    editor = RubricEditor()
    editor.load(asked)
    for _ in range(10):
        editor.make(lambda q: draw_edit(data, q), typing=data.draw(st.booleans()))
    left = editor.question
    while editor.can_undo():
        editor.undo()
    assert editor.question == asked
    assert editor.is_clean
    while editor.can_redo():
        editor.redo()
    assert editor.question == left


@given(questions(), st.data())
@settings(max_examples=30)
def test_the_checklist_is_always_that_of_the_question_or_the_last_good_one(qapp, asked: Question, data):
    editor = RubricEditor()
    editor.load(asked)
    good = editor.checklist
    for _ in range(8):
        editor.make(lambda q: draw_edit(data, q))
        if editor.refusal is None:
            good = compile_question(editor.question)
        assert editor.checklist == good


def test_typing_in_one_field_is_one_undo_step(editor):
    for text in ("T", "Te", "Tea"):
        editor.set_text("k", text)
    assert editor.undo_stack.count() == 1
    editor.undo()
    assert editor.question == ASKED


def test_typing_elsewhere_or_after_a_pause_is_another_step(editor):
    editor.set_text("k", "Tea")
    editor.set_text("l", "cups")
    editor.set_text("l", "cups", element=BOWL)
    editor.end_typing()
    editor.set_text("l", "cups!", element=BOWL)
    assert editor.undo_stack.count() == 4


def test_typing_the_old_text_back_leaves_no_step(editor):
    editor.set_text("k", "Coffee")
    editor.set_text("k", "Coffee is brewed")
    assert editor.undo_stack.count() == 0
    assert editor.is_clean


def test_retiers_and_moves_do_not_merge(editor):
    editor.set_tier("k", V)
    editor.set_tier("k", C)
    editor.move_item("k", 1)
    editor.move_item("k", 0)
    assert editor.undo_stack.count() == 4


def test_typing_after_a_save_is_a_step_of_its_own(editor):
    editor.set_text("k", "Tea")
    editor.mark_saved()
    editor.set_text("k", "Teas")
    editor.undo()
    assert editor.is_clean
    assert editor.question.rubric[0].fact == "Tea"


def test_adding_and_its_first_text_are_one_step(editor):
    one = editor.add_element("l")
    editor.set_text("l", "rim", element=one)
    assert editor.undo_stack.count() == 1
    assert editor.undo_stack.undoText() == "add option 'rim'"
    editor.undo()
    assert editor.question == ASKED
    editor.redo()
    assert editor.question.rubric[1].options[-1].text == "rim"


@pytest.mark.parametrize("add", ["item", "element", "insight", "check"])
def test_what_was_added_and_left_blank_goes_without_a_trace(editor, add):
    match add:
        case "item":
            editor.add_item("process")
        case "element":
            editor.add_element("l")
        case "insight":
            editor.add_insight("l")
        case "check":
            editor.add_check("New check")
    assert editor.take_back_new()
    assert editor.question == ASKED
    assert not editor.can_redo()
    assert editor.is_clean


def test_what_has_a_text_is_not_taken_back(editor):
    editor.add_element("l", "rim")
    assert not editor.take_back_new()
    editor.undo()
    assert not editor.take_back_new()


def test_clean_follows_save_undo_and_draft(editor, qtbot):
    heard: list[bool] = []
    editor.clean_changed.connect(heard.append)
    editor.set_tier("k", V)
    editor.mark_saved()
    editor.undo()
    editor.redo()
    assert heard == [False, True, False, True]
    editor.load(ASKED, saved=False)
    assert not editor.is_clean
    assert not editor.can_undo()


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda e: e.set_tier("k", V), "retier of 'Coffee is brewed'"),
        (lambda e: e.move_item("k", 1), "move of 'Coffee is brewed'"),
        (lambda e: e.remove_item("l"), "delete flexible list 'parts of a cup'"),
        (lambda e: e.add_item("simple_knowledge"), "add fact"),
        (lambda e: e.set_text("k", "Tea"), "edit of 'Coffee is brewed'"),
        (lambda e: e.set_text("l", "x" * 80, element=BOWL), "edit of 'bowl'"),
        (lambda e: e.remove_element("l", BOWL), "delete option 'bowl'"),
        (lambda e: e.move_element("l", BOWL, 1), "move of 'bowl'"),
        (lambda e: e.set_at_least("l", (1, 2)), "baseline of 'parts of a cup'"),
        (lambda e: e.set_cites("l", ("s1",), element=BOWL), "sources of 'bowl'"),
        (lambda e: e.set_identifies_subject("k", False), "subject mark of 'Coffee is brewed'"),
        (lambda e: e.add_insight("l", "Cups are held"), "add meta-insight 'Cups are held'"),
        (lambda e: e.set_question_text("Which?"), "edit of the question"),
        (lambda e: e.set_text_only(None), "remove text-only variant"),
        (lambda e: e.set_status("dropped"), "drop question"),
        (lambda e: e.set_field("entity", "cup"), "edit of what the picture shows"),
        (lambda e: e.reword_check(e.checklist.checks[0], "Brewed"), "reword of check 'States: Coffee is brewed'"),
        (lambda e: e.retier_check(e.checklist.checks[0], C), "retier of check 'States: Coffee is brewed'"),
        (lambda e: e.drop_check(e.checklist.checks[0]), "drop check 'States: Coffee is brewed'"),
        (lambda e: e.add_check("Says where"), "add check 'Says where'"),
    ],
)
def test_undo_says_what_it_takes_back(editor, edit, words):
    assert edit(editor)
    assert editor.undo_stack.undoText() == words


def test_a_rubric_that_does_not_compile_keeps_the_last_good_checklist_and_says_why(editor, qtbot):
    good = editor.checklist
    with qtbot.waitSignal(editor.checklist_changed):
        editor.add_item("simple_knowledge")
    assert editor.checklist == good
    assert editor.refusal == "A fact has no text yet. Write it, or delete it."
    editor.add_item("process")
    assert editor.refusal == "A fact has no text yet. Write it, or delete it. One more item needs mending."
    editor.undo()
    editor.undo()
    assert editor.refusal is None


def test_a_checklist_that_waits_for_its_rubric_is_not_edited(editor, told):
    editor.set_text("l", "", element=BOWL)
    assert not editor.drop_check(editor.checklist.checks[0])
    assert told == ["An element of 'parts of a cup' is empty. Write its text, or remove it."]


def test_overrides_that_cannot_be_applied_are_told_and_can_be_removed(editor):
    twice = replace(ASKED, overrides=(Override("add", id="a", text="x", tier=V), Override("add", id="a", tier=V)))
    editor.load(twice)
    assert editor.refusal == ("An added check needs id, tier and text. Write all three, or remove the override.")
    assert editor.checklist.checks == compile_question(ASKED).checks
    editor.remove_override(twice.overrides[1])
    assert editor.refusal is None
    assert editor.checklist.checks[-1].text == "x"


def test_a_refused_edit_changes_nothing_and_says_why(editor, told):
    assert editor.add_element("k") is None
    assert editor.set_text_only(TextOnly("")) is False
    assert [one.split(".")[0] for one in told] == [
        "A single fact has no elements",
        "A text-only variant needs its question",
    ]
    assert editor.question == ASKED
    assert not editor.can_undo()


def test_check_edits_remember_who_made_them(editor):
    check = editor.checklist.checks[0]
    editor.reword_check(check, "Says it is brewed")
    editor.retier_check(editor.checklist.checks[0], C)
    assert [(o.action, o.text, o.tier, o.by) for o in editor.question.overrides] == [
        ("reword", "Says it is brewed", C, "ann")
    ]
    editor.drop_check(editor.checklist.checks[0])
    editor.bring_back_check(editor.checklist.dropped[0])
    assert editor.checklist.checks[0].text == "Says it is brewed"
    editor.reset_check(editor.checklist.checks[0])
    assert editor.question == ASKED


def test_an_added_check_is_edited_and_deleted_like_any_other(editor):
    editor.add_check("Says where")
    editor.reword_check(editor.checklist.checks[-1], "Says when")
    editor.retier_check(editor.checklist.checks[-1], C)
    assert (editor.checklist.checks[-1].text, editor.checklist.checks[-1].tier) == ("Says when", C)
    assert editor.raw_check(editor.checklist.checks[-1]) is None
    editor.drop_check(editor.checklist.checks[-1])
    assert editor.question.overrides == ()


def test_the_text_only_variant_is_compiled_on_wish(editor):
    editor.set_variant(Variant.TEXT)
    assert editor.checklist.identifying == ("k",)
    assert editor.checklist.checks[0].origin.item == "l"
    editor.set_text_only(None)
    assert editor.refusal is not None


def test_a_question_that_changes_nothing_in_the_checklist_does_not_announce_one(editor):
    heard: list[int] = []
    editor.checklist_changed.connect(lambda: heard.append(1))
    editor.set_field("entity", "cup")
    editor.set_cites("k", ("s1",))
    assert heard == []


def test_without_a_question_nothing_can_be_edited(editor):
    editor.load(None)
    assert editor.add_item("process") is None
    assert editor.checklist.checks == ()
    assert editor.refusal is None
