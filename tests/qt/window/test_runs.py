"""A run as the window lives with it: stopping, a judge that does not listen, closing meanwhile, other processes."""

import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from gamut_desktop.wiring import Wiring
from judge_local.port import JudgeError
from judge_local.runs.plan import Selection
from models.store.project import Project
from models.store.queries.verdicts import verdicts
from models.verdicts import Verdict
from tests.qt.window.driving import (
    RUBRIC,
    check_rows,
    dialog_of,
    press_button,
    settle,
    shown_keys,
    until,
    window_on,
)
from tests.scripted import ScriptedJudge, said


class Slow(ScriptedJudge):
    """Answers the first check at once; before each other it waits until it is let go, or to be closed."""

    def __init__(self, *, listens: bool) -> None:
        super().__init__(id="keyword")
        self.listens = listens
        self.waiting, self.go, self.closed = threading.Event(), threading.Event(), threading.Event()

    def judge(self, asking, stop):
        for index, check in enumerate(asking.checks):
            self.asked.append((asking.response, check.text))
            yield index, said(Verdict.MEETS)
            self.waiting.set()
            while not self.go.wait(0.01):
                if self.closed.is_set():
                    raise JudgeError("The judge was closed.", "Start anew.")
                if self.listens and stop():
                    return

    def remarks(self):
        return ()

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def slow(monkeypatch):
    """Makes every judge of the window a slow one; gives the list of those that were made."""

    def use(*, listens: bool) -> list[Slow]:
        made: list[Slow] = []

        @contextmanager
        def judge(_self, _id, _seed=None, *, text_only=False):
            made.append(Slow(listens=listens))
            try:
                yield made[-1]
            finally:
                made[-1].close()

        monkeypatch.setattr(Wiring, "judge", judge)
        return made

    return use


def begin(qtbot, window, made: list[Slow]) -> None:
    window.actions_.named("judge.keyword").trigger()
    window.actions_.named("grade.all").trigger()
    until(qtbot, lambda: bool(made) and made[-1].waiting.is_set())


def stored(path: Path) -> int:
    with Project.open(path) as project, project.read() as snapshot:
        return len(verdicts(snapshot))


def test_closing_during_a_run_asks_stops_within_a_second_and_loses_nothing(strict, small, slow, qtbot):
    made = slow(listens=True)
    with window_on(qtbot, small) as window:
        begin(qtbot, window, made)
        window.close()
        assert window.isVisible()
        box = dialog_of(qtbot, QMessageBox)
        assert box.text() == "Grading is going on."
        press_button(box, "Keep grading")
        assert window.isVisible()
        assert window.grader.running
        window.close()
        press_button(dialog_of(qtbot, QMessageBox), "Stop and go on")
        began = time.thread_time()
        until(qtbot, lambda: not window.isVisible())
        assert time.thread_time() - began < 1.0
    assert stored(small) == 1
    with window_on(qtbot, small) as window:
        assert not window.messages.isVisible()
        assert sum(verdict is not None for verdict in check_rows(window).values()) in (0, 1)
        made = slow(listens=True)
        window.actions_.named("grade.all").trigger()
        until(qtbot, lambda: bool(made))
        made[-1].go.set()
        settle(qtbot, window)
        assert len(made[-1].asked) == 5
        assert None not in check_rows(window).values()
    assert stored(small) == 6


def test_a_judge_that_does_not_listen_is_ended_after_a_second_and_can_be_had_again(strict, small, slow, qtbot):
    made = slow(listens=False)
    with window_on(qtbot, small) as window:
        begin(qtbot, window, made)
        window.actions_.named("grade.stop").trigger()
        assert window.status.run_text.text() == "stopping"
        settle(qtbot, window)
        assert made[0].closed.is_set()
        assert not window.messages.isVisible()
        assert stored(small) == 1
        window.actions_.named("grade.all").trigger()
        until(qtbot, lambda: len(made) == 2 and made[1].waiting.is_set())
        made[1].go.set()
        settle(qtbot, window)
        assert not window.messages.isVisible()
    assert stored(small) == 6


def test_another_project_is_opened_only_once_the_run_has_stopped(strict, small, sample, slow, qtbot):
    made = slow(listens=True)
    with window_on(qtbot, small) as window:
        begin(qtbot, window, made)
        window.open(sample)
        assert window.desk.project.path == small
        press_button(dialog_of(qtbot, QMessageBox), "Stop and go on")
        until(qtbot, lambda: window.desk is not None and window.desk.project.path == sample)
        settle(qtbot, window)
    assert stored(small) == 1


def test_the_saved_version_is_graded_and_a_draft_is_said_to_differ(window, qtbot):
    window.panes.question.text.setPlainText("What else?")
    window.actions_.named("judge.keyword").trigger()
    window.actions_.named("grade.question").trigger()
    assert "your draft differs" in window.status.currentMessage()
    settle(qtbot, window)


def test_what_another_process_judges_appears_by_itself(window, small, qtbot):
    window.actions_.named("judge.keyword").trigger()
    assert set(check_rows(window).values()) == {None}
    command = [sys.executable, "-m", "gamut_desktop", "grade", str(small), "--judge", "keyword"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=dict(os.environ)) as other:
        until(qtbot, lambda: None not in check_rows(window).values())
        until(qtbot, lambda: all(line.state == "graded" for line in window.desk.lines))
        assert other.wait(60) == 0


def test_a_run_of_nothing_is_a_sentence(window, qtbot):
    window.desk.trash_response()
    settle(qtbot, window)
    window.grader.start(window.desk.project, "keyword", Selection(window.desk.key), text_only=True)
    settle(qtbot, window)
    assert "There is no response" in window.messages.sentence.text()


def test_a_project_can_be_closed_while_its_lists_still_want_pictures(strict, sample, qtbot):
    with window_on(qtbot, sample) as window:
        window.panes.questions.model.thumbnail_wanted.emit("coffee-01")
        window.desk.look()
        window.close_project()
        settle(qtbot, window)
        assert window.desk is None
        assert not window.messages.isVisible()


def test_an_import_that_ends_while_the_project_closes_is_stored_and_no_bug(strict, small, tmp_path, qtbot):
    more = tmp_path / "tea.yaml"
    more.write_text(RUBRIC.format(id="tea", question="Is this tea?"), encoding="utf-8")
    with window_on(qtbot, small) as window:
        window.take_files([more])
        window.close_project()
        settle(qtbot, window)
        assert not window.messages.isVisible()
        window.open(small)
        settle(qtbot, window)
        assert shown_keys(window) == ["drink", "cup", "tea"]
