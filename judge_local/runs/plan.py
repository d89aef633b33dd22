"""The plan of a run, pure: which checks of which responses are still to be asked, in which order.

The order is that of the prefix tree (question, then response, then check), so that a judge that shares prefixes
evaluates each of them once. What has an answer under the same two keys is not asked again: that is all a resume is.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from models.errors import GamutError
from models.provenance import Asked
from models.rubric.checklist import Checklist, CheckText
from models.rubric.metarubric import Question
from models.store.records import ResponseRow
from models.verdicts import Variant

Compiler = Callable[[Question, Variant], Checklist]


@dataclass(frozen=True, slots=True)
class Task:
    """One response with the checks that are still wanted of it. checklist: all its checks, in order, each text once.

    later: how many of its pictures and its question (in this order) the task after it shares.
    """

    response: ResponseRow
    asked: Asked
    checks: tuple[CheckText, ...]
    checklist: tuple[CheckText, ...] = ()
    later: int = 0


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
    return Plan(tuple(depth_first(tasks)), done, tuple(skipped))


def depth_first(tasks: Iterable[Task]) -> list[Task]:
    """In the order of the prefix tree, so that each stretch above a response is walked down once; else as given.

    Tasks that share their first pictures stand together, wherever their questions stand in the project.
    """
    tasks = list(tasks)
    first: dict[tuple[object, ...], int] = {}
    for number, task in enumerate(tasks):
        for prefix in _prefixes(task):
            first.setdefault(prefix, number)
    tasks.sort(key=lambda task: [first[prefix] for prefix in _prefixes(task)])
    shared = [_shared(_path(a), _path(b)) for a, b in pairwise(tasks)]
    return [replace(task, later=later) for task, later in zip(tasks, [*shared, 0], strict=False)]


def _path(task: Task) -> tuple[object, ...]:
    """What stands between system and response: the pictures, then the question with its reference."""
    return (*task.asked.image_hashes, (task.asked.question, task.asked.reference, task.response.variant))


def _prefixes(task: Task) -> list[tuple[object, ...]]:
    path = _path(task)
    return [path[: length + 1] for length in range(len(path))]


def _shared(a: tuple[object, ...], b: tuple[object, ...]) -> int:
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


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
    return Task(response, asked, wanted, tuple(asks)), len(asks) - len(wanted)
