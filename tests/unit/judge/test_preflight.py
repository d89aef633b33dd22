"""Preflight: exact figures for judges whose answers are known beforehand, and what its result holds."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count

import pytest

from judge_local.keyword import KeywordJudge
from judge_local.port import Answer, Asking, Judge, JudgeError
from judge_local.preflight.canned import FINGERPRINT, ITEMS, PASSAGES
from judge_local.preflight.drawing import picture
from judge_local.preflight.items import RULES, Category
from judge_local.preflight.result import Preflight, Row, SceneRow, percent, wilson
from judge_local.preflight.run import PreflightProgress, PreflightStopped, run_preflight
from judge_local.preflight.scenes import SCENES
from models.rubric.checklist import CheckText, Kind
from models.verdicts import Outcome, Variant, Verdict
from tests.scripted import ScriptedJudge, said

TRUTHS = {(p.response, item.check.text): item.truth for p in PASSAGES for item in p.items}
MEETS, MISSING, CONTRADICTS = Verdict.MEETS, Verdict.MISSING, Verdict.CONTRADICTS


def perfect(asking: Asking, check: CheckText) -> Answer:
    """Knows every text, and looks at the picture."""
    if asking.pictures:
        scene = next(s for s in SCENES if s.response == asking.response)
        shown = asking.pictures[0].sha256
        if shown == picture(None).sha256:
            return said(MISSING)
        return said(MEETS if shown == picture(scene.right).sha256 else CONTRADICTS)
    return said(TRUTHS[asking.response, check.text])


def always(verdict: Verdict) -> Callable[[Asking, CheckText], Answer]:
    return lambda _asking, _check: said(verdict)


def run(*judges: Judge, **options) -> Preflight:
    """Preflight of these judges, one a seed from 0 on; every ask takes a quarter of a second."""

    @contextmanager
    def make(seed: int) -> Iterator[Judge]:
        yield judges[seed]

    ticks = count()
    known = {"date": "2026-05-04T03:02:01+00:00", "seeds": tuple(range(len(judges))), "clock": lambda: next(ticks) / 4}
    return run_preflight("scripted", make, **{**known, **options})


# Judges whose answers are known -------------------------------------------------------------------------------------


def test_a_perfect_judge_is_right_everywhere_and_usable():
    found = run(ScriptedJudge(perfect, sees_images=True), ScriptedJudge(perfect))
    pictured = 2 * len(SCENES)
    assert (found.overall.asked, found.overall.n, found.overall.right) == (len(ITEMS) + pictured,) * 3
    assert found.accuracy == 1.0
    assert found.interval == (pytest.approx(0.9458, abs=1e-4), 1.0)
    assert found.leniency == 0.0
    assert found.leniency_words == "even: neither lenient nor strict"
    assert found.flip_rate == 0.0
    assert found.uses_picture is True
    assert found.not_asked == 0
    assert not found.worse_than_keyword
    assert found.sentence == "Usable: 100 % right on 67 items (keyword: 49 %)."
    assert all(tally.accuracy == 1.0 for tally in (*found.by_category.values(), *found.by_kind.values()))
    assert set(found.by_rule) == set(RULES)


def test_a_judge_that_gives_everything_is_lenient():
    found = run(ScriptedJudge(always(MEETS)))
    truths = Counter(item.truth for item in ITEMS)
    assert found.overall.right == truths[MEETS] == 18
    gained = 2 * truths[CONTRADICTS] + truths[MISSING] + 0.5 * truths[Verdict.PARTIALLY_MEETS]
    assert found.leniency == pytest.approx(gained / len(ITEMS))
    assert found.leniency_words == "lenient: gives more than is earned"
    assert found.worse_than_keyword
    assert found.sentence == "Do not rely on it: 31 % right on 59 items (keyword: 49 %); worse than keyword."
    assert found.flip_rate is None  # one order alone tells nothing


def test_a_judge_that_misses_everything_is_strict_where_there_was_something():
    found = run(ScriptedJudge(always(MISSING)))
    truths = Counter(item.truth for item in ITEMS)
    lost = truths[MEETS] + 0.5 * truths[Verdict.PARTIALLY_MEETS] - truths[CONTRADICTS]
    assert found.leniency == pytest.approx(-lost / len(ITEMS))
    assert found.overall.right == truths[MISSING]


@pytest.mark.parametrize(("mean", "words"), [(0.5, "lenient"), (-0.5, "strict"), (0.0, "even")])
def test_leniency_has_a_sign(mean, words):
    given = {0.5: MEETS, -0.5: MISSING, 0.0: Verdict.PARTIALLY_MEETS}[mean]
    found = rows_of(Row("a", Category.ORDER, Kind.SEQUENCE, "r", Verdict.PARTIALLY_MEETS, Outcome.VERDICT, given))
    assert found.leniency == mean
    assert found.leniency_words.startswith(words)


def test_a_judge_blind_to_pictures_is_never_asked_about_them():
    judge = ScriptedJudge(perfect)
    found = run(judge)
    assert found.not_asked == 2 * len(SCENES)
    assert found.by_category[Category.PICTURE].asked == 0
    assert found.uses_picture is None
    assert found.accuracy == 1.0
    assert all(asking.variant is Variant.TEXT and not asking.pictures for asking in judge.askings)


def test_a_judge_that_says_it_sees_and_does_not_look_is_found_out():
    def closed_eyes(asking: Asking, check: CheckText) -> Answer:
        return said(MEETS) if asking.pictures else perfect(asking, check)

    judge = ScriptedJudge(closed_eyes, sees_images=True)
    found = run(judge)
    assert found.uses_picture is False
    tally = found.by_category[Category.PICTURE]
    assert (tally.asked, tally.right) == (2 * len(SCENES), len(SCENES))
    assert found.sentence == "Use it with care: 94 % right on 67 items (keyword: 49 %); it does not use the picture."
    assert {a.variant for a in judge.askings if a.pictures} == {Variant.IMAGE}
    assert sum(bool(a.pictures) for a in judge.askings) == 3 * len(SCENES)


def test_a_judge_that_looks_has_three_verdicts_of_each_scene():
    found = run(ScriptedJudge(perfect, sees_images=True))
    assert found.scenes == tuple(SceneRow(scene.item.id, MEETS, CONTRADICTS, MISSING) for scene in SCENES)


def test_scenes_without_a_verdict_say_nothing_about_looking():
    found = rows_of()
    assert replace(found, scenes=(SceneRow("a", None, MEETS, None),)).uses_picture is None
    half = (SceneRow("a", MEETS, MISSING, None), SceneRow("b", MEETS, MEETS, None))
    assert replace(found, scenes=half).uses_picture is False
    assert replace(found, scenes=(*half, SceneRow("c", MEETS, CONTRADICTS, None))).uses_picture is True


def test_a_judge_that_abstains_is_not_failed_but_not_usable():
    found = run(ScriptedJudge(lambda _a, _c: Answer(Outcome.ABSTAINED)))
    assert (found.overall.n, found.accuracy, found.interval, found.leniency) == (0, None, None, None)
    assert found.without_verdict == {Outcome.ABSTAINED: 1.0}
    assert not found.worse_than_keyword  # there is nothing to compare
    assert found.sentence == "Do not rely on it: no verdict on any of 59 items."


def test_what_has_no_verdict_is_counted_by_outcome_and_left_out_of_the_accuracy():
    def hedging(asking: Asking, check: CheckText) -> Answer:
        if check.kind is Kind.THRESHOLD:
            return Answer(Outcome.UNPARSABLE)
        return Answer(Outcome.ABSTAINED) if check.kind is Kind.SEQUENCE else perfect(asking, check)

    found = run(ScriptedJudge(hedging))
    kinds = Counter(item.check.kind for item in ITEMS)
    left_out = kinds[Kind.THRESHOLD] + kinds[Kind.SEQUENCE]
    assert found.accuracy == 1.0
    assert found.overall.n == len(ITEMS) - left_out
    assert found.without_verdict == {
        Outcome.ABSTAINED: kinds[Kind.SEQUENCE] / len(ITEMS),
        Outcome.UNPARSABLE: kinds[Kind.THRESHOLD] / len(ITEMS),
    }
    assert found.by_kind[Kind.THRESHOLD].accuracy is None
    assert found.sentence == (
        f"Use it with care: 100 % right on {len(ITEMS) - left_out} items (keyword: 49 %), no verdict on {left_out} "
        "more; it often gives no verdict."
    )


def test_the_flip_rate_is_the_share_of_items_that_another_order_changes():
    kinds = Counter(item.check.kind for item in ITEMS)

    def swayed(asking: Asking, check: CheckText) -> Answer:
        return said(MEETS) if check.kind is Kind.PRESENCE else perfect(asking, check)

    presences = sum(i.check.kind is Kind.PRESENCE and i.truth is not MEETS for i in ITEMS)
    found = run(ScriptedJudge(perfect), ScriptedJudge(perfect), ScriptedJudge(swayed))
    assert found.flip_rate == presences / len(ITEMS)
    assert found.accuracy == 1.0  # the first order is the one that is judged by
    assert "hang on the order of the options" in found.sentence

    def silent(asking: Asking, check: CheckText) -> Answer:
        return Answer(Outcome.ABSTAINED) if check.kind is Kind.RELATION else swayed(asking, check)

    among = run(ScriptedJudge(perfect), ScriptedJudge(silent))
    assert among.flip_rate == presences / (len(ITEMS) - kinds[Kind.RELATION])


def test_speed_leaves_loading_out():
    found = run(ScriptedJudge(perfect), ScriptedJudge(perfect))
    assert found.asks == 2 * len(ITEMS)
    assert found.seconds == 2 * len(PASSAGES) / 4
    assert found.checks_per_second == found.asks / found.seconds
    assert run(ScriptedJudge(perfect), clock=lambda: 0.0).checks_per_second is None


def test_deviation_is_measured_on_the_judge_while_it_is_open():
    judge = ScriptedJudge(perfect)
    assert run(judge).deviation is None
    assert run(judge, deviation_of=lambda given: 0.043 if given is judge else None).deviation == 0.043


def test_progress_counts_every_ask_to_the_end():
    seen: list[PreflightProgress] = []
    run(ScriptedJudge(perfect, sees_images=True), ScriptedJudge(perfect), on_progress=seen.append)
    total = 2 * len(ITEMS) + 3 * len(SCENES)
    assert [at.done for at in seen] == list(range(1, total + 1))
    assert {at.total for at in seen} == {total}


@pytest.mark.parametrize("after", [0, 1, 30])
def test_stopping_gives_no_result(after):
    judge = ScriptedJudge(perfect)
    with pytest.raises(PreflightStopped) as stopped:
        run(judge, stop=lambda: len(judge.asked) >= after)
    assert str(stopped.value) == "The check was stopped, and nothing of it was kept. Start it again when there is time."
    assert len(judge.asked) == after


def test_a_judge_that_cannot_go_on_gives_no_result():
    def dies(asking: Asking, check: CheckText) -> Answer | Exception:
        return JudgeError("It died.", "Try again.") if check.kind is Kind.SEQUENCE else perfect(asking, check)

    with pytest.raises(JudgeError):
        run(ScriptedJudge(dies))


def test_a_judge_that_ends_early_was_not_run_on_the_rest():
    class Lazy(ScriptedJudge):
        def judge(self, asking, stop):
            yield from list(super().judge(asking, stop))[:1]

    found = run(Lazy(perfect))
    assert found.overall.n == len(PASSAGES)
    assert set(found.without_verdict) == {Outcome.NOT_RUN}


def test_the_result_names_the_ruler_and_the_prompt():
    judge = ScriptedJudge(perfect, facts={"prompt": "judge-9"})
    found = run(judge, setup="abc")
    assert (found.ruler, found.prompt_version, found.setup) == (judge.ruler().digest, "judge-9", "abc")
    assert found.items == FINGERPRINT
    assert found.date == "2026-05-04T03:02:01+00:00"


# The keyword judge ----------------------------------------------------------------------------------------------------


def test_the_keyword_judges_figures():
    """A golden: what the baseline really does. A changed item or a changed rule of the baseline changes it."""
    found = run(KeywordJudge(), KeywordJudge())
    assert (found.overall.right, found.overall.n) == (29, 59)
    assert {k.value: (t.right, t.n) for k, t in found.by_kind.items()} == {
        "presence": (7, 25),
        "threshold": (8, 10),
        "sequence": (7, 8),
        "relation": (3, 8),
        "insight": (4, 8),
    }
    assert {c.value: (t.right, t.n) for c, t in found.by_category.items()} == {
        "presence": (5, 8),
        "absence": (4, 5),
        "contradiction": (0, 4),
        "negation": (0, 7),
        "numbers_and_units": (1, 4),
        "order": (6, 6),
        "thresholds": (7, 7),
        "paraphrase": (0, 3),
        "other_languages": (1, 7),
        "wrong_picture": (0, 0),
        "blank_response": (3, 3),
        "injection": (2, 5),
    }
    assert found.flip_rate == 0.0
    assert found.keyword_overall == found.overall
    assert not found.worse_than_keyword


def test_worse_than_keyword_counts_the_items_that_both_answered():
    def only_where_it_fails(asking: Asking, check: CheckText) -> Answer:
        """Right on nothing but the orders, where the baseline is better still."""
        return said(CONTRADICTS) if check.kind is Kind.SEQUENCE else Answer(Outcome.ABSTAINED)

    found = run(ScriptedJudge(only_where_it_fails))
    assert (found.overall.right, found.overall.n) == (2, 8)
    assert found.worse_than_keyword  # 2 against 7 of the same 8


# Figures and JSON -----------------------------------------------------------------------------------------------------


def rows_of(*rows: Row, judge: str = "j") -> Preflight:
    return Preflight(judge, "2026-01-01", "r", None, FINGERPRINT, None, (0,), rows, (), 0, len(rows), 1.0)


@pytest.mark.parametrize(
    ("right", "n", "interval"),
    [(29, 59, (0.3684, 0.6156)), (0, 5, (0.0, 0.4345)), (5, 5, (0.5655, 1.0)), (0, 0, None)],
)
def test_wilsons_interval(right, n, interval):
    assert wilson(right, n) == (interval and pytest.approx(interval, abs=1e-4))


def test_percent_is_whole_and_undefined_is_a_dash():
    assert [percent(x) for x in (None, 0.0, 0.005, 0.494, 0.495, 1.0)] == ["–", "0 %", "1 %", "49 %", "50 %", "100 %"]


@pytest.mark.parametrize(("right", "begins"), [(59, "Do not rely on it"), (60, "Use it with care"), (80, "Usable")])
def test_the_one_line_verdict_has_fixed_thresholds(right, begins):
    def row(truth: Verdict) -> Row:
        return Row("a", Category.PRESENCE, Kind.PRESENCE, "r", truth, Outcome.VERDICT, Verdict.PARTIALLY_MEETS)

    wrong = [row(MEETS if i % 3 else CONTRADICTS) for i in range(100 - right)]  # steps of -1/2, -1/2 and 3/2
    found = rows_of(*[row(Verdict.PARTIALLY_MEETS)] * right, *wrong)
    assert abs(found.leniency) <= 0.25
    assert found.sentence.startswith(f"{begins}: {right} % right on 100 items")


def test_a_result_survives_its_file():
    found = run(ScriptedJudge(perfect, sees_images=True), ScriptedJudge(always(MISSING)), deviation_of=lambda _: 0.001)
    assert Preflight.read(found.stored()) == found


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": float("nan")},
        {"deviation": float("inf")},
        {"rows": [{"item": "a"}]},
        {"rows": None},
        {"judge": 3},
        {"scenes": [{"scene": "a", "right": "perhaps", "wrong": None, "grey": None}]},
    ],
    ids=str,
)
def test_a_damaged_result_is_not_read(change):
    kept = {**json.loads(rows_of().stored()), **change}
    with pytest.raises(ValueError, match="Preflight"):
        Preflight.read(json.dumps(kept))


def test_a_verdict_needs_the_outcome_verdict():
    with pytest.raises(ValueError, match="a verdict goes with"):
        Row("a", Category.ORDER, Kind.SEQUENCE, "r", MEETS, Outcome.ABSTAINED, MEETS)
    with pytest.raises(ValueError, match="a verdict goes with"):
        Row("a", Category.ORDER, Kind.SEQUENCE, "r", MEETS, Outcome.VERDICT)


def test_the_json_holds_every_figure_and_no_nan():
    found = run(ScriptedJudge(perfect, sees_images=True))
    shape = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert list(shape) == [
        *("judge", "date", "ruler", "prompt_version", "items", "setup", "seeds", "not_asked", "asks", "seconds"),
        *("tokens_per_second", "deviation", "sentence", "overall", "keyword", "worse_than_keyword", "categories"),
        *("kinds", "rules", "leniency", "leniency_words", "flip_rate", "without_verdict", "uses_picture"),
        *("checks_per_second", "rows", "scenes"),
    ]
    assert list(shape["overall"]) == ["asked", "n", "right", "accuracy", "interval"]
    assert list(shape["categories"]) == [c.value for c in Category]
    assert len(shape["rows"]) == len(ITEMS) + 2 * len(SCENES)
    assert list(shape["rows"][0]) == [
        *("item", "category", "kind", "rule", "truth", "outcome", "verdict", "keyword", "others"),
    ]
    empty = json.loads(json.dumps(rows_of().as_json(), allow_nan=False))
    assert empty["overall"] == {"asked": 0, "n": 0, "right": 0, "accuracy": None, "interval": None}
