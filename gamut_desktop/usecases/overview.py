"""The overview of a project: one line a question, with how far a judge has got with it. For lists; scores nothing."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Literal

from gamut_desktop.usecases.documents import read_document
from models.errors import GamutError
from models.rubric.compile import compile_question
from models.rubric.metarubric import Question
from models.store.connect import Snapshot
from models.store.queries.questions import current_versions, questions
from models.store.queries.responses import responses
from models.store.queries.status import judged_counts
from models.store.queries.work import runs
from models.store.records import VersionRow
from models.verdicts import Variant

State = Literal["graded", "partly", "ungraded", "draft", "problem", "dropped"]


@dataclass(frozen=True, slots=True)
class Line:
    """One question as lists show it. `image`: sha256 of its first picture. `problem`: why it cannot be graded."""

    key: str
    text: str
    state: State
    image: str | None
    problem: str | None
    also: str


@dataclass
class Known:
    """What was worked out about documents, by their hash, so that an overview is quick the second time."""

    facts: dict[str, "_Facts"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Facts:
    text: str
    image: str | None
    dropped: bool
    also: str
    checks: dict[Variant, int]
    problem: str | None


def overview(snapshot: Snapshot, judge: str, known: Known) -> list[Line]:
    """Every question outside the trash, in the user's order."""
    ruler = next((run.ruler_id for run in reversed(runs(snapshot, judge=judge)) if run.ruler_id is not None), None)
    judged: dict[str, int] = defaultdict(int)
    if ruler is not None:
        for count in judged_counts(snapshot, ruler_id=ruler):
            judged[count.question] += count.checks_with_outcome
    answers: dict[str, list[Variant]] = defaultdict(list)
    for response in responses(snapshot):
        answers[response.question].append(response.variant)
    drafts = {row.key for row in questions(snapshot) if row.draft_differs}
    lines = []
    for version in current_versions(snapshot):
        facts = known.facts.get(version.sha256) or known.facts.setdefault(version.sha256, _facts(version))
        expected = sum(facts.checks.get(variant, 0) for variant in answers[version.question])
        state = _state(facts, version.question in drafts, judged[version.question], expected)
        lines.append(Line(version.question, facts.text, state, facts.image, facts.problem, facts.also))
    return lines


def _state(facts: _Facts, draft: bool, judged: int, expected: int) -> State:
    if facts.dropped:
        return "dropped"
    if facts.problem is not None:
        return "problem"
    if draft:
        return "draft"
    if not judged or not expected:
        return "ungraded"
    return "graded" if judged >= expected else "partly"


def _facts(version: VersionRow) -> _Facts:
    question = read_document(version.doc, version.question)
    checks: dict[Variant, int] = {}
    problem = None
    try:
        for variant in _variants(question):
            checks[variant] = len({check.key for check in compile_question(question, variant).checks})
    except GamutError as error:
        problem = str(error)
    image = next((image.sha256 for image in question.images if image.sha256), None)
    tags = " ".join(value for _, value in question.tags)
    also = " ".join(filter(None, [question.domain, question.topic, question.entity, tags]))
    return _Facts(question.question, image, question.status == "dropped", also, checks, problem)


def _variants(question: Question) -> list[Variant]:
    ready = question.text_only is not None and question.text_only.status == "ready"
    return [Variant.IMAGE, Variant.TEXT] if ready else [Variant.IMAGE]
