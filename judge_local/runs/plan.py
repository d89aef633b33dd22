"""The plan of a run, pure: which checks of which responses are still to be asked, in which order.

The order is that of the prefix tree (question, then response, then check), so that a judge that shares prefixes
evaluates each of them once. What has an answer under the same two keys is not asked again: that is all a resume is.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass

from models.errors import GamutError
from models.provenance import Asked
from models.rubric.checklist import Checklist, CheckText
from models.rubric.metarubric import Question
from models.store.records import ResponseRow
from models.verdicts import Variant

Compiler = Callable[[Question, Variant], Checklist]


@dataclass(frozen=True, slots=True)
class Task:
    """One response with the checks that are still wanted of it."""

    response: ResponseRow
    asked: Asked
    checks: tuple[CheckText, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A question, or one variant of it, that cannot be graded, and why."""

    question: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Plan:
    """`settled`: checks that have their answer already; they are not asked again."""

    tasks: tuple[Task, ...]
    settled: int
    skipped: tuple[Skipped, ...]

    @property
    def checks(self) -> int:
        """How many checks are to be asked."""
        return sum(len(task.checks) for task in self.tasks)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which part of a project to grade: one question, one model, at most `limit` responses, shard i of n (from 1)."""

    question: str | None = None
    model: str | None = None
    limit: int | None = None
    shard: tuple[int, int] = (1, 1)


def make_plan(
    questions: Iterable[Question],
    responses: Mapping[str, Iterable[ResponseRow]],
    settled: Container[tuple[int, str]],
    selection: Selection,
    compiler: Compiler,
) -> Plan:
    """Plan the selected part. `responses`: by question id, in order. `settled`: (response id, input key) pairs."""
    tasks: list[Task] = []
    skipped: list[Skipped] = []
    done = taken = 0
    for number, question in enumerate(questions):
        if not _selected(question, number, selection):
            continue
        compiled = _Compiled(question, compiler, skipped)
        for response in responses.get(question.id, ()):
            if selection.model is not None and response.model != selection.model:
                continue
            checklist = compiled.checklist(response.variant)
            if checklist is None:
                continue
            if selection.limit is not None and taken >= selection.limit:
                break
            taken += 1
            task, already = _task(question, response, checklist, settled)
            done += already
            if task.checks:
                tasks.append(task)
    return Plan(tuple(tasks), done, tuple(skipped))


def _selected(question: Question, number: int, selection: Selection) -> bool:
    part, parts = selection.shard
    if question.status == "dropped" or number % parts != part - 1:
        return False
    return selection.question is None or question.id == selection.question


@dataclass
class _Compiled:
    """The checklists of one question by variant, each compiled once; a refusal is noted once."""

    question: Question
    compiler: Compiler
    skipped: list[Skipped]

    def __post_init__(self) -> None:
        self._known: dict[Variant, Checklist | None] = {}

    def checklist(self, variant: Variant) -> Checklist | None:
        if variant not in self._known:
            try:
                self._known[variant] = self.compiler(self.question, variant)
            except GamutError as error:
                self._known[variant] = None
                self.skipped.append(Skipped(self.question.id, str(error)))
        return self._known[variant]


def _task(
    question: Question, response: ResponseRow, checklist: Checklist, settled: Container[tuple[int, str]]
) -> tuple[Task, int]:
    """The task, and how many of its checks are settled already. A text that two checks share is asked once."""
    asked = Asked.of(question, response.variant, response.text)
    asks = dict.fromkeys(CheckText(check.kind, check.text) for check in checklist.checks)
    wanted = tuple(ask for ask in asks if (response.id, asked.key(ask.kind, ask.text)) not in settled)
    return Task(response, asked, wanted), len(asks) - len(wanted)
