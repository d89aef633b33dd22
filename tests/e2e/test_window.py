"""The window from its real `main()`: sample, bundled model, an edit, undo, save, and all of it there next time."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPlainTextEdit

from gamut_desktop.dialogs.write_response import WriteResponse
from gamut_desktop.main_window import MainWindow
from gamut_desktop.qmodels.roles import Roles
from models.store.project import Project
from models.store.queries.questions import current_version
from tests.qt.window.driving import check_rows, dialog_of, play_in_main, press_button, settle, stored_verdicts, until
from tests.qt.window.strictness import isolated_home, strictly

QUESTION = "coffee-01"


@pytest.fixture(autouse=True)
def strict(qapp, tmp_path: Path, monkeypatch, qtlog, caplog) -> Iterator[None]:
    isolated_home(tmp_path, monkeypatch)
    with strictly(qtlog, caplog):
        yield


def trigger(window: MainWindow, name: str) -> None:
    window.actions_.named(name).trigger()


def grade(qtbot, window: MainWindow) -> None:
    """From the menu, to the end; pictures unseen are agreed to."""
    trigger(window, "grade.question")
    until(qtbot, lambda: not window.grader.running)
    if window.messages.isVisible() and window.messages.action_button.isVisible():
        window.messages.action_button.click()
        until(qtbot, lambda: not window.grader.running)
    settle(qtbot, window)


def first_element(window: MainWindow):
    """An option of a list in the tree: its index."""
    model = window.panes.rubric.model
    for row in range(model.rowCount()):
        parent = model.index(row, 0)
        if model.rowCount(parent):
            return model.index(0, 0, parent)
    raise AssertionError("no list in this rubric")


def test_from_the_sample_to_a_saved_edit_and_back(qtbot, monkeypatch):
    seen: dict[str, object] = {}

    def first(window: MainWindow) -> None:
        desk = window.desk
        assert window.windowTitle() == "Sample[*]" or desk.project.path.stem in window.windowTitle()
        until(qtbot, lambda: all(line.state == "graded" for line in desk.lines))
        assert desk.key == QUESTION
        assert all(verdict is not None for verdict in check_rows(window).values())
        for _ in range(3):  # one short response is enough for a small model on a busy machine
            trigger(window, "edit.delete_response")
        trigger(window, "edit.write")
        dialog = dialog_of(qtbot, WriteResponse)
        dialog.findChild(QPlainTextEdit).setPlainText("An espresso: grind, press, and brew under pressure.")
        press_button(dialog, "Save")
        assert [row.model for row in desk.responses()] == ["mine"]
        trigger(window, "judge.smollm2")
        assert all(verdict is None for verdict in check_rows(window).values())
        grade(qtbot, window)
        before = stored_verdicts(desk.project.path, "smollm2")
        assert len(before) == len(check_rows(window))
        assert all(verdict is not None for verdict in check_rows(window).values())
        assert desk.card(desk.response, "smollm2").score.gamut is not None

        model, index = window.panes.rubric.model, first_element(window)
        old = index.data()
        texts = set(check_rows(window))
        assert model.setData(index, f"{old}, in a cup of paper")
        new_texts = set(check_rows(window)) - texts
        assert new_texts
        assert window.isWindowModified()
        trigger(window, "edit.undo")
        assert set(check_rows(window)) == texts
        trigger(window, "edit.redo")
        trigger(window, "file.save")
        assert not window.isWindowModified()
        unjudged = {text for text, verdict in check_rows(window).items() if verdict is None}
        assert unjudged == new_texts
        grade(qtbot, window)
        after = stored_verdicts(desk.project.path, "smollm2")
        assert after[: len(before)] == before
        assert {row.check.text for row in after[len(before) :]} == new_texts
        assert all(verdict is not None for verdict in check_rows(window).values())
        trigger(window, "edit.undo")
        assert set(check_rows(window)) == texts
        assert all(verdict is not None for verdict in check_rows(window).values())
        trigger(window, "edit.redo")
        seen.update(path=desk.project.path, rows=check_rows(window), verdicts=after)

    assert play_in_main(qtbot, monkeypatch, first) == 0
    with Project.open(seen["path"]) as project, project.read() as snapshot:
        assert "in a cup of paper" in current_version(snapshot, QUESTION).doc

    def again(window: MainWindow) -> None:
        assert window.desk.project.path == seen["path"]
        assert window.desk.key == QUESTION
        assert window.desk.judge == "smollm2"
        assert check_rows(window) == seen["rows"]
        assert not window.isWindowModified()
        assert first_element(window).data(Roles.ID) is not None

    assert play_in_main(qtbot, monkeypatch, again) == 0
    assert stored_verdicts(seen["path"], "smollm2") == seen["verdicts"]
