"""Grading never holds the GUI up: between two beats of the event loop the GUI thread works for 50 ms at most.

Judged by the GUI thread's own processor time, so that other programs on a busy machine cannot fail it; what it waited
for inside this process (a lock, the interpreter) is told on Linux, where the kernel says how long it was only queued.
"""

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QTimer

from tests.qt.window.driving import CHECKS, make_project, settle, stored_verdicts, until, window_on

LIMIT = 0.050
SCHEDULER = Path("/proc/thread-self/schedstat")


class Heartbeat(QObject):
    """Beats every 5 ms while the event loop turns; keeps the most that was worked between two beats, in seconds."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.beats, self.worked, self.wall, self.held = 0, 0.0, 0.0, 0.0
        self._last = self._now()
        self._timer = QTimer(self, interval=5)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _now(self) -> tuple[float, float, float]:
        queued = int(SCHEDULER.read_text().split()[1]) / 1e9 if SCHEDULER.exists() else 0.0
        return time.thread_time(), time.monotonic(), queued

    def _beat(self) -> None:
        now = self._now()
        worked, wall, queued = (new - old for new, old in zip(now, self._last, strict=True))
        self._last = now
        self.beats += 1
        self.worked, self.wall = max(self.worked, worked), max(self.wall, wall)
        self.held = max(self.held, wall - queued)

    def stop(self) -> str:
        self._timer.stop()
        return (
            f"worst gap: {self.worked * 1000:.0f} ms worked, {self.held * 1000:.0f} ms without the queue, "
            f"{self.wall * 1000:.0f} ms in all, {self.beats} beats"
        )


def watch(qtbot, window, action: str) -> Heartbeat:
    heart = Heartbeat(window)
    window.actions_.named(action).trigger()
    until(qtbot, lambda: not window.grader.running)
    settle(qtbot, window)
    return heart


def test_the_loop_turns_while_the_keyword_judge_grades_the_sample(strict, sample, qtbot, record_property):
    with window_on(qtbot, sample) as window:
        window.actions_.named("judge.keyword").trigger()
        settle(qtbot, window)
        heart = watch(qtbot, window, "grade.all")
        told = heart.stop()
        record_property("event_loop", told)
        print(told)
        assert all(line.state == "graded" for line in window.desk.lines)
    assert heart.worked < LIMIT, told


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return make_project(tmp_path / "tiny.gamut", {"drink": "What is this drink?"})


def test_the_loop_turns_while_the_bundled_model_loads_and_grades(strict, tiny, qtbot, record_property):
    with window_on(qtbot, tiny) as window:
        window.actions_.named("judge.smollm2").trigger()
        settle(qtbot, window)
        heart = watch(qtbot, window, "grade.question")
        told = heart.stop()
        record_property("event_loop", told)
        print(told)
        assert len(stored_verdicts(tiny, "smollm2")) == CHECKS
    assert heart.worked < LIMIT, told
