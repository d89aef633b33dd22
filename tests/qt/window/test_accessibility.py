"""What a screen reader meets: every control that can be seen has a name and a role, in the window and each dialog."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QGraphicsView,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QTextEdit,
    QWidget,
)

from gamut_desktop.dialogs.write_response import WriteResponse
from tests.qt.window.driving import dialog_of, settle, until, window_on

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QGraphicsView,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QTextEdit,
)


def nameless(top: QWidget) -> list[str]:
    """The visible controls in it without a name or a role, by class and place."""
    found = []
    for control in top.findChildren(QWidget):
        if not isinstance(control, CONTROLS) or not control.isVisible() or control.width() == 0:
            continue
        if isinstance(control.parent(), QComboBox | QAbstractSpinBox | QLineEdit):
            continue  # a part of the control around it, which has the name
        interface = QAccessible.queryAccessibleInterface(control)
        name = interface.text(QAccessible.Text.Name) if interface else ""
        if not name.strip() or interface.role() == QAccessible.Role.NoRole:
            around = " < ".join(type(one).__name__ for one in ancestors(control))
            found.append(f"{type(control).__name__} {control.objectName()} in {around}")
    return found


def ancestors(widget: QWidget) -> list[QWidget]:
    above = widget.parentWidget()
    return [] if above is None else [above, *ancestors(above)][:4]


@pytest.fixture
def graded(strict, sample, qtbot):
    """The sample, graded by keyword, with a row chosen in tree and checklist and a message shown."""
    with window_on(qtbot, sample) as window:
        window.actions_.named("judge.keyword").trigger()
        window.actions_.named("grade.question").trigger()
        settle(qtbot, window)
        yield window


def test_every_control_of_the_full_window_has_a_name_and_a_role(graded, qtbot):
    window = graded
    window.messages.tell("Something.", details="More.", action="Do", do=lambda: None, diagnosis=True)
    window.messages.details_button.click()
    window.panes.question.status.setCurrentIndex(1)
    tree = window.panes.rubric.tree
    for row in range(tree.model().rowCount()):  # each type of item has fields of its own
        parent = tree.model().index(row, 0)
        for index in (parent, tree.model().index(0, 0, parent)):
            if index.isValid():
                tree.setCurrentIndex(index)
                assert nameless(window) == []
    window.panes.checklist.select(window.desk.editor.checklist.checks[0])
    until(qtbot, lambda: window.panes.reasons.panel.isVisible())
    assert nameless(window) == []


def test_an_empty_project_and_the_welcome_page_have_names_too(window, tmp_path, qtbot):
    window.new_project(tmp_path / "fresh.gamut")
    settle(qtbot, window)
    assert window.panes.questions.empty.isVisible()
    assert nameless(window) == []
    window.close_project()
    assert window.welcome.isVisible()
    assert nameless(window) == []


@pytest.mark.parametrize(
    "name",
    [
        *("help.palette", "help.keys", "file.trash", "edit.write", "help.about"),
        *("judge.choose", "judge.check", "judge.settings", "judge.file"),
    ],
)
def test_every_control_of_a_dialog_has_a_name_and_a_role_and_a_first_focus(window, qtbot, name):
    window.actions_.named(name).trigger()
    dialog = dialog_of(qtbot, QDialog)
    assert dialog.windowTitle() or name == "help.about"
    assert nameless(dialog) == []
    until(qtbot, lambda: dialog.focusWidget() is not None)
    dialog.reject()


def test_a_response_by_hand_needs_a_name(window, qtbot):
    window.actions_.named("edit.write").trigger()
    dialog = dialog_of(qtbot, WriteResponse)
    save = dialog.buttons.button(dialog.buttons.StandardButton.Save)
    assert save.isEnabled()
    dialog._model.setEditText("  ")
    assert not save.isEnabled()
    dialog.reject()


def test_every_row_of_the_lists_is_read_out(graded):
    panes = graded.panes
    for view in (panes.questions.list, panes.rubric.tree, panes.checklist.tree, panes.responses.list):
        interface = QAccessible.queryAccessibleInterface(view)
        names = [interface.child(n).text(QAccessible.Text.Name) for n in range(min(interface.childCount(), 12))]
        assert names
        assert all(name.strip() for name in names), (view.accessibleName(), names)
