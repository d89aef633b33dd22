"""Optional counting by code: threshold checks from what is said of each option, sequence checks from where steps stand.

A judge around a judge. The inner one is asked about single options and steps; the verdict follows by the profile's rule
(DESIGN, section 3, "Verdicts"), and the rationale says what was counted. Off by default: the paper's judge decides each
check itself. The ruler says which.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from judge_local.port import Answer, Asking, Judge, Remark
from models.provenance import Ruler
from models.quotes import find_quote
from models.rubric import profile
from models.rubric.checklist import CheckText, Kind
from models.verdicts import Outcome, Verdict

FOUND = frozenset({Verdict.MEETS})


@dataclass(frozen=True, slots=True)
class _Parts:
    """The single questions that one check is decided from; `of`: options, or steps in their order."""

    asks: tuple[CheckText, ...]
    of: tuple[str, ...] = ()
    least: int | None = None

    @property
    def counted(self) -> bool:
        return bool(self.of)


class CountingJudge:
    """A Judge (see port.py) that counts over another one's answers.

    spans: the inner judge quotes evidence (reasoned style), so steps can be found in the response; without it sequence
    checks are asked as they are.
    """

    def __init__(self, judge: Judge, spans: bool) -> None:
        self._judge = judge
        self._spans = spans

    @property
    def id(self) -> str:
        return self._judge.id

    @property
    def sees_images(self) -> bool:
        return self._judge.sees_images

    def ruler(self) -> Ruler:
        inner = self._judge.ruler()
        return Ruler.of(
            inner.judge, **dict(inner.facts), counting="thresholds, sequences" if self._spans else "thresholds"
        )

    def judge(self, asking: Asking, stop: Callable[[], bool]) -> Iterator[tuple[int, Answer]]:
        if asking.explain is not None:
            yield from self._judge.judge(asking, stop)
            return
        parts = [self._parts(check) for check in asking.checks]
        asks = tuple(dict.fromkeys(ask for each in parts for ask in each.asks))
        whole = tuple(dict.fromkeys(ask for check in asking.checklist for ask in self._parts(check).asks))
        answers: dict[CheckText, Answer] = {}
        left = set(range(len(parts)))
        for index, got in self._judge.judge(_with(asking, asks, whole), stop):
            answers[asks[index]] = got
            for number in sorted(left):
                if all(ask in answers for ask in parts[number].asks):
                    left.discard(number)
                    yield number, _decided(asking.checks[number], parts[number], answers, asking.response)

    def remarks(self) -> tuple[Remark, ...]:
        return self._judge.remarks()

    def close(self) -> None:
        self._judge.close()

    def _parts(self, check: CheckText) -> _Parts:
        if check.kind is Kind.THRESHOLD and (threshold := profile.read_threshold_of(check.text)):
            least, name, options = threshold
            asks = (CheckText(Kind.PRESENCE, profile.mentions(option, name)) for option in options)
            return _Parts(tuple(asks), tuple(options), least)
        if self._spans and check.kind is Kind.SEQUENCE and (sequence := profile.read_sequence_of(check.text)):
            name, steps = sequence
            asks = (CheckText(Kind.PRESENCE, profile.describes_step(step, name)) for step in steps)
            return _Parts(tuple(asks), tuple(steps))
        return _Parts((check,))


def _with(asking: Asking, asks: tuple[CheckText, ...], whole: tuple[CheckText, ...]) -> Asking:
    return Asking(
        asking.question,
        asking.response,
        asks,
        asking.variant,
        asking.pictures,
        asking.reference,
        asking.unseen,
        whole,
        asking.later,
    )


def _decided(check: CheckText, parts: _Parts, answers: dict[CheckText, Answer], response: str) -> Answer:
    got = [answers[ask] for ask in parts.asks]
    if not parts.counted:
        return got[0]
    if check.kind is Kind.THRESHOLD:
        assert parts.least is not None
        return counted_threshold(parts.least, parts.of, got)
    return counted_sequence(parts.of, got, response)


def counted_threshold(least: int, options: tuple[str, ...], answers: list[Answer]) -> Answer:
    """From one answer an option: `least` or more found meets; else an option denied contradicts; else half of it,
    rounded up, is partial. Where an option has no verdict and could change this, its outcome is the check's."""
    found = [option for option, answer in zip(options, answers, strict=True) if answer.verdict in FOUND]
    rationale = f"{len(found)} of {len(options)} listed found" + (f": {'; '.join(found)}." if found else ".")
    if len(found) >= least:
        return Answer(Outcome.VERDICT, Verdict.MEETS, rationale=rationale)
    if undecided := _undecided(answers, rationale):
        return undecided
    if any(answer.verdict is Verdict.CONTRADICTS for answer in answers):
        return Answer(Outcome.VERDICT, Verdict.CONTRADICTS, rationale=rationale)
    verdict = Verdict.PARTIALLY_MEETS if len(found) >= ceil(least / 2) else Verdict.MISSING
    return Answer(Outcome.VERDICT, verdict, rationale=rationale)


def counted_sequence(steps: tuple[str, ...], answers: list[Answer], response: str) -> Answer:
    """From one answer a step, with the response's words that it quotes: where these stand is the step's place."""
    if undecided := _undecided(answers, None):
        return undecided
    places: list[tuple[int, str]] = []
    for step, answer in zip(steps, answers, strict=True):
        span = find_quote(answer.evidence, response) if answer.verdict in FOUND and answer.evidence else None
        if span is not None:
            places.append((span[0], step))
    in_order = all(a[0] <= b[0] for a, b in pairwise(places))
    told = [step for _, step in sorted(places, key=lambda place: place[0])]
    rationale = f"{len(told)} of {len(steps)} steps found" + (f", told as: {'; '.join(told)}." if told else ".")
    if len(places) < 2:
        verdict = Verdict.MISSING
    elif not in_order:
        verdict = Verdict.CONTRADICTS
    else:
        verdict = Verdict.MEETS if len(places) == len(steps) else Verdict.PARTIALLY_MEETS
    return Answer(Outcome.VERDICT, verdict, rationale=rationale)


def _undecided(answers: list[Answer], rationale: str | None) -> Answer | None:
    without = next((answer for answer in answers if answer.verdict is None), None)
    if without is None:
        return None
    return Answer(without.outcome, rationale=rationale, note=without.note)
