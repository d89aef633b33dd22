"""The checklist panel in use: overrides by keys, reasons below, one calm sentence when the rubric does not compile."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QTreeView

from gamut_desktop.editor import RubricEditor
from gamut_desktop.qmodels.checklist_rows import Section
from gamut_desktop.qmodels.linked import checks_of, node_of
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.views.checklist_panel import ChecklistPanel
from models.rubric.metarubric import FlexibleList, SimpleKnowledge, StrictList, TextOnly, Tier
from models.verdicts import Variant, Verdict
from tests.unit.rubrics import element_list, question

AC, V, C = Tier
Key, Mod = Qt.Key, Qt.KeyboardModifier
LIST = FlexibleList("l", AC, "parts of a cup", element_list("bowl", "handle"), (1,))
ASKED = question(
    SimpleKnowledge("k", AC, "Coffee is brewed", identifies_subject=True),
    LIST,
    StrictList("s", C, "sizes", element_list("small", "large")),
    text_only=TextOnly("Without?"),
)


@pytest.fixture
def editor(qapp) -> RubricEditor:
    return RubricEditor()


@pytest.fixture
def panel(editor, qtbot) -> ChecklistPanel:
    panel = ChecklistPanel(editor)
    qtbot.addWidget(panel)
    panel.resize(380, 500)
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
    (field,) = [one for one in panel.tree.viewport().findChildren(QLineEdit) if one.isVisible()]
    return field


def test_a_check_is_reworded_where_it_stands_and_stays_chosen(editor, panel, press, qtbot):
    panel.select(editor.checklist.checks[0])
    press(Key.Key_Return)
    inline(panel).selectAll()
    qtbot.keyClicks(inline(panel), "Says it is brewed")
    enter(panel, qtbot)
    assert panel.selected().text == "Says it is brewed"
    assert editor.undo_stack.count() == 1
    assert "Reworded by hand; the rules give: States: Coffee is brewed" in panel.why.text()


def test_a_check_is_retiered_by_keys_and_stays_chosen(editor, panel, press):
    panel.select(editor.checklist.checks[0])
    press(Key.Key_Down, Mod.ControlModifier | Mod.ShiftModifier)
    assert (panel.selected().text, panel.selected().tier) == ("States: Coffee is brewed", V)
    press(Key.Key_Backspace, Mod.ControlModifier)
    assert editor.question == ASKED


def test_a_check_is_dropped_and_brought_back(editor, panel, press):
    check = editor.checklist.checks[0]
    panel.select(check)
    press(Key.Key_Delete)
    assert [one.text for one in editor.checklist.dropped] == [check.text]
    panel.select(editor.checklist.dropped[0])
    assert not panel.row_actions.drop.isEnabled()
    assert not panel.row_actions.reword.isEnabled()
    press(Key.Key_B, Mod.ControlModifier)
    assert editor.question == ASKED


def test_a_new_check_is_typed_where_it_stands(editor, panel, press, qtbot):
    panel.select(editor.checklist.checks[-1])
    press(Key.Key_Insert)
    qtbot.keyClicks(inline(panel), "Says where")
    enter(panel, qtbot)
    assert (panel.selected().text, panel.selected().tier) == ("Says where", C)
    assert editor.undo_stack.undoText() == "add check 'Says where'"
    assert panel.row_actions.drop.text() == "&Delete"
    press(Key.Key_Delete)
    assert editor.question == ASKED


def test_a_new_check_that_is_left_by_esc_is_gone(editor, panel, press, qtbot):
    press(Key.Key_Insert)
    qtbot.keyClick(inline(panel), Key.Key_Escape)
    qtbot.waitUntil(lambda: editor.question == ASKED)
    assert not editor.can_redo()


def test_an_edit_that_lost_its_check_can_be_removed(editor, panel, press):
    editor.drop_check(editor.checklist.checks[0])
    editor.remove_item("k")
    panel.tree.setCurrentIndex(panel.model.index(0, 0, panel.model.header_index(Section.LOST)))
    assert "is gone" in panel.why.text()
    press(Key.Key_Delete)
    assert editor.question.overrides == ()


def test_why_a_check_exists_stands_below_the_list(editor, panel):
    assert panel.why.text() == "Choose a check to see why it is there."
    panel.select(editor.checklist.checks[0])
    assert panel.why.text() == "A single fact is one check. It keeps the item's tier, Answer-Critical."


def test_a_rubric_that_does_not_compile_is_one_sentence_above_the_last_good_list(editor, panel):
    assert not panel.refusal.isVisible()
    editor.add_item("strict_list")
    assert panel.refusal.isVisible()
    assert panel.refusal.text() == (
        "A strict list has no name yet. Write it, or delete it. The checklist is the last one that compiled."
    )
    assert panel.model.rowCount() == 3
    editor.undo()
    assert not panel.refusal.isVisible()


def test_an_empty_checklist_says_where_checks_come_from(editor, panel):
    editor.load(question())
    assert panel.empty.isVisible()
    assert not panel.why.isVisible()
    editor.add_item("simple_knowledge")
    assert panel.refusal.text() == "A fact has no text yet. Write it, or delete it."
    editor.set_text(editor.question.rubric[0].id, "Tea is hot")
    assert panel.tree.isVisible()
    assert panel.tree.isExpanded(panel.model.index(0, 0))


def test_the_text_only_variant_says_what_it_leaves_out(editor, panel):
    assert not panel.left_out.isVisible()
    editor.set_variant(Variant.TEXT)
    assert panel.left_out.text() == "Left out, because the text-only question gives it away: Coffee is brewed"
    editor.set_variant(Variant.IMAGE)
    assert not panel.left_out.isVisible()


def test_numbers_give_a_verdict_while_a_response_is_chosen(editor, panel, press):
    given = []
    panel.verdict_given.connect(lambda *one: given.append(one))
    check = editor.checklist.checks[0]
    panel.select(check)
    press(Key.Key_1)
    assert given == []
    panel.set_card({})
    press(Key.Key_2)
    press(Key.Key_0)
    assert given == [(check, Verdict.PARTIALLY_MEETS), (check, None)]


def test_selection_is_told_once_and_can_be_set(editor, panel):
    heard = []
    panel.check_selected.connect(heard.append)
    panel.select(editor.checklist.checks[1])
    panel.select(editor.checklist.checks[1])
    panel.tree.setCurrentIndex(panel.model.header_index(Section.CONTEXT))
    assert heard == [editor.checklist.checks[1], None]


def test_a_question_that_is_read_anew_keeps_its_chosen_check(editor, panel):
    panel.select(editor.checklist.checks[1])
    editor.load(replace(ASKED, entity="cup"))
    assert panel.selected() == editor.checklist.checks[1]
    editor.load(replace(ASKED, id="q-2"))
    assert panel.selected() is None


def test_the_checks_of_a_row_light_up(editor, panel):
    bowl = LIST.options[0].id
    mine = list(checks_of(editor.checklist, "l", bowl))
    assert [check.text for check in mine] == [
        "Mentions at least 1 of the following parts of a cup: bowl; handle",
        "Mentions bowl as one of parts of a cup",
    ]
    panel.light(mine)
    assert all(panel.model.index_of(check).data(Roles.LIT) for check in mine)
    assert [node_of(check) for check in mine] == [("l", None), ("l", bowl)]
    assert len(list(checks_of(editor.checklist, "s"))) == 2


def test_an_added_check_belongs_to_no_row(editor, panel):
    editor.add_check("Says where")
    assert node_of(editor.checklist.checks[-1]) is None
    assert list(checks_of(editor.checklist, editor.checklist.checks[-1].origin.item)) == []


def test_every_action_has_a_name_a_text_and_only_keys_of_its_own(panel):
    actions = panel.commands()
    assert all(action.objectName().startswith("checklist.") and action.text() for action in actions)
    keys = [key.toString() for action in actions for key in action.shortcuts()]
    assert len(set(keys)) == len(keys)


def test_the_context_menu_offers_what_fits_the_row(editor, panel):
    panel.select(editor.checklist.checks[0])
    texts = [one.text().replace("&", "") for one in panel.row_actions.context_menu().actions() if one.text()]
    assert texts == ["Reword", "Raise tier", "Lower tier", "Drop", "Remove edit", "Add a check"]
    panel.set_card({})
    assert len(panel.row_actions.context_menu().actions()) > len(texts) + 5
