"""From logits to an outcome: plain arithmetic, worked by hand where that is possible."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_local.reading import Reading, answer, mean, read, without_prior
from models.verdicts import Outcome, Verdict

LETTERS = (10, 11, 12, 13, 14)
ORDER = (Verdict.MISSING, Verdict.MEETS, Verdict.CONTRADICTS, Verdict.PARTIALLY_MEETS)
logs = st.tuples(*[st.floats(-20, 0)] * 5).map(lambda five: normal(five))


def normal(values: tuple[float, ...]) -> tuple[float, ...]:
    total = math.log(sum(map(math.exp, values)))
    return tuple(value - total for value in values)


def reading(
    meets: float, partially: float, missing: float, contradicts: float, cannot: float, mass: float = 1
) -> Reading:
    return Reading(tuple(map(math.log, (meets, partially, missing, contradicts, cannot))), mass)  # type: ignore[arg-type]


def logits(shares: dict[int, float]) -> np.ndarray:
    rest = (1 - sum(shares.values())) / (20 - len(shares))
    return np.array([math.log(shares.get(token, rest)) + 3 for token in range(20)], dtype=np.float32)


def test_letters_become_verdicts_by_the_order_they_stood_in() -> None:
    got = read(logits({10: 0.1, 11: 0.2, 12: 0.05, 13: 0.1, 14: 0.05}), LETTERS, ORDER)
    assert got is not None
    assert got.mass == pytest.approx(0.5, abs=1e-6)
    assert np.exp(got.logs) == pytest.approx([0.4, 0.2, 0.2, 0.1, 0.1], abs=1e-6)


def test_broken_numbers_are_no_reading() -> None:
    assert read(np.full(20, np.nan, dtype=np.float32), LETTERS, ORDER) is None


def test_the_prior_is_divided_out_of_the_four_verdicts_only() -> None:
    freed = without_prior(reading(0.4, 0.1, 0.2, 0.1, 0.2).logs, reading(0.4, 0.1, 0.1, 0.1, 0.3).logs)
    # ratios 1, 1, 2, 1 share what "cannot tell" (0.2) leaves
    assert np.exp(freed) == pytest.approx([0.16, 0.16, 0.32, 0.16, 0.2])


@given(logs, logs)
def test_without_prior_stays_a_distribution_and_keeps_cannot_tell(
    own: tuple[float, ...], prior: tuple[float, ...]
) -> None:
    freed = without_prior(own, prior)  # type: ignore[arg-type]
    assert sum(map(math.exp, freed)) == pytest.approx(1)
    assert freed[4] == own[4]


def test_a_judge_that_says_what_it_always_says_says_nothing() -> None:
    same = reading(0.7, 0.1, 0.1, 0.05, 0.05)
    assert np.exp(without_prior(same.logs, same.logs))[:4] == pytest.approx([0.2375] * 4)


def test_the_prior_can_turn_a_verdict() -> None:
    own, prior = reading(0.5, 0.1, 0.3, 0.05, 0.05), reading(0.8, 0.1, 0.05, 0.025, 0.025)
    assert answer(own, None).verdict is Verdict.MEETS
    assert answer(own, prior).verdict is Verdict.MISSING


def test_cannot_tell_ahead_of_all_abstains_whatever_the_prior() -> None:
    got = answer(reading(0.1, 0.1, 0.3, 0.1, 0.4), reading(0.9, 0.04, 0.001, 0.03, 0.029))
    assert (got.outcome, got.verdict) == (Outcome.ABSTAINED, None)
    assert got.log_probabilities is not None


def test_too_little_mass_on_the_letters_is_unparsable() -> None:
    got = answer(reading(0.9, 0.02, 0.03, 0.03, 0.02, mass=0.049), None)
    assert (got.outcome, got.verdict, got.label_mass) == (Outcome.UNPARSABLE, None, 0.049)
    assert got.note == "Only 4.9% of the model's probability fell on the five letters it was asked for."
    assert answer(reading(0.9, 0.02, 0.03, 0.03, 0.02, mass=0.05), None).verdict is Verdict.MEETS


def test_a_liking_for_a_letter_cancels_over_the_four_turns() -> None:
    truth = {Verdict.MEETS: 1.0, Verdict.PARTIALLY_MEETS: 0.2, Verdict.MISSING: 0.1, Verdict.CONTRADICTS: 0.0}
    liking = (2.0, 0.0, -1.0, 0.5)
    readings = []
    for turn in range(4):
        order = tuple((list(Verdict) * 2)[turn : turn + 4])
        values = [truth[verdict] + liking[place] for place, verdict in enumerate(order)] + [0.0]
        padded = np.full(20, -5.0, dtype=np.float32)
        padded[10:15] = values
        got = read(padded, LETTERS, order)
        assert got is not None
        readings.append(got)
    logs = mean(readings).logs
    gaps = [logs[0] - logs[i] for i in range(4)]
    assert gaps == pytest.approx([0, 0.8, 0.9, 1.0], abs=1e-6)
