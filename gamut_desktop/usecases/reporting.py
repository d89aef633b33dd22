"""The report: scores by question, model and judge, read from what is stored. Nothing is judged or rounded here."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gamut_desktop.usecases.documents import questions_in
from gamut_desktop.usecases.reading import Stored, read_stored
from models.errors import GamutError
from models.rubric.checklist import Checklist
from models.rubric.compile import compile_question
from models.rubric.metarubric import TIERS, Question, Tier
from models.rubric.profile import profile_named
from models.scoring.card import ScoreCard
from models.scoring.score import Coverage, mean
from models.store.connect import Snapshot
from models.store.project import Project
from models.store.records import VerdictRow
from models.verdicts import Outcome, Variant, Verdict


@dataclass(frozen=True, slots=True)
class Card:
    """One response under one judge."""

    question: str
    model: str
    judge: str
    variant: Variant
    sample: int
    response_id: int
    card: ScoreCard[VerdictRow]


@dataclass(frozen=True, slots=True)
class Report:
    """`cards` in the order question, model, judge, variant, sample.

    asked: questions per variant. remarks: what could not be scored, as sentences.
    """

    profile: str
    cards: tuple[Card, ...]
    asked: Mapping[Variant, int]
    remarks: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The stable shape of `gamut report --format json`."""
        return {"profile": self.profile, "rows": self.rows(), "questions": self.questions()}

    def questions(self) -> list[dict[str, Any]]:
        """A row a question, model, judge and variant; several samples are averaged."""
        return [
            {"question_id": question, "model": model, "judge": judge, "variant": variant.value} | _mean_of(cards)
            for (question, model, judge, variant), cards in self._grouped()
        ]

    def rows(self) -> list[dict[str, Any]]:
        """A row a model, judge and variant: means over the questions it has a response to."""
        by_row: dict[tuple[str, str, Variant], list[list[Card]]] = defaultdict(list)
        for (_, model, judge, variant), cards in self._grouped():
            by_row[model, judge, variant].append(cards)
        return [self._row(key, by_row[key]) for key in sorted(by_row)]

    def _row(self, key: tuple[str, str, Variant], groups: list[list[Card]]) -> dict[str, Any]:
        model, judge, variant = key
        each = [_mean_of(cards) for cards in groups]
        found = [found for cards in groups for card in cards for _, found in card.card.checks]
        said = Counter(one.verdict for one in found if one.verdict is not None)
        came = Counter(one.outcome for one in found)
        return {
            "model": model,
            "judge": judge,
            "variant": variant.value,
            "questions": self.asked[variant],
            "answered": len(groups),
            "gamut": mean(one["gamut"] for one in each),
            "interval": _mean_interval(one["interval"] for one in each),
            "tiers": {t.value: mean(one["tiers"][t.value] for one in each) for t in TIERS},
            "coverage": Coverage.of(card.card.score.counts for cards in groups for card in cards).as_json(),
            "verdicts": {verdict.value: said[verdict] for verdict in Verdict},
            "outcomes": {outcome.value: came[outcome] for outcome in Outcome},
        }

    def _grouped(self) -> list[tuple[tuple[str, str, str, Variant], list[Card]]]:
        groups: dict[tuple[str, str, str, Variant], list[Card]] = {}
        for card in self.cards:
            groups.setdefault((card.question, card.model, card.judge, card.variant), []).append(card)
        return list(groups.items())


def _mean_of(cards: list[Card]) -> dict[str, Any]:
    scores = [card.card.score for card in cards]
    return {
        "gamut": mean(score.gamut for score in scores),
        "tiers": {tier.value: mean(score.tiers[tier] for score in scores) for tier in Tier},
        "coverage": Coverage.of(score.counts for score in scores).as_json(),
        "interval": _mean_interval(score.interval for score in scores),
    }


def _mean_interval(intervals: Iterable[Any]) -> list[float] | None:
    defined = [interval for interval in intervals if interval is not None]
    if not defined:
        return None
    low, high = mean(i[0] for i in defined), mean(i[1] for i in defined)
    return None if low is None or high is None else [low, high]


def report(project: Project, *, question: str | None = None) -> Report:
    """Read every score card of a project, or of one question. Each judge by its newest ruler."""
    with project.read() as snapshot:
        return read_report(snapshot, question=question)


def read_report(snapshot: Snapshot, *, question: str | None = None) -> Report:
    """The same within a transaction that is open already."""
    asked = [q for q in questions_in(snapshot) if q.status == "active" and question in (None, q.id)]
    stored = read_stored(snapshot, question=question)
    remarks: list[str] = []
    cards = [card for one in asked for card in _cards_of(one, stored, remarks)]
    ready = sum(1 for q in asked if q.text_only is not None and q.text_only.status == "ready")
    profile = profile_named(asked[0].profile if asked else None).name
    return Report(profile, tuple(cards), {Variant.IMAGE: len(asked), Variant.TEXT: ready}, tuple(remarks))


def _cards_of(question: Question, stored: Stored, remarks: list[str]) -> list[Card]:
    answers = stored.responses.get(question.id, [])
    compiled = {variant: _compiled(question, variant, remarks) for variant in {a.variant for a in answers}}
    cards = []
    for response in answers:
        checklist = compiled[response.variant]
        for judge in stored.judges:
            if checklist is not None and stored.knows(response, judge):
                card = stored.card(question, checklist, response, judge)
                cards.append(
                    Card(question.id, response.model, judge, response.variant, response.sample, response.id, card)
                )
    return sorted(cards, key=lambda c: (c.model, c.judge, c.variant, c.sample))


def _compiled(question: Question, variant: Variant, remarks: list[str]) -> Checklist | None:
    try:
        return compile_question(question, variant)
    except GamutError as error:
        remarks.append(str(error))
        return None
