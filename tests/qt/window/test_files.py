"""Files that come and go: dropped ones, copies, the trash, and every failure as a sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from gamut_desktop.dialogs.trash import TrashDialog
from models.store.project import Project
from models.store.queries.questions import questions
from tests.qt.window.driving import RUBRIC, dialog_of, make_project, press_button, settle, shown_keys, until


@pytest.fixture
def drop(window, qtbot) -> Callable[..., None]:
    """Drop files onto the window and wait until they are in."""

    def drop(*paths: Path) -> None:
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        none = Qt.KeyboardModifier.NoModifier
        entering = QDragEnterEvent(
            QPointF(9, 9).toPoint(), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, none
        )
        entering.ignore()
        QApplication.sendEvent(window, entering)
        assert entering.isAccepted()
        dropping = QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, none)
        QApplication.sendEvent(window, dropping)
        settle(qtbot, window)

    return drop


def choose_file(qtbot, path: Path) -> None:
    """Answer the file dialog that is open."""
    dialog = dialog_of(qtbot, QFileDialog)
    dialog.filesSelected.emit([str(path)])
    dialog.reject()


def said(window) -> str:
    assert window.messages.isVisible()
    return window.messages.sentence.text()


def test_a_dropped_rubric_is_imported_and_shown(window, drop, tmp_path):
    path = tmp_path / "tea.yaml"
    path.write_text(RUBRIC.format(id="tea", question="Is this tea?"), encoding="utf-8")
    drop(path)
    assert said(window).startswith("Imported. New questions: 1")
    assert shown_keys(window) == ["drink", "cup", "tea"]
    assert window.desk.key == "tea"


def test_a_dropped_picture_becomes_a_question_that_waits_for_its_text(window, drop, tmp_path):
    path = tmp_path / "Red square.png"
    Image.new("RGB", (40, 30), "red").save(path)
    drop(path)
    assert window.desk.key == "red-square"
    assert window.panes.question.text.toPlainText() == ""
    assert len(window.desk.question.images) == 1


def test_a_dropped_folder_is_imported_whole_and_what_is_broken_is_named(window, drop, tmp_path):
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "a.yaml").write_text(RUBRIC.format(id="a", question="A?"), encoding="utf-8")
    (folder / "b.yaml").write_text("gamut: 1\nid: [", encoding="utf-8")
    drop(folder)
    assert "New questions: 1" in said(window)
    assert "To be looked at: 1." in said(window)
    assert window.messages.details_button.isVisible()
    window.messages.details_button.click()
    assert "b.yaml" in window.messages.details.toPlainText()
    assert "Traceback" not in window.messages.details.toPlainText()


def test_a_dropped_project_is_opened_in_place_of_this_one(window, drop, tmp_path, small):
    other = make_project(tmp_path / "other.gamut", {"other": "Another?"})
    drop(other)
    assert window.desk.project.path == other
    assert shown_keys(window) == ["other"]
    assert [path.stem for path in window.memory.recent()] == ["other", "small"]


def test_a_broken_project_is_a_sentence_and_nothing_is_lost(window, drop, tmp_path):
    broken = tmp_path / "broken.gamut"
    broken.write_bytes(b"not a project at all" * 100)
    drop(broken)
    assert "is not a Gamut project" in said(window)
    assert window.messages.copy_button.isVisible()
    assert window.welcome.isVisible() or window.desk is not None


@pytest.mark.parametrize("name", ["notes.txt", "gone.yaml"])
def test_what_cannot_be_imported_is_a_sentence(window, drop, tmp_path, name):
    if name == "notes.txt":
        (tmp_path / name).write_text("hello", encoding="utf-8")
    drop(tmp_path / name)
    told = said(window) + window.messages.details.toPlainText()
    assert name in told
    assert told.rstrip().endswith((".", ")"))
    assert "Traceback" not in told


def test_without_a_project_a_dropped_rubric_is_not_lost_without_a_word(window, qtbot, drop, tmp_path):
    window.close_project()
    path = tmp_path / "tea.yaml"
    path.write_text(RUBRIC.format(id="tea", question="Is this tea?"), encoding="utf-8")
    drop(path)
    assert "project" in said(window)


def test_a_copy_is_a_whole_project(window, qtbot, tmp_path):
    window.actions_.named("file.copy").trigger()
    choose_file(qtbot, tmp_path / "copy.gamut")
    settle(qtbot, window)
    assert window.status.currentMessage() == "Saved a copy."
    with Project.open(tmp_path / "copy.gamut") as project:
        assert project.verify() == []
        with project.read() as snapshot:
            assert [row.key for row in questions(snapshot)] == ["drink", "cup"]


def test_a_copy_that_cannot_be_written_is_a_sentence(window, qtbot, tmp_path):
    window.actions_.named("file.copy").trigger()
    choose_file(qtbot, tmp_path / "no such folder" / "copy.gamut")
    settle(qtbot, window)
    assert "There is no folder" in said(window)


def test_an_export_is_written(window, qtbot, tmp_path):
    window.actions_.named("file.sheet").trigger()
    choose_file(qtbot, tmp_path / "sheet.html")
    settle(qtbot, window)
    assert "What is this drink?" in (tmp_path / "sheet.html").read_text(encoding="utf-8")


def test_compacting_gives_room_back_and_says_how_much(window, qtbot):
    window.actions_.named("file.compact").trigger()
    settle(qtbot, window)
    assert window.status.currentMessage().startswith("Compacted; ")
    assert window.desk.question is not None


def test_what_is_in_the_trash_comes_back_or_goes_for_good(window, qtbot):
    window.actions_.named("edit.delete_question").trigger()
    settle(qtbot, window)
    until(qtbot, lambda: shown_keys(window) == ["cup"])
    window.actions_.named("edit.delete_response").trigger()
    settle(qtbot, window)
    window.actions_.named("file.trash").trigger()
    dialog = dialog_of(qtbot, TrashDialog)
    assert dialog.list.count() == 2
    press_button(dialog, "Bring back")
    until(qtbot, lambda: shown_keys(window) == ["drink", "cup"])
    press_button(dialog, "Empty the trash…")
    press_button(dialog_of(qtbot, QMessageBox), "Remove")
    assert dialog.list.count() == 0
    assert not dialog.empty.isEnabled()
    dialog.reject()
    settle(qtbot, window)
    assert window.desk.key == "cup"
    assert window.desk.responses() == []


def test_a_new_project_is_empty_and_invites(window, qtbot, tmp_path):
    window.actions_.named("file.new").trigger()
    choose_file(qtbot, tmp_path / "fresh.gamut")
    settle(qtbot, window)
    assert window.desk.project.path == tmp_path / "fresh.gamut"
    assert window.panes.questions.empty.isVisible()
    window.actions_.named("edit.new_question").trigger()
    settle(qtbot, window)
    assert shown_keys(window) == ["question"]
