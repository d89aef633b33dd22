"""The scoring core: the worked example, None for undefined, and the laws of the score."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.rubric.metarubric import Tier
from models.rubric.profile import GAMUT_1, Profile, ProfileError, profile_named
from models.scoring.score import mean, score
from models.verdicts import Verdict

AC, V, C = Tier
MEETS, PARTLY, MISSING, CONTRADICTS = Verdict
BETTER = {CONTRADICTS: MISSING, MISSING: PARTLY, PARTLY: MEETS}

profiles = st.builds(
    lambda lam, mu, w: Profile("t", lam, mu, dict(zip(Tier, w, strict=True))),
    st.floats(0.01, 0.99),
    st.floats(-20, -1),
    st.tuples(*[st.floats(0.01, 10)] * 3),
)
judged = st.lists(st.tuples(st.sampled_from(Tier), st.sampled_from([*Verdict, None])), max_size=30)


def test_the_worked_example_of_the_design():
    got = score([(AC, MEETS), (AC, MEETS), (AC, MISSING), (V, PARTLY), (V, CONTRADICTS)])
    assert got.tiers[AC] == pytest.approx(2 / 3)
    assert got.tiers[V] == pytest.approx(-0.5)
    assert got.tiers[C] is None
    assert got.gamut == pytest.approx(0.27777777)
    assert got.interval == (got.gamut, got.gamut)


def test_nothing_to_score_is_none_not_zero():
    got = score([])
    assert got.as_json() == {
        "gamut": None,
        "tiers": {"answer_critical": None, "valuable": None, "context": None},
        "coverage": {"answer_critical": None, "valuable": None, "context": None, "all": None},
        "interval": None,
    }


def test_unjudged_checks_are_left_out_and_widen_the_interval():
    got = score([(AC, MEETS), (AC, None), (V, None)])
    assert got.gamut == 1.0
    assert got.tiers[V] is None
    assert got.coverage.tiers == {AC: 0.5, V: 0.0, C: None}
    assert got.coverage.all == pytest.approx(1 / 3)
    low, high = got.interval or (0, 0)
    assert (low, high) == (pytest.approx((0.6 * (1 - 2) / 3 + 0.3 * -1) / 0.9), 1.0)


def test_everything_unjudged_has_no_point_but_the_full_interval():
    got = score([(AC, None), (C, None)])
    assert got.gamut is None
    assert got.interval == (-1.0, 1.0)


def test_the_two_ends_of_the_scale():
    assert score([(t, MEETS) for t in Tier]).gamut == pytest.approx(1)
    assert score([(t, CONTRADICTS) for t in Tier]).gamut == pytest.approx(-1)
    assert score([(t, MISSING) for t in Tier]).gamut == 0


def test_a_contradiction_costs_more_than_an_omission():
    assert (score([(AC, MEETS), (AC, CONTRADICTS)]).gamut or 0) < (score([(AC, MEETS), (AC, MISSING)]).gamut or 0)


def test_a_mean_leaves_the_undefined_out():
    assert mean([1.0, None, 0.0]) == 0.5
    assert mean([None]) is None


@given(judged, profiles)
def test_a_score_lies_in_its_bounds_and_its_interval(checks, profile):
    got = score(checks, profile)
    for value in (got.gamut, *got.tiers.values()):
        assert value is None or -1 - 1e-9 <= value <= 1 + 1e-9
    if got.gamut is not None:
        low, high = got.interval
        assert low - 1e-9 <= got.gamut <= high + 1e-9


@given(judged, st.randoms(), profiles)
def test_the_order_of_checks_does_not_matter(checks, random, profile):
    shuffled = list(checks)
    random.shuffle(shuffled)
    assert score(shuffled, profile) == score(checks, profile)


@given(judged, st.data(), profiles)
def test_a_better_verdict_never_lowers_the_score(checks, data, profile):
    worse = [i for i, (_, v) in enumerate(checks) if v in BETTER]
    if not worse:
        return
    i = data.draw(st.sampled_from(worse))
    better = list(checks)
    better[i] = (checks[i][0], BETTER[checks[i][1]])
    before, after = score(checks, profile), score(better, profile)
    assert after.gamut >= before.gamut - 1e-9
    assert after.interval[0] >= before.interval[0] - 1e-9
    assert after.interval[1] >= before.interval[1] - 1e-9


@given(judged, profiles)
def test_the_interval_holds_every_way_the_unjudged_can_go(checks, profile):
    low, high = score(checks, profile).interval or (-1, 1)
    for verdict in Verdict:
        filled = score([(t, v or verdict) for t, v in checks], profile).gamut
        assert filled is None or low - 1e-9 <= filled <= high + 1e-9


@given(judged, profiles)
def test_a_tier_without_checks_gives_its_weight_to_the_rest(checks, profile):
    got = score(checks, profile)
    present = {t: v for t, v in got.tiers.items() if v is not None}
    if not present:
        assert got.gamut is None
        return
    weights = sum(profile.weights[t] for t in present)
    assert got.gamut == pytest.approx(sum(profile.weights[t] / weights * v for t, v in present.items()), abs=1e-9)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"lam": 0}, "lambda is 0, outside 0 < lambda < 1."),
        ({"lam": 1.0}, "lambda is 1.0, outside"),
        ({"lam": math.nan}, "lambda is nan, outside"),
        ({"mu": -0.5}, "mu is -0.5, but must be -1 or less."),
        ({"mu": -math.inf}, "mu is -inf, but must be"),
        ({"weights": {AC: 1, V: 1, C: 0}}, "the weight of context is 0, but must be a number above 0."),
        ({"weights": {AC: 1, V: 1}}, "the weight of context is None"),
        ({"weights": {AC: math.nan, V: 1, C: 1}}, "the weight of answer_critical is nan"),
    ],
)
def test_a_profile_outside_its_limits_is_a_named_error(changes, told):
    with pytest.raises(ProfileError) as refused:
        Profile("mine", **changes)
    assert told in refused.value.sentence


def test_an_unknown_profile_is_a_named_error():
    with pytest.raises(ProfileError, match="There is no profile named 'gamut-9'"):
        profile_named("gamut-9")
    assert profile_named(None) is GAMUT_1
