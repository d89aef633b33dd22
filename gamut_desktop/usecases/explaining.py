"""Asking a judge afterwards why it gave a verdict: its own words, kept beside the verdict, which stays as it is.

A reason is only worth something for the same question: what was asked then must be what stands there now, and the judge
must be the one that gave the verdict, under the same ruler. Where it is not so, one sentence says why not.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from gamut_desktop.usecases.documents import question_in
from gamut_desktop.usecases.grading import pictures_of
from judge_local.port import Judge
from judge_local.runs.execute import asking_for
from judge_local.runs.plan import Task
from models.errors import GamutError
from models.provenance import Asked, Ruler
from models.rubric.checklist import Checklist, CheckText
from models.rubric.compile import compile_question
from models.rubric.metarubric import Question
from models.store.errors import ReadOnlyProject
from models.store.project import Project
from models.store.queries.responses import responses
from models.store.queries.verdicts import verdicts
from models.store.queries.work import rulers
from models.store.records import ResponseRow, RulerRow, VerdictRow
from models.verdicts import Variant

AGAIN = "Grade it again, then ask."


class NotExplained(GamutError):
    """The judge cannot be asked why, or has given no reason."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """A verdict with everything that it was given about, as it stands now."""

    row: VerdictRow
    ruler: RulerRow
    question: Question
    response: ResponseRow


def explain(project: Project, judge: Judge, verdict_id: int, *, stop: Callable[[], bool] = lambda: False) -> str | None:
    """Ask the judge for its reason for a verdict and store it; the reason, or None if `stop()` came first.

    A verdict that has a reason is not asked about again. Raises NotExplained, ReadOnlyProject, JudgeError; nothing is
    stored then.
    """
    standing = _standing(project, verdict_id)
    row = standing.row
    if row.rationale is not None:
        return row.rationale
    if project.read_only:
        raise ReadOnlyProject(project.path)
    task = _task(standing)
    _require_same_judge(judge, standing)
    asking = replace(
        asking_for(judge, task, lambda wanted: pictures_of(project, wanted)), later=None, explain=row.verdict
    )
    for _, answer in judge.judge(asking, stop):
        if answer.verdict is not row.verdict or not answer.rationale:
            raise NotExplained(
                f"{judge.id} gave no reason for its verdict.", answer.note or "Its note on the verdict may say more."
            )
        with project.write() as writer:
            writer.add_rationale(verdict_id, answer.rationale)
        return answer.rationale
    if stop():
        return None
    raise NotExplained(f"{judge.id} did not answer.", "Ask again; if it stays so, check the judge.")


def _standing(project: Project, verdict_id: int) -> _Standing:
    with project.read() as snapshot:
        row = next(iter(verdicts(snapshot, ids=[verdict_id])), None)
        if row is None:
            raise NotExplained("This verdict is not in the project any more.", "Choose another check.")
        if row.verdict is None:
            raise NotExplained(f"{row.judge} gave no verdict here, so there is nothing to explain.", AGAIN)
        ruler = next(each for each in rulers(snapshot) if each.id == row.ruler_id)
        response = next(each for each in responses(snapshot) if each.id == row.response_id)
        question = question_in(snapshot, response.question)
    assert question is not None  # a verdict outside the trash has its question there too
    return _Standing(row, ruler, question, response)


def _task(standing: _Standing) -> Task:
    """What was asked then, as a task of today; refused where the two differ."""
    row, response, question = standing.row, standing.response, standing.question
    asked = Asked.of(question, response.variant, response.text)
    check = CheckText(row.check.kind, row.check.text)
    texts = tuple(dict.fromkeys(CheckText(c.kind, c.text) for c in _checklist(question, response.variant).checks))
    if asked.key(check.kind, check.text) != row.input_key:
        raise NotExplained(
            "The question, its pictures or the response have changed since this verdict was given.", AGAIN
        )
    if check not in texts:
        raise NotExplained("The check was reworded or removed since this verdict was given.", AGAIN)
    if not response.text.strip():
        raise NotExplained("The response is empty: no judge was asked.", "There is nothing more to say about it.")
    return Task(response, asked, (check,), texts)


def _checklist(question: Question, variant: Variant) -> Checklist:
    try:
        return compile_question(question, variant)
    except GamutError as error:
        raise NotExplained("The rubric of this question does not compile any more.", str(error)) from error


def _require_same_judge(judge: Judge, standing: _Standing) -> None:
    """Raises NotExplained unless this judge, as it runs now, is the one that gave the verdict. May start it."""
    if judge.id != standing.row.judge:
        raise NotExplained(
            f"{judge.id} cannot say why {standing.row.judge} gave this verdict.", f"Ask {standing.row.judge}."
        )
    now = judge.ruler()
    if now.digest != standing.ruler.digest:
        facts = json.loads(standing.ruler.manifest)
        names = now.differences(_tupled(Ruler.of(facts.pop("judge"), **facts), now))
        raise NotExplained(
            f"{judge.id} is not set up as it was when it gave this verdict (another {', '.join(names)}).",
            f"{AGAIN[:-1]}; or set it up as it was.",
        )


def _tupled(stored: Ruler, now: Ruler) -> Ruler:
    """The stored ruler with its lists as the judge has them, as tuples or as lists."""
    kinds = {name: type(value) for name, value in now.facts}
    facts = {
        name: tuple(value) if isinstance(value, list) and kinds.get(name) is tuple else value
        for name, value in stored.facts
    }
    return Ruler.of(stored.judge, **facts)
