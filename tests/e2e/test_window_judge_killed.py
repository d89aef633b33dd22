"""The judge process is killed in the middle of a run: the window lives, says a sentence, and goes on where it was."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from gamut_desktop.main_window import MainWindow
from models.verdicts import Outcome
from tests.qt.window.driving import CHECKS, make_project, play_in_main, settle, stored_verdicts, until
from tests.qt.window.strictness import isolated_home, strictly


@pytest.fixture(autouse=True)
def strict(qapp, tmp_path: Path, monkeypatch, qtlog, caplog) -> Iterator[None]:
    isolated_home(tmp_path, monkeypatch)
    with strictly(qtlog, caplog):
        yield


def judge_processes() -> list[psutil.Process]:
    """Children of this process that wait for, or do, judging."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # gone, or a zombie
            if any("spawn_main" in word for word in child.cmdline()):
                found.append(child)
    return found


def test_a_judge_that_is_killed_again_and_again_becomes_a_sentence_and_the_window_lives(
    qtbot, monkeypatch, tmp_path: Path
):
    path = make_project(tmp_path / "small.gamut", {"drink": "What is this drink?"})

    def story(window: MainWindow) -> None:
        window.actions_.named("judge.smollm2").trigger()
        window.actions_.named("grade.question").trigger()
        killed: set[int] = set()

        def killed_until_it_gives_up() -> bool:
            for process in judge_processes():
                if process.pid not in killed:
                    os.kill(process.pid, signal.SIGKILL)
                    killed.add(process.pid)
            return not window.grader.running

        until(qtbot, killed_until_it_gives_up)
        settle(qtbot, window)
        assert len(killed) == 3
        told = window.messages.sentence.text()
        assert window.messages.isVisible()
        assert "its process died 3 times" in told
        assert "killed (signal 9)" in told
        assert "what is answered stands" in told
        assert window.isVisible()
        window.actions_.named("grade.question").trigger()
        until(qtbot, lambda: bool(judge_processes()))
        until(qtbot, lambda: len(stored_verdicts(path, "smollm2")) > 0 or not window.grader.running)
        for process in judge_processes():
            if window.grader.running:  # once more in the middle: this time it comes back by itself
                os.kill(process.pid, signal.SIGKILL)
        settle(qtbot, window)

    assert play_in_main(qtbot, monkeypatch, story, path) == 0
    rows = stored_verdicts(path, "smollm2")
    assert len(rows) == len({row.check.text for row in rows}) == CHECKS
    assert {row.outcome for row in rows} <= {Outcome.VERDICT, Outcome.ABSTAINED}
