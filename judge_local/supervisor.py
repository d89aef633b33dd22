"""The supervisor: starts the judge process when it is first needed, asks it, watches it, cancels and restarts it.

A death of the process becomes a sentence: it is started again and asked only for what has not been answered; a check
that it died of twice is left as failed, and three deaths without one answer in between end the work. It holds no
thread, and may be driven from any one thread at a time while another closes it.
"""

import multiprocessing
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from signal import Signals
from time import monotonic

from judge_local.llama import worker
from judge_local.llama.messages import (
    Answered,
    Ask,
    Cancel,
    Done,
    Fact,
    FromJudge,
    LocalSettings,
    Measure,
    NotReady,
    Ready,
    Started,
)
from judge_local.parking import sweep
from judge_local.port import Answer, Asking, JudgeError, Remark
from models.verdicts import Outcome

_POLL_SECONDS = 0.05
_CANCEL_SECONDS = 0.8
_END_SECONDS = 1.0
_DEATHS_PER_CHECK = 2
_DEATHS_IN_A_ROW = 3


@dataclass(frozen=True, slots=True)
class WorkerEnd:
    """How a judge process ended by itself: its exit code, negative for a signal."""

    exit_code: int

    @property
    def how(self) -> str:
        """The end of the sentence "The judge process ..."."""
        if self.exit_code >= 0:
            return f"ended unexpectedly (exit code {self.exit_code})"
        number = -self.exit_code
        reasons = {
            Signals.SIGABRT: "stopped itself (signal 6), as llama.cpp does when its own rules are broken",
            Signals.SIGSEGV: "crashed (signal 11), perhaps over a damaged model file",
            Signals.SIGTERM: "was ended from outside (signal 15)",
        }
        if number == 9:
            return "was killed (signal 9), perhaps because memory ran out"
        return reasons.get(Signals(number), f"was ended by signal {number}")

    def __str__(self) -> str:
        return f"The judge process {self.how}."


@dataclass(frozen=True, slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection

    def events(self, stop: Callable[[], bool]) -> Iterator[FromJudge | WorkerEnd]:
        """What the process says, until it ends (the last event is then how) or `stop()` is true."""
        while not stop():
            wait([self.connection, self.process.sentinel], _POLL_SECONDS)
            try:
                while self.connection.poll():
                    yield self.connection.recv()
            except (EOFError, OSError):
                yield self.reap()
                return
            if not self.process.is_alive() and not self.connection.poll():
                yield self.reap()
                return

    def send(self, message: Ask | Measure | Cancel) -> None:
        with suppress(OSError):  # it has died, and its events say so
            self.connection.send(message)

    def reap(self) -> WorkerEnd:
        """Wait for the end of a process whose pipe is closed, and free what it held."""
        self.process.join(_END_SECONDS)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        self.connection.close()
        return WorkerEnd(self.process.exitcode or 0)

    def end(self) -> None:
        """End the process, kindly and then not, and free what it held."""
        self.process.terminate()
        self.reap()


class Supervisor:
    """One judge process for one model and its settings. log_path: where its own output goes; None: nowhere."""

    def __init__(self, settings: LocalSettings, log_path: Path | None = None) -> None:
        self._settings = settings
        self._log_path = log_path
        self._driver = threading.Lock()  # one asking at a time
        self._hand = threading.Lock()  # guards the three below: close() may come from any thread
        self._worker: _Worker | None = None
        self._loaded = False
        self._closed = False
        self._facts: dict[str, Fact] | None = None
        self._remarks: tuple[Remark, ...] = ()
        self.evaluated = 0  # tokens computed for all askings that came to their end
        self._number = 0
        self._deaths: list[WorkerEnd] = []  # since the last answer

    @property
    def worker_pid(self) -> int | None:
        """The process id of the judge process; None while there is none."""
        running = self._worker
        return running.process.pid if running else None

    def facts(self, stop: Callable[[], bool] = lambda: False) -> dict[str, Fact]:
        """What the loaded model says of itself for the ruler. Starts it if need be; raises JudgeError."""
        with self._driver:
            if self._ready(stop) is None or self._facts is None:
                raise JudgeError("The judge was stopped while it was starting.", "Start it again when you want it.")
            return self._facts

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """How the model runs, as it was last loaded; () before."""
        return self._remarks

    def deviation(self, asking: Asking, stop: Callable[[], bool]) -> float | None:
        """How far label probabilities on shared memory are from those on an empty one, at most, over these checks.

        None if it was stopped. Raises JudgeError.
        """
        with self._driver:
            if (running := self._ready(stop)) is None:
                return None
            self._number += 1
            number = self._number
            running.send(Measure(number, asking, tuple(range(len(asking.checks)))))
            for event in running.events(stop):
                if isinstance(event, WorkerEnd):
                    self._mourn(event)
                    raise JudgeError(f"The judge process {event.how}.", "Start the check again.")
                if isinstance(event, Done) and event.number == number:
                    return event.deviation
            self._cancel(running, number)
            return None

    def ask(self, asking: Asking, stop: Callable[[], bool]) -> Iterator[tuple[int, Answer]]:
        """Answers as they come; ends early once `stop()` is true. Raises JudgeError when it cannot go on."""
        stopped = False

        def halted() -> bool:
            nonlocal stopped
            stopped = stopped or stop()
            return stopped

        with self._driver:
            left = set(range(len(asking.checks)))
            died_of: Counter[int] = Counter()
            while left and (running := self._ready(halted)):
                for index, answer in self._ask_once(running, asking, left, died_of, halted):
                    left.discard(index)
                    yield index, answer

    def close(self) -> None:
        """End the process; from any thread, also while another is asking: that asking ends with a JudgeError."""
        with self._hand:
            self._closed = True
            running, self._worker = self._worker, None
        if running is None:
            return
        running.process.terminate()
        # A thread that is waiting for the process sees its end and frees it; if none is, or it is held up, we do.
        driving = not self._driver.acquire(timeout=_END_SECONDS)
        running.reap()
        sweep(self._settings.spill)
        if not driving:
            self._driver.release()

    # The process ----------------------------------------------------------------------------------------------------

    def _ready(self, stop: Callable[[], bool]) -> _Worker | None:
        """A process with its model loaded; None if `stop()` came first (it goes on loading)."""
        while not stop():
            running = self._worker or self._start()
            if self._loaded:
                return running
            for event in running.events(stop):
                if isinstance(event, Ready):
                    self._take(dict(event.facts))
                    self._remarks = event.remarks
                elif isinstance(event, NotReady):
                    self._drop(running)
                    raise JudgeError(event.sentence, event.next_step)
                elif isinstance(event, WorkerEnd):
                    self._mourn(event)
                if self._loaded:
                    return running
        return None

    def _start(self) -> _Worker:
        with self._hand:
            if self._closed:
                raise JudgeError("The judge was closed.", "Start a new run to go on; what is answered stands.")
            sweep(self._settings.spill)
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(
                target=worker.main, args=(theirs, self._settings, self._log_path), name="gamut-judge", daemon=True
            )
            try:
                process.start()
            except OSError as error:
                ours.close()
                raise JudgeError(
                    f"No process could be started for the judge: {error.strerror or error}.",
                    "Close other programs and try again.",
                ) from error
            finally:
                theirs.close()
            self._loaded = False
            self._worker = _Worker(process, ours)
            return self._worker

    def _take(self, facts: dict[str, Fact]) -> None:
        if self._facts is not None and facts != self._facts:
            raise JudgeError(
                "The judge process came back as a different judge: its model file or library has changed.",
                "Start a new run; it is kept apart from this one.",
            )
        self._facts = facts
        self._loaded = True

    def _drop(self, running: _Worker) -> None:
        running.end()
        self._lose()

    def _lose(self) -> None:
        sweep(self._settings.spill)  # what it has spilled is of no use to anybody
        with self._hand:
            self._worker = None
            self._loaded = False

    # One asking -----------------------------------------------------------------------------------------------------

    def _ask_once(
        self, running: _Worker, asking: Asking, left: set[int], died_of: Counter[int], stop: Callable[[], bool]
    ) -> Iterator[tuple[int, Answer]]:
        """Ask one process for what is left, until it is done, dies or is to stop."""
        self._number += 1
        number, current, over = self._number, min(left), False
        running.send(Ask(number, asking, tuple(sorted(left))))
        try:
            for event in running.events(stop):
                if isinstance(event, WorkerEnd):
                    over = True
                    self._mourn(event)
                    died_of[current] += current in left  # between two checks it died of neither
                    if died_of[current] >= _DEATHS_PER_CHECK and current in left:
                        note = f"The judge process {event.how}, and it was the second time that it died at this check."
                        yield current, Answer(Outcome.FAILED, note=note)
                elif isinstance(event, Started) and event.number == number:
                    current = event.index
                elif isinstance(event, Answered) and event.number == number:
                    self._deaths.clear()
                    yield event.index, event.answer
                elif isinstance(event, Done) and event.number == number:
                    over = True
                    self.evaluated += event.evaluated
                    return
        finally:
            if not over:
                self._cancel(running, number)

    def _cancel(self, running: _Worker, number: int) -> None:
        """Have it stop within a second: it is asked first, and ended if it does not hear."""
        running.send(Cancel(number))
        deadline = monotonic() + _CANCEL_SECONDS
        for event in running.events(lambda: monotonic() > deadline):
            if isinstance(event, Done) and event.number == number:
                return
        self._drop(running)

    def _mourn(self, end: WorkerEnd) -> None:
        """Count a death; raises JudgeError when there have been too many in a row, or the judge was closed."""
        self._lose()
        if self._closed:
            raise JudgeError("The judge was closed.", "Start a new run to go on; what is answered stands.")
        self._deaths.append(end)
        if len(self._deaths) >= _DEATHS_IN_A_ROW:
            self._deaths.clear()
            raise JudgeError(
                f"The judge stopped: its process died {_DEATHS_IN_A_ROW} times without an answer. It last {end.how}.",
                "Close programs that hold memory, choose a smaller context or model, then start again;"
                " what is answered stands.",
            )
