"""From the logits after "Answer:" to an Answer: five label probabilities, the prior taken off, the rules of outcome.

Pure arithmetic in float64, in one place, so that what the ruler says about labels, prior and mass is what happens.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judge_local.port import Answer
from models.verdicts import Outcome, Verdict

Five = tuple[float, float, float, float, float]
MIN_LABEL_MASS = 0.05
_VERDICTS = tuple(Verdict)
_CANNOT_TELL = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model said to one check: natural logs of the five labels, normalised over the five, and their mass.

    Order: meets, partially_meets, missing, contradicts, cannot tell. mass: their share of all probability, 0..1.
    """

    logs: Five
    mass: float


def read(logits: NDArray[np.float32], letters: Sequence[int], order: Sequence[Verdict]) -> Reading | None:
    """letters: the label tokens, A to E; order: which verdict stood at A to D. None: the numbers are not finite."""
    wide = logits.astype(np.float64)
    if not math.isfinite(wide.max()):
        return None
    total = float(np.logaddexp.reduce(wide))
    shown = [float(wide[token]) - total for token in letters]
    if not all(math.isfinite(value) for value in shown):
        return None
    at = [shown[order.index(verdict)] for verdict in _VERDICTS] + [shown[_CANNOT_TELL]]
    inside = _log_sum(at)
    return Reading(_five([value - inside for value in at]), math.exp(inside))


def mean(readings: Sequence[Reading]) -> Reading:
    """The mean over option orders: of the logs, normalised again (a liking for a letter cancels), and of the mass."""
    if len(readings) == 1:
        return readings[0]
    logs = [sum(reading.logs[i] for reading in readings) / len(readings) for i in range(5)]
    inside = _log_sum(logs)
    return Reading(_five([value - inside for value in logs]), sum(r.mass for r in readings) / len(readings))


def without_prior(logs: Five, prior: Five) -> Five:
    """Divide the four verdicts' probabilities by the prior's, in log space; "cannot tell" keeps its probability.

    logs'[v] = logs[v] - prior[v] - log sum_w exp(logs[w] - prior[w]) + log(1 - p(cannot tell)), v and w over the four.
    """
    freed = [logs[i] - prior[i] for i in range(_CANNOT_TELL)]
    share = _log_sum(logs[:_CANNOT_TELL]) - _log_sum(freed)
    return _five([value + share for value in freed] + [logs[_CANNOT_TELL]])


def answer(reading: Reading, prior: Reading | None) -> Answer:
    """The outcome: too little mass is unparsable; "cannot tell" ahead of all before the prior is taken off abstains."""
    logs = without_prior(reading.logs, prior.logs) if prior else reading.logs
    if reading.mass < MIN_LABEL_MASS:
        note = f"Only {reading.mass:.1%} of the model's probability fell on the five letters it was asked for."
        return Answer(Outcome.UNPARSABLE, log_probabilities=logs, label_mass=reading.mass, note=note)
    if reading.logs[_CANNOT_TELL] > max(reading.logs[:_CANNOT_TELL]):
        return Answer(Outcome.ABSTAINED, log_probabilities=logs, label_mass=reading.mass)
    verdict = max(_VERDICTS, key=lambda v: logs[_VERDICTS.index(v)])
    return Answer(Outcome.VERDICT, verdict, log_probabilities=logs, label_mass=reading.mass)


def margin(answer: Answer) -> float:
    """Probability of the likeliest verdict less that of the next, over the four verdicts; 0.0 without a verdict."""
    if answer.verdict is None or answer.log_probabilities is None:
        return 0.0
    first, second = sorted((math.exp(value) for value in answer.log_probabilities[:_CANNOT_TELL]), reverse=True)[:2]
    return first - second


def _log_sum(values: Sequence[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))


def _five(values: Sequence[float]) -> Five:
    a, b, c, d, e = values
    return a, b, c, d, e
