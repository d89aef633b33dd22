"""The diagnosis and the log hold no private text, also after a bug whose message holds some."""

import pytest
from PySide6.QtGui import QGuiApplication

from gamut_desktop.wiring import Wiring
from tests.qt.window.driving import make_project, settle, window_on

MARKS = ("Qmark", "Rmark", "Pmark", "Amark", "Kmark", "Mmark")


@pytest.fixture
def private(tmp_path):
    folder = tmp_path / "Pmark folder"
    folder.mkdir()
    return make_project(folder / "Pmark.gamut", {"Kmark": "What is Qmark?"}, {"Mmark": "It is Rmark."})


def test_the_diagnosis_holds_no_private_text(strict, home, private, qtbot):
    (home / "config").mkdir()
    (home / "config" / "settings.toml").write_text('author = "Amark"\n', encoding="utf-8")
    with window_on(qtbot, private) as window:
        assert window.desk.author == "Amark"
        window.choose_judge("file:/home/Pmark/Pmark.gguf")
        settle(qtbot, window)
        window.actions_.named("grade.question").trigger()
        settle(qtbot, window)
        assert window.messages.isVisible()
        window.actions_.named("help.diagnosis").trigger()
        told = QGuiApplication.clipboard().text()
    assert "1 questions, 1 responses" in told
    assert "Judge: file" in told
    assert "Last error: " in told
    assert [mark for mark in MARKS if mark in told] == []


def test_a_bug_is_a_sentence_its_place_is_logged_and_its_message_is_not(
    strict, home, private, qtbot, monkeypatch, caplog
):
    def broken(self, judge_id, seed=None, *, text_only=False):
        raise LookupError("Rmark and Pmark")

    with window_on(qtbot, private) as window:
        monkeypatch.setattr(Wiring, "judge", broken)
        monkeypatch.setenv("GAMUT_RAISE", "0")
        window.actions_.named("grade.question").trigger()
        settle(qtbot, window)
        assert window.messages.sentence.text().startswith("Something went wrong inside Gamut Desktop.")
        window.messages.copy_button.click()
        told = QGuiApplication.clipboard().text()
        assert "LookupError" in told
        window.actions_.named("judge.keyword").trigger()
        monkeypatch.undo()
    log = (home / "logs" / "gamut.log").read_text(encoding="utf-8")
    assert "LookupError at " in log
    assert [mark for mark in MARKS if mark in told + log] == []
    caplog.clear()  # this one was wanted
