"""Checking a judge from the window: one check at a time in a thread of its own, with progress, time left and a stop.

Each check makes judges of its own and frees them; nothing of it touches a project.
"""

import threading
import time

from PySide6.QtCore import QObject, QTimer, Signal

from gamut_desktop.grader import KILL_AFTER_MS, TICK_MS, Standing
from gamut_desktop.jobs import Jobs
from gamut_desktop.keep_awake import KeepAwake
from gamut_desktop.usecases.preflight import check_judge
from gamut_desktop.wiring import Wiring
from judge_local.port import Judge, JudgeError
from judge_local.preflight.result import Preflight
from judge_local.preflight.run import PreflightProgress, PreflightStopped


class Checker(QObject):
    """`started`, `moved` a few times a second, then `ended(Preflight | None, error | None)`; both None: stopped."""

    started = Signal(str)
    moved = Signal(object)
    ended = Signal(object, object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._awake = KeepAwake()
        self._stop = threading.Event()
        self._judge_id: str | None = None
        self._judge: Judge | None = None
        self._began = 0.0
        self._first = self._done = self._total = 0
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(lambda: self.moved.emit(self.standing()))
        self._kill = QTimer(self, interval=KILL_AFTER_MS)
        self._kill.timeout.connect(self._end_judge)

    @property
    def running(self) -> str | None:
        """The judge that is being checked, also while the check is stopping."""
        return self._judge_id

    def standing(self) -> Standing:
        """How far the check is, as of now."""
        left = None
        if self._done > self._first:
            each = (time.monotonic() - self._began) / (self._done - self._first)
            left = each * (self._total - self._done)
        return Standing(self._judge_id or "", self._done, self._total, left, self._stop.is_set(), checking=True)

    def start(self, wiring: Wiring, judge_id: str) -> None:
        """Begin a check; does nothing while one is going on."""
        if self.running is not None:
            return
        self._stop.clear()
        self._judge_id, self._began = judge_id, 0.0
        self._first = self._done = self._total = 0
        self._awake.hold()
        self._tick.start()
        self.started.emit(judge_id)

        def work() -> Preflight:
            return check_judge(wiring, judge_id, self._progressed, self._stop.is_set, on_judge=self._made)

        self._jobs.start("check", work, self._finished)

    def stop(self) -> None:
        """Ask the check to end; nothing of it is kept. A judge that does not listen within a second is ended."""
        if self.running is not None and not self._stop.is_set():
            self._stop.set()
            self._kill.start()
            self.moved.emit(self.standing())

    # In the check's thread -------------------------------------------------------------------------------------------

    def _made(self, judge: Judge) -> None:
        self._judge = judge
        if self._stop.is_set():
            raise PreflightStopped

    def _progressed(self, at: PreflightProgress) -> None:
        if not self._began:  # what came before is loading
            self._first, self._began = at.done, time.monotonic()
        self._done, self._total = at.done, at.total

    # In the GUI thread -----------------------------------------------------------------------------------------------

    def _end_judge(self) -> None:
        """End a judge that does not listen, off the GUI thread; it may be closed twice."""
        judge, self._judge = self._judge, None
        if judge is not None:
            self._jobs.start("free", judge.close, self._freed)

    @staticmethod
    def _freed(_: None, error: Exception | None) -> None:
        if error is not None:
            raise error

    def _finished(self, found: Preflight | None, error: Exception | None) -> None:
        self._kill.stop()
        self._tick.stop()
        self._awake.release()
        self._judge = self._judge_id = None
        if isinstance(error, PreflightStopped) or (self._stop.is_set() and isinstance(error, JudgeError)):
            error = None
        self.ended.emit(found, error)
