"""The rubric panel in use: by keys and by its fields, one undo step an action, the chosen row shown everywhere."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTreeView

from gamut_desktop.editor import RubricEditor
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.views.rubric_panel import RubricPanel
from models.rubric.codec import load_question
from models.rubric.metarubric import (
    FlexibleList,
    MetaInsight,
    Process,
    Relationship,
    SimpleKnowledge,
    Snippet,
    Tier,
    elements,
)
from tests.unit.rubrics import element_list, question, steps

AC, V, C = Tier
Key, Mod = Qt.Key, Qt.KeyboardModifier
LIST = FlexibleList("l", V, "parts of a cup", element_list("bowl", "handle"), (1,))
ASKED = question(
    SimpleKnowledge("k", AC, "Coffee is brewed"),
    LIST,
    Process("p", AC, "brewing", steps(grind=True, pour=False), (MetaInsight("It is quick", "m", (), V),)),
    Relationship("r", C, "cup", "saucer", element_list("it catches drops")),
    snippets=(Snippet("s1", title="Cups & saucers"), Snippet("s2")),
)
BOWL, HANDLE = (option.id for option in LIST.options)


@pytest.fixture
def editor(qapp) -> RubricEditor:
    return RubricEditor()


@pytest.fixture
def panel(editor, qtbot) -> RubricPanel:
    panel = RubricPanel(editor)
    qtbot.addWidget(panel)
    panel.resize(380, 640)
    editor.load(ASKED)
    panel.show()
    qtbot.waitExposed(panel)
    panel.tree.setFocus()
    return panel


@pytest.fixture
def press(panel, qtbot):
    def press(key, modifiers=Mod.NoModifier) -> None:
        qtbot.keyClick(panel.tree, key, modifiers)

    return press


def enter(panel, qtbot) -> None:
    """Press Enter in the inline editor; Qt takes the text once the key has been handled."""
    qtbot.keyClick(inline(panel), Key.Key_Return)
    qtbot.waitUntil(lambda: panel.tree.state() != QTreeView.State.EditingState)


def inline(panel) -> QLineEdit:
    """The inline editor that is open."""
    (field,) = [one for one in panel.tree.viewport().findChildren(QLineEdit) if one.isVisible()]
    return field


def item(editor, one):
    return next(found for found in editor.question.rubric if found.id == one)


# Keys ----------------------------------------------------------------------------------------------------------------


def test_enter_edits_and_enter_takes_the_new_text(editor, panel, press, qtbot):
    panel.select("k")
    press(Key.Key_Return)
    inline(panel).selectAll()
    qtbot.keyClicks(inline(panel), "Tea is brewed")
    enter(panel, qtbot)
    assert item(editor, "k").fact == "Tea is brewed"
    assert editor.undo_stack.count() == 1


def test_esc_leaves_the_text_as_it_was(editor, panel, press, qtbot):
    panel.select("l", BOWL)
    press(Key.Key_F2)
    qtbot.keyClicks(inline(panel), "x")
    qtbot.keyClick(inline(panel), Key.Key_Escape)
    assert editor.question == ASKED
    assert not editor.can_undo()


def test_a_new_option_is_typed_where_it_stands(editor, panel, press, qtbot):
    panel.select("l", BOWL)
    press(Key.Key_Insert)
    qtbot.keyClicks(inline(panel), "rim")
    enter(panel, qtbot)
    assert [option.text for option in item(editor, "l").options] == ["bowl", "rim", "handle"]
    assert editor.undo_stack.undoText() == "add option 'rim'"
    assert panel.selected() == ("l", item(editor, "l").options[1].id)


def test_a_new_option_that_is_left_blank_is_gone(editor, panel, press, qtbot):
    for key in (Key.Key_Escape, Key.Key_Return):
        panel.select("l")
        press(Key.Key_Insert)
        qtbot.keyClick(inline(panel), key)
        qtbot.waitUntil(lambda: editor.question == ASKED)
        assert not editor.can_redo()


@pytest.mark.parametrize("kind", ["simple_knowledge", "strict_list", "flexible_list", "process"])
def test_a_new_item_comes_below_the_chosen_one_in_its_tier(editor, panel, qtbot, kind):
    panel.select("l", HANDLE)
    panel.add_item(kind)
    qtbot.keyClicks(inline(panel), "something new")
    enter(panel, qtbot)
    made = editor.question.rubric[2]
    assert (made.type, made.tier) == (kind, V)
    assert panel.selected() == (made.id, None)
    assert editor.undo_stack.count() == 1


def test_a_new_relationship_is_typed_in_its_two_fields(editor, panel, qtbot):
    panel.select("r")
    panel.add_item("relationship")
    assert panel.details.subject.hasFocus()
    qtbot.keyClicks(panel.details.subject, "cup")
    qtbot.keyClick(panel.details.subject, Key.Key_Tab)
    assert panel.details.related.hasFocus()
    qtbot.keyClicks(panel.details.related, "spoon")
    made = editor.question.rubric[-1]
    assert (made.subject, made.related) == ("cup", "spoon")


def test_tiers_go_up_and_down_by_keys(editor, panel, press):
    panel.select("l")
    press(Key.Key_Up, Mod.ControlModifier | Mod.ShiftModifier)
    assert item(editor, "l").tier is AC
    assert not panel.row_actions.tier_up.isEnabled()
    panel.select("p", "m")
    press(Key.Key_Down, Mod.ControlModifier | Mod.ShiftModifier)
    assert item(editor, "p").meta_insights[0].tier is C
    panel.select("l", BOWL)
    assert not panel.row_actions.tier_down.isEnabled()


def test_rows_move_among_their_own_kind_and_stay_chosen(editor, panel, press):
    panel.select("l", BOWL)
    press(Key.Key_Down, Mod.AltModifier)
    assert [option.id for option in item(editor, "l").options] == [HANDLE, BOWL]
    assert panel.selected() == ("l", BOWL)
    press(Key.Key_Down, Mod.AltModifier)
    assert editor.undo_stack.count() == 1
    panel.select("k")
    press(Key.Key_Down, Mod.AltModifier)
    assert [one.id for one in editor.question.rubric] == ["l", "k", "p", "r"]
    assert panel.selected() == ("k", None)


def test_delete_and_undo_by_keys(editor, panel, press):
    panel.select("l", BOWL)
    press(Key.Key_Delete)
    panel.select("l")
    press(Key.Key_Delete)
    assert [one.id for one in editor.question.rubric] == ["k", "p", "r"]
    press(Key.Key_Z, Mod.ControlModifier)
    press(Key.Key_Z, Mod.ControlModifier)
    assert editor.question == ASKED
    press(Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)
    assert len(item(editor, "l").options) == 1
    assert panel.undo_action.text() == "Undo delete option 'bowl'"


def test_a_step_is_made_optional_by_key(editor, panel, press):
    panel.select("p", "s-grind")
    assert panel.row_actions.required.isChecked()
    press(Key.Key_R, Mod.ControlModifier)
    assert not item(editor, "p").steps[0].required
    assert not panel.row_actions.required.isChecked()


def test_actions_fit_the_row(panel):
    def enabled() -> set[str]:
        return {action.objectName().removeprefix("rubric.") for action in panel.row_actions.all() if action.isEnabled()}

    adding = {"add", *(f"add_{one}" for one in ("simple_knowledge", "strict_list", "flexible_list", "process"))}
    adding |= {"add_relationship"}
    panel.select("k")
    assert enabled() == adding | {"edit", "tier_down", "move_down", "delete"}
    panel.select("r")
    assert enabled() == adding | {"add_element", "edit", "tier_up", "move_up", "delete"}
    panel.select("p", "m")
    assert enabled() == adding | {"add_element", "add_insight", "edit", "tier_up", "tier_down", "delete"}
    panel.select(None)
    assert enabled() == adding


def test_every_action_has_a_name_a_text_and_only_keys_of_its_own(panel):
    actions = panel.commands()
    assert all(action.objectName().startswith("rubric.") and action.text() for action in actions)
    keys = [key.toString() for action in actions for key in action.shortcuts()]
    assert len(set(keys)) == len(keys)


def test_the_context_menu_offers_what_fits_the_row(panel, qtbot):
    panel.select("p", "s-grind")
    menu = panel.row_actions.context_menu()
    texts = [action.text().replace("&", "") for action in menu.actions() if action.text()]
    assert texts == ["Add", "Edit text", "Raise tier", "Lower tier", "Required step", "Move up", "Move down", "Delete"]
    menu.deleteLater()


# Fields --------------------------------------------------------------------------------------------------------------


def test_typing_in_the_text_field_is_one_step_and_changes_the_tree_at_once(editor, panel, qtbot):
    panel.select("k")
    panel.details.text.setFocus()
    panel.details.text.selectAll()
    qtbot.keyClicks(panel.details.text, "Tea is brewed")
    assert panel.model.index_of("k").data() == "Tea is brewed"
    assert editor.undo_stack.count() == 1
    qtbot.keyClick(panel.details.text, Key.Key_Z, Mod.ControlModifier)
    assert panel.details.text.toPlainText() == "Coffee is brewed"


def test_enter_and_esc_go_back_to_the_tree(panel, qtbot):
    for key in (Key.Key_Return, Key.Key_Escape):
        panel.select("k")
        panel.details.text.setFocus()
        qtbot.keyClick(panel.details.text, key)
        assert panel.tree.hasFocus()


def test_a_new_element_can_be_typed_in_the_fields_while_its_id_is_given(editor, panel, qtbot):
    made = editor.add_element("l")
    panel.select("l", made)
    panel.details.text.setFocus()
    qtbot.keyClicks(panel.details.text, "rim")
    assert item(editor, "l").options[-1].text == "rim"
    editor.undo()
    assert editor.question == ASKED


def test_fields_are_those_of_the_row(panel):
    def shown() -> set[str]:
        fields = ("text", "subject", "related", "tier", "required", "identifies", "at_least", "coverage", "sources")
        return {name for name in fields if getattr(panel.details, name).isVisibleTo(panel)}

    expected = {
        ("k", None): {"text", "tier", "identifies", "sources"},
        ("l", None): {"text", "tier", "at_least", "sources"},
        ("l", BOWL): {"text", "sources"},
        ("p", None): {"text", "tier", "sources"},
        ("p", "s-grind"): {"text", "required", "sources"},
        ("p", "m"): {"text", "tier", "sources"},
        ("r", None): {"subject", "related", "tier", "sources"},
    }
    for node, fields in expected.items():
        panel.select(*node)
        assert shown() == fields, node
    panel.select(None)
    assert not panel.details.isVisibleTo(panel)


def test_the_fields_write_what_they_show(editor, panel, qtbot):
    panel.select("k")
    panel.details.identifies.click()
    panel.details.tier.activated.emit(2)
    assert (item(editor, "k").identifies_subject, item(editor, "k").tier) == (True, C)
    panel.select("p", "s-grind")
    panel.details.required.click()
    assert not item(editor, "p").steps[0].required
    panel.select("l")
    panel.details.at_least_too.setValue(2)
    assert item(editor, "l").at_least == (1, 2)
    editor.undo()
    assert (panel.details.at_least.value(), panel.details.at_least_too.value()) == (1, 0)


def test_coverage_is_asked_for_where_it_counts_and_shows_the_rules_numbers(editor, panel, qtbot):
    panel.select("l")
    assert not panel.details.coverage.isVisibleTo(panel)
    editor.set_tier("l", C)
    assert panel.details.coverage.isVisibleTo(panel)
    assert panel.details.coverage.placeholderText() == "2"
    qtbot.keyClicks(panel.details.coverage, "2, 3")
    panel.details.coverage.editingFinished.emit()
    assert item(editor, "l").coverage == (2, 3)
    panel.details.coverage.clear()
    panel.details.coverage.editingFinished.emit()
    assert item(editor, "l").coverage is None


def test_sources_are_ticked_in_a_menu(editor, panel):
    panel.select("l", BOWL)
    first, second = panel.details.sources.menu().actions()
    assert (first.text(), second.text()) == ("s1   Cups && saucers", "s2")
    second.trigger()
    assert item(editor, "l").options[0].cites == ("s2",)
    panel.details.sources.menu().actions()[0].trigger()
    assert item(editor, "l").options[0].cites == ("s1", "s2")
    assert panel.details.sources.text() == "s1, s2"


def test_without_snippets_there_is_nothing_to_cite(editor, panel):
    editor.load(replace(ASKED, snippets=()))
    panel.select("k")
    assert not panel.details.sources.isEnabled()
    assert panel.details.sources.text() == "None"


def test_every_field_has_a_name_for_screen_readers(panel):
    panel.select("l")
    fields = [panel.details.text, panel.details.tier, panel.details.at_least, panel.details.at_least_too]
    assert [field.accessibleName() for field in fields] == ["Name", "Tier", "At least", "Second baseline"]
    for field in (panel.details.subject, panel.details.related, panel.details.coverage, panel.details.sources):
        assert field.accessibleName()
    buddies = [label.buddy() for label in panel.details.findChildren(QLabel) if label.text().replace("&", "") == "Tier"]
    assert buddies == [panel.details.tier]


# States --------------------------------------------------------------------------------------------------------------


def test_an_empty_rubric_invites(editor, panel):
    editor.load(question())
    assert panel.empty.isVisible()
    assert panel.empty.accessibleName() == "No rubric yet. Add what a complete answer contains."
    editor.add_item("process")
    assert panel.tree.isVisible()
    editor.undo()
    assert panel.empty.isVisible()
    editor.load(None)
    assert not panel.empty.isVisible()
    assert not panel.tree.isVisible()


def test_selection_is_told_once_and_can_be_set(panel, qtbot):
    heard = []
    panel.selection_changed.connect(lambda *node: heard.append(node))
    panel.select("p", "m")
    panel.select("p", "m")
    panel.select("k")
    panel.select(None)
    assert heard == [("p", "m"), ("k", None), (None, None)]


def test_a_question_that_is_read_anew_keeps_its_chosen_row(editor, panel):
    panel.select("p", "m")
    editor.load(replace(ASKED, entity="cup"))
    assert panel.selected() == ("p", "m")
    editor.load(replace(ASKED, id="q-2"))
    assert panel.selected() is None


def test_lit_rows_are_shown_while_the_chosen_row_stays(panel):
    panel.select("k")
    panel.light({("p", "m")})
    assert panel.model.index_of("p", "m").data(Roles.LIT)
    assert panel.selected() == ("k", None)


def test_a_drop_moves_the_row_and_leaves_the_view_nothing_to_remove(editor, panel):
    carried = panel.model.mimeData([panel.model.index_of("r")])
    panel.model.dropMimeData(carried, Qt.DropAction.MoveAction, 0, 0, QModelIndex())
    assert editor.question.rubric[0].id == "r"
    assert panel.model.rowCount() == 4


@pytest.mark.parametrize("name", ["01-coffee", "04-retina", "06-astronaut"])
def test_the_samples_are_shown_in_full(editor, panel, name):
    editor.load(load_question(Path(__file__).parents[3] / "resources" / "sample" / f"{name}.yaml"))
    QApplication.processEvents()
    top = panel.model.index(0, 0)
    assert panel.model.rowCount() == len(editor.question.rubric)
    for row, one in enumerate(editor.question.rubric):
        index = top.siblingAtRow(row)
        assert panel.model.rowCount(index) == len(elements(one))
        assert panel.tree.isExpanded(index) or not elements(one)
