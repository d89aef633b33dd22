"""Grading from the window: one run at a time in a thread of its own, with progress, time left and a safe stop.

The judge stays loaded between runs, because loading is the slow part. A run by another judge, or by the same one with
other settings, frees it first; so do `unload` and closing.
"""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from gamut_desktop.jobs import Jobs
from gamut_desktop.keep_awake import KeepAwake
from gamut_desktop.settings import JudgeSettings
from gamut_desktop.usecases.grading import Graded, grade
from gamut_desktop.wiring import Wiring
from judge_local.port import Judge, JudgeError, Remark
from judge_local.runs.execute import Progress
from judge_local.runs.plan import Plan, Selection
from models.store.project import Project

TICK_MS = 150
KILL_AFTER_MS = 1000


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a run is. seconds_left: None until there is something to go by. checking: the judge is being checked."""

    judge: str
    done: int
    total: int
    seconds_left: float | None
    stopping: bool
    checking: bool = False


class Grader(QObject):
    """`started`, then `moved` a few times a second, then `ended(Graded | None, error | None)`. `freed`: the judge is.

    `wiring` may be replaced at any time; the next run goes by it.
    """

    started = Signal(str)
    moved = Signal(object)
    ended = Signal(object, object)
    freed = Signal()

    def __init__(self, wiring: Wiring, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.wiring = wiring
        self._jobs = jobs
        self._awake = KeepAwake()
        self._stop = threading.Event()
        self._running: str | None = None
        self._judge: Judge | None = None
        self._made_as: tuple[str, bool, JudgeSettings] | None = None  # judge, whether it sees, how it runs
        self._loaded = False
        self._judge_life = ExitStack()
        self._began = 0.0
        self._done = self._total = 0
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(lambda: self.moved.emit(self.standing()))
        self._kill = QTimer(self, interval=KILL_AFTER_MS)
        self._kill.timeout.connect(self._free_running)

    @property
    def running(self) -> bool:
        """Whether a run is going on, also while it is stopping."""
        return self._running is not None

    @property
    def loaded(self) -> str | None:
        """The judge that has been started and holds memory; None while there is none."""
        return self._made_as[0] if self._loaded and self._made_as is not None else None

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """How that judge runs; () while there is none."""
        judge = self._judge
        return judge.remarks() if judge is not None else ()

    def standing(self) -> Standing:
        """How far the run is, as of now."""
        left = None
        if self._done and self._began:
            left = (time.monotonic() - self._began) / self._done * (self._total - self._done)
        return Standing(self._running or "", self._done, self._total, left, self._stop.is_set())

    def start(self, project: Project, judge_id: str, selection: Selection, *, text_only: bool) -> None:
        """Begin a run; does nothing while one is going on."""
        if self.running:
            return
        self._stop.clear()
        self._running, self._done, self._total, self._began = judge_id, 0, 0, 0.0
        self._awake.hold()
        self._tick.start()
        self.started.emit(judge_id)
        wiring = self.wiring

        def work() -> Graded:
            return grade(
                project,
                self._ready(wiring, judge_id, text_only),
                selection=selection,
                text_only=text_only,
                needs_consent=wiring.needs_consent(judge_id),
                stop=self._stop.is_set,
                on_plan=self._planned,
                on_progress=self._progressed,
            )

        self._jobs.start("grade", work, self._finished)

    def stop(self) -> None:
        """Ask the run to end; what is judged stays. A judge that does not listen within a second is ended."""
        if self.running and not self._stop.is_set():
            self._stop.set()
            self._kill.start()
            self.moved.emit(self.standing())

    def unload(self, then: Callable[[], object] = lambda: None) -> None:
        """Free the judge off the GUI thread, and go on once its memory is back. Does nothing during a run."""
        if self.running:
            return
        life = self._let_go()

        def ended(_: None, error: Exception | None) -> None:
            self.freed.emit()
            then()
            if error is not None:
                raise error

        self._jobs.start("free", life.close, ended)

    def close(self) -> None:
        """Free the judge. Call when no run is going on."""
        self._let_go().close()

    def _let_go(self) -> ExitStack:
        life, self._judge_life = self._judge_life, ExitStack()
        self._judge, self._made_as, self._loaded = None, None, False
        return life

    # In the run's thread ---------------------------------------------------------------------------------------------

    def _ready(self, wiring: Wiring, judge_id: str, text_only: bool) -> Judge:
        wanted = (judge_id, wiring.sees(judge_id, text_only=text_only), wiring.settings.judge)
        if self._judge is None or self._made_as != wanted:
            self._let_go().close()
            self._judge = self._judge_life.enter_context(wiring.judge(judge_id, text_only=text_only))
            self._made_as = wanted
        return self._judge

    def _planned(self, plan: Plan) -> None:
        self._total, self._began, self._loaded = plan.checks, time.monotonic(), True

    def _progressed(self, at: Progress) -> None:
        self._done = at.done

    # In the GUI thread -----------------------------------------------------------------------------------------------

    def _free_running(self) -> None:
        """End a judge that does not listen, off the GUI thread; a closed judge is of no use to the next run."""
        if self.running and self._judge is not None:
            self._jobs.start("free", self._let_go().close, self._freed)

    @staticmethod
    def _freed(_: None, error: Exception | None) -> None:
        if error is not None:
            raise error

    def _finished(self, graded: Graded | None, error: Exception | None) -> None:
        self._kill.stop()
        self._tick.stop()
        self._awake.release()
        stopped = self._stop.is_set()
        self._running = None
        if stopped and isinstance(error, JudgeError):
            error = None  # it was ended because the person wanted the run to end
        if graded is not None and graded.ended.error is not None and not stopped:
            error = graded.ended.error
        self.ended.emit(graded, error)
