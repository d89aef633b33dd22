"""Asking a judge why, from the window: one reason at a time in a thread of its own, with seconds shown and a safe stop.

A model is held in memory once: the grader's judge is freed first, and a run that begins ends the asking. The judge that
was asked stays loaded for a while, because who asks once asks again.
"""

import json
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from gamut_desktop.desk import Desk
from gamut_desktop.grader import KILL_AFTER_MS, Grader
from gamut_desktop.usecases.explaining import explain
from gamut_desktop.wiring import Wiring
from judge_local.port import Judge, JudgeError
from models.store.records import RulerRow, VerdictRow

TICK_MS = 1000
IDLE_MS = 60_000


class Runner(Protocol):
    """What else may hold a judge: the grader, a check of a judge."""

    @property
    def running(self) -> object: ...
    @property
    def started(self) -> SignalInstance: ...


class Explainer(QObject):
    """changed: it has begun, a second has gone by, or it has ended. The desk shows what it found."""

    changed = Signal()

    def __init__(self, desk: Desk, grader: Grader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk, self._grader = desk, grader
        self._others: list[Runner] = []
        self._stop = threading.Event()
        self._row: VerdictRow | None = None
        self._makes_way = False
        self._began = 0.0
        self._judge: Judge | None = None
        self._made_as: tuple[str, bool, object] | None = None
        self._judge_life = ExitStack()
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self.changed)
        self._kill = QTimer(self, interval=KILL_AFTER_MS, singleShot=True)
        self._kill.timeout.connect(self._free)
        self._idle = QTimer(self, interval=IDLE_MS, singleShot=True)
        self._idle.timeout.connect(self._free)
        self.mind(grader)
        desk.closing.connect(self._close)

    def mind(self, other: Runner) -> None:
        """Never ask while this one runs; leave off when it begins."""
        self._others.append(other)
        other.started.connect(self._make_way)

    @property
    def asking(self) -> VerdictRow | None:
        """The verdict that a reason is being asked for, also while it is stopping."""
        return self._row

    @property
    def stopping(self) -> bool:
        """Whether it has been asked to stop."""
        return self._row is not None and self._stop.is_set()

    @property
    def seconds(self) -> int:
        """How long it has been asking."""
        return int(time.monotonic() - self._began) if self._row is not None else 0

    def ask(self, row: VerdictRow) -> None:
        """Ask the judge of this verdict why; what keeps it from that is told in a sentence."""
        if self._row is not None:
            told = self.tr("{judge} is writing a reason already. Wait for it, or stop it.")
            self._desk.told.emit(told.format(judge=self._row.judge))
            return
        if any(other.running for other in self._others):
            told = self.tr("{judge} cannot be asked why while a judge is at work. Ask again when it has ended.")
            self._desk.told.emit(told.format(judge=row.judge))
            return
        self._stop.clear()
        self._row, self._began, self._makes_way = row, time.monotonic(), False
        self._idle.stop()
        self._tick.start()
        self.changed.emit()
        if self._judge is None and self._grader.loaded is not None:
            self._grader.unload(self._begin)
        else:
            self._begin()

    def stop(self) -> None:
        """Leave off; nothing is stored. A judge that does not listen within a second is ended."""
        if self._row is not None and not self._stop.is_set():
            self._stop.set()
            self._kill.start()
            self.changed.emit()

    def _begin(self) -> None:
        row = self._row
        if row is None:  # the project was closed meanwhile
            return
        project, wiring, ruler = self._desk.project, self._grader.wiring, self._desk.ruler(row.ruler_id)

        def work() -> str | None:
            judge = self._ready(wiring, row, ruler)
            return None if self._stop.is_set() else explain(project, judge, row.id, stop=self._stop.is_set)

        self._desk.jobs.start("explain", work, self._finished)

    # In the asking's thread ------------------------------------------------------------------------------------------

    def _ready(self, wiring: Wiring, row: VerdictRow, ruler: RulerRow | None) -> Judge:
        """The judge, shown pictures only if it was shown them then."""
        text_only = ruler is not None and json.loads(ruler.manifest).get("sight") == "none"
        wanted = (row.judge, text_only, wiring.settings.judge)
        if self._judge is None or self._made_as != wanted:
            self._let_go()()
            self._judge = self._judge_life.enter_context(wiring.judge(row.judge, text_only=text_only))
            self._made_as = wanted
        return self._judge

    # In the GUI thread -----------------------------------------------------------------------------------------------

    def _finished(self, reason: str | None, error: Exception | None) -> None:
        if self._row is None:  # the project was closed; a judge that was just being made is of no use any more
            self._let_go()()
            return
        stopped, self._row = self._stop.is_set(), None
        self._kill.stop()
        self._tick.stop()
        if self._makes_way:
            self._free()
        else:
            self._idle.start()
        if reason is not None:
            self._desk.refresh()
        self.changed.emit()
        if stopped and reason is None and (error is None or isinstance(error, JudgeError)):
            self._desk.told.emit(self.tr("Stopped; no reason was written."))
        elif error is not None:
            self._desk.fail(error)

    def _make_way(self, _: object = None) -> None:
        """A run begins: leave off, and give the memory back."""
        self._makes_way = True
        if self._row is not None:
            self.stop()
        else:
            self._free()

    def _free(self) -> None:
        """Free the judge off the GUI thread; one that is asked meanwhile ends with that."""
        self._idle.stop()
        if self._judge is not None:
            self._desk.jobs.start("free", self._let_go(), self._freed)

    @staticmethod
    def _freed(_: None, error: Exception | None) -> None:
        if error is not None:
            raise error

    def _close(self) -> None:
        """The project closes: end at once, so that nobody waits for a model."""
        self._stop.set()
        self._row = None
        for timer in (self._tick, self._kill, self._idle):
            timer.stop()
        self._let_go()()

    def _let_go(self) -> Callable[[], None]:
        life, self._judge_life = self._judge_life, ExitStack()
        self._judge, self._made_as = None, None
        return life.close
