"""Reading what is stored about responses, and turning it into score cards: shared by the report and the window."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from models.provenance import Asked
from models.rubric.checklist import Checklist
from models.rubric.metarubric import Question
from models.rubric.profile import profile_named
from models.scoring.card import ScoreCard, score_card
from models.store.connect import Snapshot
from models.store.queries.responses import responses
from models.store.queries.verdicts import overrides, verdicts
from models.store.queries.work import runs
from models.store.records import OverrideRow, ResponseRow, VerdictRow

Place = tuple[int, str]  # response id, judge


@dataclass(frozen=True, slots=True)
class Stored:
    """Everything stored about the responses to one question, or to all. `rulers`: each judge's newest."""

    responses: Mapping[str, list[ResponseRow]]
    rows: Mapping[Place, Mapping[str, list[VerdictRow]]]
    edits: Mapping[Place, Mapping[str, list[OverrideRow]]]
    rulers: Mapping[str, int]

    @property
    def judges(self) -> list[str]:
        """Every judge that has said something, or was overridden, sorted."""
        return sorted({judge for _, judge in (*self.rows, *self.edits)})

    def knows(self, response: ResponseRow, judge: str) -> bool:
        """Whether anything is stored of this judge about this response."""
        return (response.id, judge) in self.rows or (response.id, judge) in self.edits

    def card(
        self, question: Question, checklist: Checklist, response: ResponseRow, judge: str
    ) -> ScoreCard[VerdictRow]:
        """The score card of one response under one judge, on that checklist."""
        place = (response.id, judge)
        return score_card(
            checklist,
            Asked.of(question, response.variant, response.text),
            self.rows.get(place, {}),
            self.edits.get(place, {}),
            ruler_id=self.rulers.get(judge, -1),
            profile=profile_named(question.profile),
        )


def read_stored(snapshot: Snapshot, *, question: str | None = None) -> Stored:
    """Read one question's responses and what judges and people said of them, or the whole project's."""
    answers: dict[str, list[ResponseRow]] = defaultdict(list)
    for response in responses(snapshot, question=question):
        answers[response.question].append(response)
    return Stored(
        answers,
        _by_place(verdicts(snapshot, question=question)),
        _by_place(overrides(snapshot, question=question)),
        {run.judge: run.ruler_id for run in runs(snapshot) if run.ruler_id is not None},
    )


def _by_place(rows: Iterable[Any]) -> dict[Place, dict[str, list[Any]]]:
    """(response id, judge) -> check key -> rows, oldest first."""
    found: dict[Place, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row.response_id, row.judge][row.check.key].append(row)
    return {place: dict(by_check) for place, by_check in found.items()}
