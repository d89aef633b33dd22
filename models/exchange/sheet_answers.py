"""The answers on a sheet: each response with what judges said of it, and the words they quote marked in its text.

Marks are numbers: a verdict that quotes the response carries the number of its mark. Text goes out in plain pieces,
which the page escapes; nothing here makes markup.
"""

from bisect import bisect
from dataclasses import dataclass
from typing import Any

from models.quotes import find_quote
from models.rubric.checklist import Check
from models.rubric.metarubric import TIERS
from models.scoring.card import ScoreCard
from models.scoring.effective import Effective
from models.store.records import ResponseRow, VerdictRow
from models.verdicts import Outcome, Verdict

SHORT_TIERS = {TIERS[0]: "AC", TIERS[1]: "V", TIERS[2]: "C"}
_WORDS = {
    Verdict.MEETS: "meets",
    Verdict.PARTIALLY_MEETS: "partially meets",
    Verdict.MISSING: "missing",
    Verdict.CONTRADICTS: "contradicts",
}
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SheetAnswer:
    """A response, and the card of each judge that has said something of it."""

    response: ResponseRow
    cards: tuple[tuple[str, ScoreCard[VerdictRow]], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the response. `marks`: the numbers of the quotes that hold it; `ends`: of those that end with it."""

    text: str
    marks: tuple[int, ...]
    ends: tuple[int, ...]


def answer_of(answer: SheetAnswer) -> dict[str, Any]:
    """What the page shows of a response."""
    spans: list[Span] = []
    judges = [
        {
            "judge": judge,
            "score": "\N{EN DASH}" if card.score.gamut is None else f"{card.score.gamut * 100:.1f}",
            "checks": [_check(check, found, answer.response.text, spans) for check, found in card.checks],
        }
        for judge, card in answer.cards
    ]
    return {
        "model": answer.response.model,
        "variant": "text-only" if answer.response.variant.value == "text" else "",
        "sample": answer.response.sample,
        "pieces": pieces(answer.response.text, spans),
        "judges": judges,
    }


def pieces(text: str, spans: list[Span]) -> list[Piece]:
    """The text cut where a quote begins or ends; quotes are numbered from 1 in the order given."""
    cuts = sorted({0, len(text), *(edge for span in spans for edge in span)})
    held: list[list[int]] = [[] for _ in cuts[1:]]
    ends: list[list[int]] = [[] for _ in cuts[1:]]
    for number, (start, end) in enumerate(spans, start=1):
        first, last = bisect(cuts, start) - 1, bisect(cuts, end) - 2
        for each in range(first, last + 1):
            held[each].append(number)
        ends[last].append(number)
    return [
        Piece(text[a:b], tuple(marks), tuple(over))
        for a, b, marks, over in zip(cuts, cuts[1:], held, ends, strict=False)
    ]


def _check(check: Check, found: Effective[VerdictRow], text: str, spans: list[Span]) -> dict[str, Any]:
    """One line; a quote that is in the text is added to the spans."""
    row = found.row
    number = None
    span = find_quote(row.evidence, text) if row is not None and row.evidence else None
    if span is not None:
        if span not in spans:
            spans.append(span)
        number = spans.index(span) + 1
    return {
        "tier": SHORT_TIERS[check.tier],
        "text": check.text,
        "verdict": _words(found),
        "word": found.verdict.value if found.verdict else "none",
        "by_person": found.by_person,
        "unsupported": row is not None and row.unsupported,
        "rationale": row.rationale if row is not None else None,
        "later": row is not None and row.explained_at is not None,
        "evidence": row.evidence if row is not None else None,
        "number": number,
        "note": row.note if row is not None else None,
    }


def _words(found: Effective[VerdictRow]) -> str:
    if found.verdict is not None:
        return _WORDS[found.verdict]
    return "not judged" if found.outcome is Outcome.NOT_RUN else f"no verdict: {found.outcome.value.replace('_', ' ')}"
