"""Grading a project with one judge: plan what is missing, ask, store; stop and go on at any time."""

import json
import platform
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

import gamut_desktop
from gamut_desktop.usecases.documents import questions_in
from judge_local.port import Judge, Picture, Remark
from judge_local.runs.execute import ASK_AGAIN, Ended, Progress, execute
from judge_local.runs.plan import Plan, Selection, Task, make_plan
from models.errors import GamutError
from models.media.gate import decode
from models.provenance import Ruler
from models.rubric.compile import compile_question
from models.rubric.metarubric import Question
from models.store.project import Project
from models.store.queries.images import image_bytes
from models.store.queries.responses import responses
from models.store.queries.verdicts import verdicts
from models.store.records import ResponseRow
from models.verdicts import Variant


class NothingToGrade(GamutError):
    """The selection holds no response."""


class PicturesUnseen(GamutError):
    """The judge sees no pictures, and the questions have some."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What a grading run did. `remarks`: sentences worth telling the person. running: how the judge ran, and why so."""

    ended: Ended
    plan: Plan
    ruler: Ruler
    remarks: tuple[str, ...] = field(default=())
    running: tuple[Remark, ...] = field(default=())

    @property
    def complete(self) -> bool:
        """Whether every check of the selection has an outcome now, and none failed."""
        return self.ended.answered == self.ended.asked and not self.ended.failed and not self.plan.skipped


def grade(
    project: Project,
    judge: Judge,
    *,
    selection: Selection | None = None,
    text_only: bool = False,
    needs_consent: bool = True,
    stop: Callable[[], bool] = lambda: False,
    on_plan: Callable[[Plan], None] = lambda _: None,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Graded:
    """Grade what is not graded yet. Answers are stored as they come; calling it again goes on where it stopped.

    text_only: the person knows that this judge does not see the pictures. needs_consent: False for a judge that never
    looks at more than words, by design. Raises NothingToGrade, PicturesUnseen, JudgeError before anything is asked; a
    judge's error on the way is in `ended.error`.
    """
    selection = selection or Selection()
    selected = _selected(project, selection)
    _require_something(selected, project, selection)
    if needs_consent and not text_only and not judge.sees_images:
        _require_seeing(selected, judge.id)
    ruler = judge.ruler()
    lease = f"grade {judge.id} {selection.shard[0]}/{selection.shard[1]}"
    with project.write() as writer:
        writer.mark_crashed_runs()
        writer.acquire_lease(lease, f"A grading run with {judge.id}")
        ruler_id = writer.ensure_ruler(ruler)
    try:
        plan = plan_grading(project, judge.id, ruler_id, selection)
        on_plan(plan)
        with project.write() as writer:
            run_id = writer.start_run(judge.id, ruler_id=ruler_id, manifest=_manifest(judge, ruler, selection, plan))
        ended = execute(
            project,
            judge,
            plan,
            run_id=run_id,
            ruler_id=ruler_id,
            stop=stop,
            on_progress=on_progress,
            pictures=_PicturesOfARun(project),
        )
    finally:
        with project.write() as writer:
            writer.release_lease(lease)
    running = judge.remarks()
    remarks = [remark.sentence for remark in running if remark.lasting]
    remarks += [f"{skipped.question}: {skipped.sentence}" for skipped in plan.skipped]
    return Graded(ended, plan, ruler, tuple(remarks), running)


def plan_grading(project: Project, judge: str, ruler_id: int, selection: Selection) -> Plan:
    """What this judge, by this ruler, has not answered yet."""
    with project.read() as snapshot:
        by_question: dict[str, list[ResponseRow]] = defaultdict(list)
        for row in responses(snapshot, question=selection.question):
            by_question[row.question].append(row)
        said = verdicts(snapshot, question=selection.question, judge=judge)
        settled = {
            (row.response_id, row.input_key)
            for row in said
            if row.ruler_id == ruler_id and row.outcome not in ASK_AGAIN
        }
        asked = questions_in(snapshot)
    return make_plan(asked, by_question, settled, selection, compile_question)


def _selected(project: Project, selection: Selection) -> list[tuple[Question, Variant]]:
    with project.read() as snapshot:
        known = {question.id: question for question in questions_in(snapshot)}
        rows = responses(snapshot, question=selection.question, model=selection.model)
    return [(known[row.question], row.variant) for row in rows if row.question in known]


def _require_something(selected: list[tuple[Question, Variant]], project: Project, selection: Selection) -> None:
    if selected:
        return
    of = f" of {selection.model}" if selection.model else ""
    to = f" to '{selection.question}'" if selection.question else ""
    raise NothingToGrade(
        f"There is no response{of}{to} in {project.path.name}.", "Import responses, or check the names you gave."
    )


def _require_seeing(selected: list[tuple[Question, Variant]], judge: str) -> None:
    pictured = {q.id for q, variant in selected if q.images and variant is Variant.IMAGE}
    if pictured:
        count = f"{len(pictured)} question{'s' * (len(pictured) != 1)}"
        raise PicturesUnseen(
            f"{judge} reads text only, and {count} of this selection show{'s' * (len(pictured) == 1)} pictures.",
            "Add --text-only to grade by text alone, or choose a judge that sees.",
        )


@dataclass
class _PicturesOfARun:
    """Decoded once for all responses to a question, since a plan keeps these together."""

    project: Project
    hashes: tuple[str, ...] = ()
    held: tuple[Picture, ...] = ()

    def __call__(self, task: Task) -> tuple[Picture, ...]:
        if task.asked.image_hashes != self.hashes:
            self.held = pictures_of(self.project, task)
            self.hashes = task.asked.image_hashes
        return self.held


def pictures_of(project: Project, task: Task) -> tuple[Picture, ...]:
    """The pictures of the task's question as a judge gets them, through the gate."""
    with project.read() as snapshot:
        found = [(sha, image_bytes(snapshot, sha)) for sha in task.asked.image_hashes]
    gated = [decode(data, name=sha[:12]) for sha, data in found if data is not None]
    return tuple(Picture(g.sha256, g.width, g.height, g.rgb) for g in gated)


def _manifest(judge: Judge, ruler: Ruler, selection: Selection, plan: Plan) -> str:
    return json.dumps(
        {
            "app": gamut_desktop.__version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "ruler": ruler.digest,
            "seed": dict(ruler.facts).get("seed"),
            "running": [remark.sentence for remark in judge.remarks()],
            "selection": asdict(selection),
            "checks": plan.checks,
            "settled_before": plan.settled,
        },
        sort_keys=True,
    )
