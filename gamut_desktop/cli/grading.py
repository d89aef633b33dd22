"""Grading from the command line: progress on stderr, and a first Ctrl-C that stops without losing anything."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gamut_desktop.cli.show import say
from gamut_desktop.usecases.grading import Graded, grade
from gamut_desktop.wiring import Wiring
from judge_local.port import Remark
from judge_local.runs.execute import Progress
from judge_local.runs.plan import Plan, Selection
from models.store.project import Project

INTERRUPTED = 130


class StopFlag:
    """True once the person has asked to stop. A second Ctrl-C is a KeyboardInterrupt as usual."""

    def __init__(self) -> None:
        self.raised = False

    def __call__(self) -> bool:
        return self.raised

    def raise_it(self, _signal: int, _frame: FrameType | None) -> None:
        """The signal handler."""
        if self.raised:
            raise KeyboardInterrupt
        self.raised = True


@contextmanager
def stop_on_interrupt() -> Iterator[StopFlag]:
    """Let the first Ctrl-C (or SIGTERM) raise a flag instead of an exception."""
    flag = StopFlag()
    before = {number: signal.signal(number, flag.raise_it) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def grade_with_progress(
    project: Project, wiring: Wiring, judge_id: str, selection: Selection, *, text_only: bool
) -> int:
    """Grade, telling how far it is; returns the exit code of `gamut grade`."""
    with wiring.judge(judge_id, text_only=text_only) as judge, stop_on_interrupt() as flag:
        line = _Line()
        done = grade(
            project,
            judge,
            selection=selection,
            text_only=text_only,
            needs_consent=wiring.needs_consent(judge_id),
            stop=flag,
            on_plan=lambda plan: line.plan(plan, judge.remarks()),
            on_progress=line.progress,
        )
        line.end()
    for skipped in done.plan.skipped:
        say(f"{skipped.question}: {skipped.sentence}")
    if flag.raised and done.ended.answered < done.ended.asked:
        say(
            f"Stopped after {done.ended.answered:,} of {done.ended.asked:,} checks; the same command goes on from here."
        )
        return INTERRUPTED
    return _tell_end(done)


def _tell_end(done: Graded) -> int:
    ended = done.ended
    if ended.error is not None:
        say(f"{ended.answered:,} of {ended.asked:,} checks were judged and are stored. {ended.error}")
        return 1
    before = f", {done.plan.settled:,} before" if done.plan.settled else ""
    say(f"Judged {ended.answered:,} check{'s' * (ended.answered != 1)}{before}.")
    if ended.failed:
        say(f"{ended.failed:,} of them failed; the same command asks them again.")
    return 0 if done.complete else 1


class _Line:
    """One line on stderr that counts up, on a terminal; nothing but the start elsewhere."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty()
        self.began = self.shown = time.monotonic()

    def plan(self, plan: Plan, running: tuple[Remark, ...]) -> None:
        for remark in running:
            say(remark.sentence)
        settled = f" ({plan.settled:,} are judged already)" if plan.settled else ""
        say(f"Judging {plan.checks:,} checks of {len(plan.tasks):,} responses{settled}.")
        self.began = time.monotonic()

    def progress(self, at: Progress) -> None:
        now = time.monotonic()
        if not self.live or now - self.shown < 0.2:
            return
        self.shown = now
        left = (now - self.began) / at.done * (at.total - at.done)
        text = f"{at.done:,}/{at.total:,}, {int(left) // 60}:{int(left) % 60:02} left, {at.task.response.question}"
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    def end(self) -> None:
        if self.live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
