"""The one scoring core: from (tier, verdict) pairs to tier scores, the gamut score, its coverage and its interval.

The form is rebuilt from the words of GAMUT's scoring section (its equation is lost from our copy; see docs/rules.md):

    tier  = (M + lambda*P + mu*C) / (M + P + S + |mu|*C)         M, P, S, C: counts of the four verdicts in the tier
    gamut = sum(w_t * tier_t) / sum(w_t)                         over the tiers with at least one judged check
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from models.rubric.metarubric import TIERS, Tier
from models.rubric.profile import GAMUT_1, Profile
from models.verdicts import Verdict

Judged = tuple[Tier, Verdict | None]


@dataclass(frozen=True, slots=True)
class Score:
    """Scores in [-1, 1]; None is undefined, never zero.

    tiers: per tier, None if nothing in it is judged. counts: (judged, all) checks per tier. interval: the score if
    every unjudged check went the worst and the best way; None without checks.
    """

    gamut: float | None
    tiers: Mapping[Tier, float | None]
    counts: Mapping[Tier, tuple[int, int]]
    interval: tuple[float, float] | None

    @property
    def coverage(self) -> "Coverage":
        """How much of it is judged."""
        return Coverage.of([self.counts])

    def as_json(self) -> dict[str, Any]:
        """The stable shape of `gamut score`: raw values, all keys always."""
        return {
            "gamut": self.gamut,
            "tiers": {t.value: self.tiers[t] for t in TIERS},
            "coverage": self.coverage.as_json(),
            "interval": list(self.interval) if self.interval else None,
        }


@dataclass(frozen=True, slots=True)
class Coverage:
    """Judged share of the checks, 0..1, per tier and over all; None where there are no checks."""

    tiers: Mapping[Tier, float | None]
    all: float | None

    @classmethod
    def of(cls, counts: Iterable[Mapping[Tier, tuple[int, int]]]) -> "Coverage":
        """The coverage of one response's counts, or of several together."""
        several = list(counts)
        judged = {t: sum(c[t][0] for c in several) for t in TIERS}
        total = {t: sum(c[t][1] for c in several) for t in TIERS}
        everything = sum(total.values())
        return cls(
            {t: judged[t] / total[t] if total[t] else None for t in TIERS},
            sum(judged.values()) / everything if everything else None,
        )

    def as_json(self) -> dict[str, Any]:
        """All four keys always."""
        return {**{t.value: self.tiers[t] for t in TIERS}, "all": self.all}


def score(checks: Iterable[Judged], profile: Profile = GAMUT_1) -> Score:
    """Score one response's checks. A check without verdict (None) is left out of the point, and widens the interval."""
    counts: dict[Tier, Counter[Verdict | None]] = {tier: Counter() for tier in TIERS}
    for tier, verdict in checks:
        counts[tier][verdict] += 1
    tiers = {t: _tier_score(c, profile) for t, c in counts.items()}
    sizes = {t: (c.total() - c[None], c.total()) for t, c in counts.items()}
    return Score(_weighted(tiers, profile), tiers, sizes, _interval(counts, profile))


def _tier_score(counts: Counter[Verdict | None], profile: Profile) -> float | None:
    meets, partly = counts[Verdict.MEETS], counts[Verdict.PARTIALLY_MEETS]
    missing, contradicts = counts[Verdict.MISSING], counts[Verdict.CONTRADICTS]
    weight = meets + partly + missing + abs(profile.mu) * contradicts
    if not weight:
        return None
    return (meets + profile.lam * partly + profile.mu * contradicts) / weight


def _weighted(tiers: Mapping[Tier, float | None], profile: Profile) -> float | None:
    present = [(profile.weights[t], value) for t, value in tiers.items() if value is not None]
    if not present:
        return None
    return sum(w * value for w, value in present) / sum(w for w, _ in present)


def _interval(counts: Mapping[Tier, Counter[Verdict | None]], profile: Profile) -> tuple[float, float] | None:
    ends = []
    for verdict in (Verdict.CONTRADICTS, Verdict.MEETS):
        filled = {t: _tier_score(_with_unjudged_as(verdict, c), profile) for t, c in counts.items()}
        ends.append(_weighted(filled, profile))
    low, high = ends
    return None if low is None or high is None else (low, high)


def _with_unjudged_as(verdict: Verdict, counts: Counter[Verdict | None]) -> Counter[Verdict | None]:
    filled = Counter(counts)
    filled[verdict] += filled.pop(None, 0)
    return filled


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the defined values; None if there are none. Plain summation in the order given."""
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None
