"""A score card: one response under one judge, check by check, with the verdict that counts and the score."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from models.provenance import Asked
from models.rubric.checklist import Check, Checklist
from models.rubric.profile import Profile
from models.scoring.effective import Effective, Override, Row, effective
from models.scoring.score import Score, score

R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class ScoreCard(Generic[R]):
    """`checks` in checklist order, each with what counts for it."""

    checks: tuple[tuple[Check, Effective[R]], ...]
    score: Score


def score_card(
    checklist: Checklist,
    asked: Asked,
    rows: Mapping[str, Iterable[R]],
    overrides: Mapping[str, Iterable[Override]],
    *,
    ruler_id: int,
    profile: Profile,
) -> ScoreCard[R]:
    """Read one judge's stored answers about one response. `rows` and `overrides`: by check key, oldest first."""
    read = tuple(
        (
            check,
            effective(
                rows.get(check.key, ()),
                overrides.get(check.key, ()),
                input_key=asked.key(check.kind, check.text),
                ruler_id=ruler_id,
            ),
        )
        for check in checklist.checks
    )
    return ScoreCard(read, score([(check.tier, found.verdict) for check, found in read], profile))
