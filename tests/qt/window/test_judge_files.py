"""Judges from files in the window: added, dropped, refused with a sentence, listed everywhere, removed, unloaded."""

from pathlib import Path

import psutil
import pytest
from PySide6.QtWidgets import QFileDialog

from gamut_desktop.dialogs.add_judge import AddJudge
from gamut_desktop.dialogs.choose_judge import ChooseJudge
from gamut_desktop.dialogs.judge_settings import JudgeSettingsDialog
from gamut_desktop.settings import Places, Settings
from judge_local.bundled import bundled_source
from tests.qt.window.driving import dialog_of, settle, until, window_on

HEADER = b"GGUF" + bytes(20)


def children() -> list[psutil.Process]:
    """The judge processes of this window."""
    return [one for one in psutil.Process().children() if any("spawn_main" in word for word in _command(one))]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The bundled model as a person's own file."""
    path = tmp_path / "own.gguf"
    path.symlink_to(bundled_source())
    return path


def add(window, qtbot, model: Path | str, projector: Path | str = "") -> AddJudge:
    window.actions_.named("judge.file").trigger()
    dialog = dialog_of(qtbot, AddJudge)
    dialog.model.path.setText(str(model))
    dialog.projector.path.setText(str(projector))
    dialog.add_button.click()
    return dialog


def judges_in_the_menu(window) -> list[str]:
    return [one.text() for one in window.menus.judges.actions() if one.isCheckable()]


def test_a_real_model_file_becomes_a_judge_that_grades_and_gives_its_memory_back(window, model, qtbot):
    dialog = add(window, qtbot, model)
    assert not dialog.isVisible()
    judge = f"file:{model}"
    assert Settings.load(Places.of_user()).judges == (judge,)
    assert window.desk.judge == judge
    assert judges_in_the_menu(window) == ["keyword", "smollm2 (not checked)", "own (not checked)"]
    assert window.status.judge.text() == "own"
    assert window.status.mark.text() == "not checked"
    assert "own is added and chosen." in window.messages.sentence.text()
    assert window.messages.action_button.text() == "Check it"
    unload = window.actions_.named("judge.unload")
    assert not unload.isEnabled()
    window.actions_.named("grade.question").trigger()
    settle(qtbot, window)
    assert window.status.currentMessage() == "Checks judged: 3."
    (child,) = children()
    assert child.memory_info().rss > 50 * 2**20
    assert "On the processor" in window.status.judge.toolTip()
    assert unload.isEnabled()
    unload.trigger()
    until(qtbot, lambda: children() == [])
    settle(qtbot, window)
    assert not unload.isEnabled()
    assert "own is unloaded" in window.status.currentMessage()


def test_it_is_there_again_after_a_restart(strict, small, model, qtbot):
    with window_on(qtbot, small) as window:
        add(window, qtbot, model)
    with window_on(qtbot, small) as window:
        assert window.desk.judge == f"file:{model}"
        action = window.actions_.named(f"judge.file:{model}")
        assert action.isChecked()
        assert action.shortcut().toString() == "Ctrl+Alt+3"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "There is no file"),
        (b"", "bad.gguf is empty."),
        (b"#!/bin/sh\necho no model at all\n", "bad.gguf is not a GGUF model file."),
        (b"GGUF\x03\x00", "bad.gguf ends within its header."),
    ],
)
def test_a_bad_file_is_a_sentence_in_the_dialog_and_nothing_is_stored(window, home, tmp_path, qtbot, content, told):
    bad = tmp_path / "bad.gguf"
    if content is not None:
        bad.write_bytes(content)
    dialog = add(window, qtbot, bad)
    assert dialog.isVisible()
    assert dialog.problem.isVisible()
    assert told in dialog.problem.text()
    assert not (home / "config" / "settings.toml").exists()
    assert window.desk.judge == "smollm2"
    dialog.model.path.setText("another.gguf")
    assert not dialog.problem.isVisible()
    dialog.reject()


def test_the_file_dialogs_fill_the_fields_and_a_projector_beside_the_model_is_offered(window, tmp_path, qtbot):
    model, projector = tmp_path / "eyes.gguf", tmp_path / "mmproj-eyes.gguf"
    for file in (model, projector):
        file.write_bytes(HEADER)
    window.actions_.named("judge.file").trigger()
    dialog = dialog_of(qtbot, AddJudge)
    dialog.model.browse.click()
    files = dialog_of(qtbot, QFileDialog)
    files.filesSelected.emit([str(model)])
    files.reject()
    assert (dialog.model.file(), dialog.projector.file()) == (model, projector)
    dialog.add_button.click()
    assert window.desk.judge == f"file:{model}+{projector}"
    assert window.judges.info(window.desk.judge).sees_images


def test_a_dropped_model_file_is_offered_as_a_judge(window, tmp_path, qtbot):
    model, projector = tmp_path / "eyes.gguf", tmp_path / "eyes-mmproj-f16.gguf"
    for file in (model, projector):
        file.write_bytes(HEADER)
    window.take_files([projector, model])
    dialog = dialog_of(qtbot, AddJudge)
    assert (dialog.model.file(), dialog.projector.file()) == (model, projector)
    dialog.reject()
    settle(qtbot, window)
    assert not window.messages.isVisible()


def test_a_judge_is_removed_from_the_chooser_and_can_be_brought_back(window, tmp_path, qtbot):
    model = tmp_path / "own.gguf"
    model.write_bytes(HEADER)
    add(window, qtbot, model)
    judge = f"file:{model}"
    window.actions_.named("judge.choose").trigger()
    chooser = dialog_of(qtbot, ChooseJudge)
    assert chooser.current() == judge
    assert str(model) in chooser.files.text()
    chooser.remove_button.click()
    assert Settings.load(Places.of_user()).judges == ()
    assert window.desk.judge == "smollm2"
    assert judges_in_the_menu(window) == ["keyword", "smollm2 (not checked)"]
    assert chooser.list.topLevelItemCount() == 2
    assert not chooser.remove_button.isEnabled()
    chooser.reject()
    assert model.exists()
    assert window.messages.action_button.text() == "Bring it back"
    window.messages.action_button.click()
    assert Settings.load(Places.of_user()).judges == (judge,)
    assert judges_in_the_menu(window)[2] == "own (not checked)"


def test_the_chooser_lists_chooses_and_leads_to_the_settings(window, qtbot):
    window.actions_.named("judge.choose").trigger()
    chooser = dialog_of(qtbot, ChooseJudge)
    rows = [chooser.list.topLevelItem(n) for n in range(chooser.list.topLevelItemCount())]
    assert [[row.text(column) for column in range(4)] for row in rows] == [
        ["keyword", "word overlap", "text only", ""],
        ["smollm2 (chosen)", "comes with the app", "text only", "not checked"],
    ]
    assert "nobody knows yet how far to trust it" in chooser.told.text()
    chooser.settings_button.click()
    settings = dialog_of(qtbot, JudgeSettingsDialog)
    settings.reject()
    chooser.list.setCurrentItem(rows[0])
    assert "which every other judge has to beat" in chooser.told.text()
    chooser.use_button.click()
    assert not chooser.isVisible()
    assert window.desk.judge == "keyword"


def test_a_judge_whose_file_is_gone_says_so_where_it_is_offered(window, tmp_path, qtbot):
    model = tmp_path / "own.gguf"
    model.write_bytes(HEADER)
    add(window, qtbot, model)
    model.unlink()
    window.choose_judge("keyword")
    action = window.actions_.named(f"judge.file:{model}")
    assert not action.isEnabled()
    assert "There is no file" in action.toolTip()
    window.actions_.named("judge.choose").trigger()
    chooser = dialog_of(qtbot, ChooseJudge)
    chooser.list.setCurrentItem(chooser.list.topLevelItem(2))
    assert chooser.list.topLevelItem(2).text(3) == "not ready"
    assert "There is no file" in chooser.told.text()
    assert not chooser.use_button.isEnabled()
    chooser.reject()
