"""Executing a plan: ask, store each answer as it comes, go on where the last run stopped.

Answers are written in small transactions, a quarter of a second apart at most, so that a crash costs no more than what
was in flight; a judge that fails leaves what it has answered, and the run says how it ended.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from judge_local.port import Answer, Asking, Judge, Picture
from judge_local.runs.plan import Plan, Task
from models.errors import GamutError
from models.rubric.checklist import CheckText
from models.store.project import Project
from models.store.records import NewVerdict, RunStatus
from models.verdicts import Outcome, Variant, Verdict

FLUSH_SECONDS = 0.25
# Outcomes that a later run asks again; the others would come out the same under the same two keys.
ASK_AGAIN = frozenset({Outcome.FAILED, Outcome.NOT_RUN})
EMPTY = Answer(Outcome.VERDICT, Verdict.MISSING, note="The response is empty.")


@dataclass(frozen=True, slots=True)
class Progress:
    """One stored answer, and how far the run is."""

    done: int
    total: int
    task: Task
    check: CheckText
    answer: Answer


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended. `error`: the judge could not go on; `failed`: checks whose outcome is FAILED."""

    status: RunStatus
    asked: int
    answered: int
    failed: int
    error: GamutError | None = None


@dataclass
class _Pending:
    """Answers waiting to be written."""

    project: Project
    run_id: int
    ruler_id: int
    rows: list[NewVerdict]
    written: float

    def add(self, task: Task, check: CheckText, answer: Answer) -> None:
        self.rows.append(
            NewVerdict(
                response_id=task.response.id,
                kind=check.kind,
                text=check.text,
                ruler_id=self.ruler_id,
                input_key=task.asked.key(check.kind, check.text),
                outcome=answer.outcome,
                verdict=answer.verdict,
                log_probabilities=answer.log_probabilities,
                label_mass=answer.label_mass,
                rationale=answer.rationale,
                evidence=answer.evidence,
                note=answer.note,
                run_id=self.run_id,
            )
        )
        if time.monotonic() - self.written >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self.rows:
            with self.project.write() as writer:
                writer.add_verdicts(self.rows)
            self.rows.clear()
        self.written = time.monotonic()


def execute(
    project: Project,
    judge: Judge,
    plan: Plan,
    *,
    run_id: int,
    ruler_id: int,
    stop: Callable[[], bool],
    on_progress: Callable[[Progress], None] = lambda _: None,
    pictures: Callable[[Task], tuple[Picture, ...]] = lambda _: (),
) -> Ended:
    """Ask everything in the plan and store the answers. Errors of the judge end the run; errors of the store raise.

    `pictures` is called per task where the judge sees images. The run's row is finished in every case but a crash.
    """
    pending = _Pending(project, run_id, ruler_id, [], time.monotonic())
    answered = failed = 0
    error: GamutError | None = None
    status = RunStatus.FAILED
    try:
        for task in plan.tasks:
            for check, answer in _answers(judge, task, stop, pictures):
                pending.add(task, check, answer)
                answered += 1
                failed += answer.outcome is Outcome.FAILED
                on_progress(Progress(answered, plan.checks, task, check, answer))
            if stop():
                break
        status = RunStatus.DONE if answered == plan.checks else RunStatus.STOPPED
    except GamutError as caught:
        error = caught
    finally:
        try:
            pending.flush()
        finally:
            with project.write() as writer:
                writer.finish_run(run_id, status)
    return Ended(status, plan.checks, answered, failed, error)


def asking_for(judge: Judge, task: Task, pictures: Callable[[Task], tuple[Picture, ...]]) -> Asking:
    """The task as this judge is asked it; `pictures` is called where it is shown some."""
    shown = judge.sees_images and task.response.variant is Variant.IMAGE
    return Asking(
        question=task.asked.question,
        response=task.response.text,
        checks=task.checks,
        variant=task.response.variant,
        pictures=pictures(task) if shown else (),
        reference=task.asked.reference,
        unseen=not shown and bool(task.asked.image_hashes),
        checklist=task.checklist,
        later=task.later if shown else int(task.later > len(task.asked.image_hashes)),
    )


def _answers(
    judge: Judge, task: Task, stop: Callable[[], bool], pictures: Callable[[Task], tuple[Picture, ...]]
) -> Iterator[tuple[CheckText, Answer]]:
    if stop():
        return
    if not task.response.text.strip():
        yield from ((check, EMPTY) for check in task.checks)
        return
    for index, answer in judge.judge(asking_for(judge, task, pictures), stop):
        yield task.checks[index], answer
