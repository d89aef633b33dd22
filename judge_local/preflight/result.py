"""What a preflight found: one row an item, and every figure derived from the rows alone.

Frozen and free of models and pictures, so that lists and windows may read kept results at no cost.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from judge_local.preflight.items import Category
from models.rubric.checklist import Kind
from models.verdicts import Outcome, Verdict

STEPS = {Verdict.CONTRADICTS: -1.0, Verdict.MISSING: 0.0, Verdict.PARTIALLY_MEETS: 0.5, Verdict.MEETS: 1.0}
BASELINE = "keyword"  # the judge that all others are compared with
Z95 = 1.959963984540054  # the 97.5 % point of the normal distribution

# The thresholds of the one-line verdict. Fixed before any judge was measured by them.
UNRELIABLE_BELOW = 0.6  # accuracy
CARE_BELOW = 0.8  # accuracy
UNRELIABLE_ANSWERED, CARE_ANSWERED = 0.5, 0.9  # share of items with a verdict
CARE_FLIPS = 0.2  # share of items whose verdict depends on the order of the options
CARE_LENIENCY = 0.25  # mean step, either way
EVEN = 0.1  # a mean step within this is called even

Number = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Row:
    """One item as it was asked and answered.

    verdict: given when the outcome is a verdict. keyword: the baseline's verdict on the same item; None for a picture
    item, or where it had none. others: the verdicts under the other option orders, None where there was none.
    """

    item: str
    category: Category
    kind: Kind
    rule: str
    truth: Verdict
    outcome: Outcome
    verdict: Verdict | None = None
    keyword: Verdict | None = None
    others: tuple[Verdict | None, ...] = ()

    def __post_init__(self) -> None:
        if (self.outcome is Outcome.VERDICT) != (self.verdict is not None):
            raise ValueError("a verdict goes with the outcome 'verdict' alone")

    @property
    def right(self) -> bool:
        return self.verdict is self.truth


@dataclass(frozen=True, slots=True)
class SceneRow:
    """The verdicts on one picture item with the right, a wrong and a grey picture; None where there was none."""

    scene: str
    right: Verdict | None
    wrong: Verdict | None
    grey: Verdict | None


@dataclass(frozen=True, slots=True)
class Tally:
    """asked: items asked. n: those with a verdict. right: those with the true one."""

    asked: int
    n: int
    right: int

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "Tally":
        rows = list(rows)
        return cls(len(rows), sum(row.verdict is not None for row in rows), sum(row.right for row in rows))

    @property
    def accuracy(self) -> float | None:
        """Share of right ones among those with a verdict, 0..1; None without any."""
        return self.right / self.n if self.n else None

    def as_json(self) -> dict[str, Any]:
        return {"asked": self.asked, "n": self.n, "right": self.right, "accuracy": self.accuracy}


@dataclass(frozen=True, slots=True)
class Preflight:
    """The result of one preflight of one judge.

    date: ISO 8601, when it began. ruler: digest of the ruler its first answers were given by. prompt_version: None for
    a judge without prompts. items: fingerprint of the canned items. setup: what could be known of the judge without
    starting it, hashed; None where nothing could. seeds: one an option order, the judged one first. not_asked: picture
    items left out because the judge sees none. seconds: spent on `asks` questions, loading left out.
    tokens_per_second: None where the judge does not tell. deviation: largest difference of a label's probability
    between shared and unshared evaluation, 0..1; None: not measured.
    """

    judge: str
    date: str
    ruler: str
    prompt_version: str | None
    items: str
    setup: str | None
    seeds: tuple[int, ...]
    rows: tuple[Row, ...]
    scenes: tuple[SceneRow, ...]
    not_asked: int
    asks: int
    seconds: Number
    tokens_per_second: Number | None = None
    deviation: Number | None = None

    @property
    def overall(self) -> Tally:
        return Tally.of(self.rows)

    @property
    def accuracy(self) -> float | None:
        """Share of right verdicts among the items with a verdict, 0..1."""
        return self.overall.accuracy

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of the accuracy."""
        return wilson(self.overall.right, self.overall.n)

    @property
    def by_category(self) -> dict[Category, Tally]:
        """Every category, also one with nothing asked."""
        return {each: Tally.of(row for row in self.rows if row.category is each) for each in Category}

    @property
    def by_kind(self) -> dict[Kind, Tally]:
        """Every kind of check; pictures are not among them, because another sense is tried there."""
        return {each: Tally.of(row for row in self._text_rows if row.kind is each) for each in Kind}

    @property
    def by_rule(self) -> dict[str, Tally]:
        """Every verdict-meaning rule that a text item tries."""
        rules = dict.fromkeys(row.rule for row in self._text_rows)
        return {rule: Tally.of(row for row in self._text_rows if row.rule == rule) for rule in rules}

    @property
    def _text_rows(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.category is not Category.PICTURE)

    @property
    def leniency(self) -> float | None:
        """Mean of given minus true verdict on contradicts -1, missing 0, partially 0.5, meets 1; -2..2."""
        steps = [STEPS[row.verdict] - STEPS[row.truth] for row in self.rows if row.verdict is not None]
        return math.fsum(steps) / len(steps) if steps else None

    @property
    def leniency_words(self) -> str | None:
        """The leniency for people; within 0.1 either way it is even."""
        if (mean := self.leniency) is None:
            return None
        if mean > EVEN:
            return "lenient: gives more than is earned"
        return "strict: gives less than is earned" if mean < -EVEN else "even: neither lenient nor strict"

    @property
    def flip_rate(self) -> float | None:
        """Share of text items with a verdict under every option order that did not get the same one under all."""
        every = [
            {row.verdict, *row.others}
            for row in self._text_rows
            if row.others and None not in (row.verdict, *row.others)
        ]
        return sum(len(given) > 1 for given in every) / len(every) if every else None

    @property
    def without_verdict(self) -> dict[Outcome, float]:
        """Share of all items asked by each outcome that is no verdict, where there was any."""
        counted: Counter[Outcome] = Counter(row.outcome for row in self.rows if row.outcome is not Outcome.VERDICT)
        return {outcome: counted[outcome] / len(self.rows) for outcome in Outcome if counted[outcome]}

    @property
    def uses_picture(self) -> bool | None:
        """Whether more than half of the scenes got another verdict with a wrong picture; None: not asked.

        A scene without a verdict on both pictures shows nothing and does not count; no scene that counts is None too.
        """
        both = [scene for scene in self.scenes if scene.right is not None and scene.wrong is not None]
        return sum(scene.right is not scene.wrong for scene in both) * 2 > len(both) if both else None

    @property
    def keyword_overall(self) -> Tally:
        """The keyword baseline on the text items."""
        rows = self._text_rows
        given = [row for row in rows if row.keyword is not None]
        return Tally(len(rows), len(given), sum(row.keyword is row.truth for row in given))

    @property
    def worse_than_keyword(self) -> bool:
        """Whether the judge is right less often than the baseline on the text items that both gave a verdict on."""
        both = [row for row in self._text_rows if row.verdict is not None and row.keyword is not None]
        return sum(row.right for row in both) < sum(row.keyword is row.truth for row in both)

    @property
    def checks_per_second(self) -> float | None:
        return self.asks / self.seconds if self.seconds > 0 else None

    @property
    def sentence(self) -> str:
        """One line for people: "Do not rely on it", "Use it with care" or "Usable", and why.

        Do not rely: right on less than 60 %, or a verdict on less than half of the items, or worse than keyword. With
        care: less than 80 %, or a verdict on less than 90 %, or more than 20 % of the verdicts hang on the order of
        the options, or a leniency beyond 0.25 either way, or it sees pictures and does not use them.
        """
        overall = self.overall
        if not overall.n or overall.accuracy is None:
            return f"Do not rely on it: no verdict on any of {overall.asked} items."
        told = f"{percent(overall.accuracy)} right on {overall.n} items"
        if self.judge != BASELINE:
            told += f" (keyword: {percent(self.keyword_overall.accuracy)})"
        if overall.n < overall.asked:
            told += f", no verdict on {overall.asked - overall.n} more"
        answered = overall.n / overall.asked
        worse = self.worse_than_keyword
        if overall.accuracy < UNRELIABLE_BELOW or answered < UNRELIABLE_ANSWERED or worse:
            return f"Do not rely on it: {told}{'; worse than keyword' if worse else ''}."
        doubts = self._doubts(answered)
        if overall.accuracy < CARE_BELOW or doubts:
            return f"Use it with care: {'; '.join([told, *doubts])}."
        return f"Usable: {told}."

    def _doubts(self, answered: float) -> list[str]:
        doubts = []
        if answered < CARE_ANSWERED:
            doubts.append("it often gives no verdict")
        if (flips := self.flip_rate) is not None and flips > CARE_FLIPS:
            doubts.append(f"{percent(flips)} of its verdicts hang on the order of the options")
        if (mean := self.leniency) is not None and abs(mean) > CARE_LENIENCY:
            doubts.append("lenient" if mean > 0 else "strict")
        if self.uses_picture is False:
            doubts.append("it does not use the picture")
        return doubts

    def stored(self) -> str:
        """The rows and facts as JSON; figures are derived anew when they are read."""
        return json.dumps(_STORED.dump_python(self, mode="json"), ensure_ascii=True, indent=1)

    @classmethod
    def read(cls, text: str | bytes) -> "Preflight":
        """The inverse of `stored`; raises ValueError for anything else."""
        return _STORED.validate_json(text)

    def as_json(self) -> dict[str, Any]:
        """The stable shape of `gamut judges check --json`: all figures, then the rows they come from."""
        stored = _STORED.dump_python(self, mode="json")
        rows, scenes = stored.pop("rows"), stored.pop("scenes")
        return {
            **stored,
            "sentence": self.sentence,
            "overall": {**self.overall.as_json(), "interval": None if self.interval is None else list(self.interval)},
            "keyword": self.keyword_overall.as_json(),
            "worse_than_keyword": self.worse_than_keyword,
            "categories": {name.value: tally.as_json() for name, tally in self.by_category.items()},
            "kinds": {name.value: tally.as_json() for name, tally in self.by_kind.items()},
            "rules": {name: tally.as_json() for name, tally in self.by_rule.items()},
            "leniency": self.leniency,
            "leniency_words": self.leniency_words,
            "flip_rate": self.flip_rate,
            "without_verdict": {name.value: share for name, share in self.without_verdict.items()},
            "uses_picture": self.uses_picture,
            "checks_per_second": self.checks_per_second,
            "rows": rows,
            "scenes": scenes,
        }


_STORED = TypeAdapter(Preflight)


def wilson(right: int, n: int) -> tuple[float, float] | None:
    """95 % score interval of a share (Wilson 1927, JASA 22: 209-212); None for n = 0."""
    if n == 0:
        return None
    share, z2 = right / n, Z95 * Z95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return 0.0 if right == 0 else middle - half, 1.0 if right == n else middle + half


def percent(share: float | None) -> str:
    """A share for people, in whole percent; a dash where it is undefined."""
    return "–" if share is None else f"{math.floor(share * 100 + 0.5)} %"
