"""The rubric tree follows the editor row by row, and always equals a tree that is built anew."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from gamut_desktop.editor import RubricEditor
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.qmodels.rubric_tree import RubricTreeModel
from models.rubric.checklist import Role
from models.rubric.metarubric import (
    FlexibleList,
    MetaInsight,
    Process,
    Question,
    Relationship,
    SimpleKnowledge,
    Tier,
)
from tests.qt.qmodels.scripts import Followed, Signals, step, tree, watched
from tests.unit.rubrics import element_list, question, questions, steps

AC, V, C = Tier
Move = Qt.DropAction.MoveAction
LIST = FlexibleList("l", V, "parts of a cup", element_list("bowl", "handle", "rim"), (1,))
STEPS = Process("p", AC, "brewing", steps(grind=True, pour=False), (MetaInsight("It is quick", "m", (), V),))
ASKED = question(SimpleKnowledge("k", AC, "Coffee is brewed"), LIST, STEPS)


@pytest.fixture
def editor(qtbot) -> RubricEditor:
    editor = RubricEditor()
    editor.load(ASKED)
    return editor


@pytest.fixture
def model(editor):
    model = RubricTreeModel(editor)
    watched(model)
    return model


@pytest.fixture
def heard(model) -> Signals:
    return Signals(model)


@given(questions(), st.data())
@settings(max_examples=25)
def test_the_tree_equals_one_built_anew_after_any_edits_undos_and_redos(qapp, asked: Question, data: st.DataObject):
    editor = RubricEditor()
    editor.load(asked)
    model = RubricTreeModel(editor)
    watched(model)
    heard = Signals(model)
    for _ in range(10):
        followed = Followed(model, model.node_at)
        step(data, editor)
        assert followed.stand()
        assert tree(model) == tree(RubricTreeModel(editor))
    while editor.can_undo():
        editor.undo()
    assert editor.question == asked
    assert tree(model) == tree(RubricTreeModel(editor))
    assert heard.reset == 0


def test_elements_lie_below_their_item_meta_insights_last(model):
    parent = model.index_of("p")
    assert [model.index(n, 0, parent).data() for n in range(model.rowCount(parent))] == ["grind", "pour", "It is quick"]
    assert model.index_of("p", "m").data(Roles.TYPE_NAME) == "Meta-insight"
    assert model.index_of("p", "s-pour").data(Roles.CHECK_ROLE) == Role.SECONDARY
    assert (model.index_of("p").data(Roles.TIER), model.index_of("p", "m").data(Roles.TIER)) == (AC, V)


def test_a_row_speaks_its_tier_type_text_and_numbers(model):
    speak = Qt.ItemDataRole.AccessibleTextRole
    assert model.index_of("l").data(speak) == "Valuable, Flexible list: parts of a cup. at least 1 of 3"
    assert model.index_of("p", "s-pour").data(speak) == "Optional step: pour"
    assert model.index_of("p", "m").data(speak) == "Valuable, Meta-insight: It is quick"


def test_a_rename_changes_one_row(editor, model, heard):
    editor.set_text("l", "cup", element=LIST.options[0].id)
    assert heard.changed == ["cup", "parts of a cup"]
    assert not heard.inserted
    assert not heard.removed


def test_an_added_element_is_one_row_and_its_items_numbers(editor, model, heard):
    editor.add_element("l", "foot", 1)
    assert heard.inserted == [(1, 1)]
    assert heard.changed == ["parts of a cup"]
    assert model.index_of("l").data(Roles.NOTE) == "at least 1 of 4"


def test_a_moved_item_takes_its_open_rows_along(editor, model, heard):
    inside = QPersistentModelIndex(model.index_of("p", "m"))
    editor.move_item("p", 0)
    assert heard.moved == 1
    assert not heard.inserted
    assert (inside.data(), inside.parent().row()) == ("It is quick", 0)


@pytest.mark.parametrize(("old", "new"), [(0, 1), (0, 2), (1, 0), (2, 0), (1, 2)])
def test_rows_that_move_are_followed_by_their_views(editor, model, old, new):
    insights = element_list("hot", "quick", "cheap")
    asked = replace(LIST, meta_insights=tuple(MetaInsight(e.text, e.id, (), V) for e in insights))
    editor.load(question(asked, *ASKED.rubric[::2]))
    for move in (
        lambda: editor.move_item(editor.question.rubric[old].id, new),
        lambda: editor.move_element("l", LIST.options[old].id, new),
        lambda: editor.move_element("l", insights[old].id, new),
    ):
        followed = Followed(model, model.node_at)
        assert move()
        assert followed.stand()
        assert tree(model) == tree(RubricTreeModel(editor))
        editor.undo()
        assert followed.stand()


def test_a_row_keeps_its_place_in_a_view_while_its_id_is_given(editor, model):
    element = editor.add_element("l")
    row = QPersistentModelIndex(model.index_of("l", element))
    model.setData(QModelIndex(row), "saucer")
    assert row.data() == "saucer"
    assert row.data(Roles.ID) != element


def test_inline_editing_is_one_undo_step(editor, model):
    assert model.setData(model.index_of("k"), "Tea is brewed")
    assert model.setData(model.index_of("k"), "Tea is steeped")
    editor.undo()
    assert model.index_of("k").data() == "Tea is brewed"


def test_a_relationship_is_not_edited_inline_for_it_has_two_texts(editor, model):
    editor.load(question(Relationship("r", V, "cup", "saucer", element_list("it catches drops"))))
    assert not model.flags(model.index_of("r")) & Qt.ItemFlag.ItemIsEditable
    assert not model.setData(model.index_of("r"), "x")


def test_what_cannot_compile_is_marked_at_its_row(editor, model, heard):
    editor.set_text("l", "", element=LIST.options[0].id)
    told = model.index_of("l", LIST.options[0].id).data(Roles.PROBLEM)
    assert told == "An element of 'parts of a cup' is empty. Write its text, or remove it."
    assert model.index_of("l", LIST.options[0].id).data() == "(no text yet)"
    editor.undo()
    assert model.index_of("l", LIST.options[0].id).data(Roles.PROBLEM) is None


def test_lit_rows_change_and_no_others(model, heard):
    model.set_lit({("k", None), ("p", "m")})
    assert sorted(heard.changed) == ["Coffee is brewed", "It is quick"]
    heard.changed.clear()
    model.set_lit({("p", "m")})
    assert heard.changed == ["Coffee is brewed"]
    assert model.index_of("p", "m").data(Roles.LIT) is True


def test_another_question_is_another_tree(editor, model, heard):
    editor.load(None)
    assert model.rowCount() == 0
    assert heard.reset == 1


def drag(model, *node):
    return model.mimeData([model.index_of(*node)])


def test_an_item_is_dropped_between_items_or_below_an_open_one(editor, model):
    none = QModelIndex()
    assert model.dropMimeData(drag(model, "k"), Move, 3, 0, none)
    assert [item.id for item in editor.question.rubric] == ["l", "p", "k"]
    assert model.dropMimeData(drag(model, "k"), Move, 1, 0, model.index_of("l"))
    assert [item.id for item in editor.question.rubric] == ["l", "k", "p"]
    assert not model.canDropMimeData(drag(model, "k"), Move, -1, 0, model.index_of("l"))
    assert not model.canDropMimeData(drag(model, "k"), Move, 1, 0, none)


def test_an_element_is_dropped_among_its_own_kind(editor, model):
    first = LIST.options[0].id
    assert model.dropMimeData(drag(model, "l", first), Move, 3, 0, model.index_of("l"))
    assert editor.question.rubric[1].options[-1].id == first
    assert not model.canDropMimeData(drag(model, "l", first), Move, 0, 0, model.index_of("p"))
    assert not model.canDropMimeData(drag(model, "p", "m"), Move, 0, 0, model.index_of("p"))
    assert not model.canDropMimeData(drag(model, "p", "s-grind"), Move, 3, 0, model.index_of("p"))
    assert model.canDropMimeData(drag(model, "p", "s-grind"), Move, 2, 0, model.index_of("p"))


def test_rows_of_another_question_are_not_taken(editor, model):
    carried = drag(model, "k")
    editor.load(replace(ASKED, id="q-2"))
    assert not model.canDropMimeData(carried, Move, 3, 0, QModelIndex())
    assert not model.dropMimeData(carried, Move, 3, 0, QModelIndex())
