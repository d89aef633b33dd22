"""Counting by code: the profile's rules for thresholds and sequences, over what a judge says of single elements."""

import pytest

from judge_local.counting import CountingJudge, counted_sequence, counted_threshold
from judge_local.keyword import KeywordJudge
from judge_local.port import Answer, Asking
from models.rubric import profile
from models.rubric.checklist import CheckText, Kind
from models.verdicts import Outcome, Variant, Verdict

MEETS, PARTLY, MISSING, DENIES = (Answer(Outcome.VERDICT, verdict) for verdict in Verdict)
OPTIONS = ("a", "b", "c", "d", "e")


@pytest.mark.parametrize(
    ("least", "answers", "verdict"),
    [
        (3, [MEETS, MEETS, MEETS, MISSING, DENIES], Verdict.MEETS),
        (3, [MEETS, MEETS, MISSING, MISSING, MISSING], Verdict.PARTIALLY_MEETS),
        (3, [MEETS, MISSING, MISSING, MISSING, MISSING], Verdict.MISSING),
        (1, [MISSING, MISSING, MISSING, MISSING, MEETS], Verdict.MEETS),
        (2, [MEETS, MISSING, MISSING, MISSING, MISSING], Verdict.PARTIALLY_MEETS),
        (3, [MEETS, PARTLY, PARTLY, PARTLY, PARTLY], Verdict.MISSING),
        (3, [MEETS, MEETS, DENIES, MISSING, MISSING], Verdict.CONTRADICTS),
    ],
)
def test_thresholds_follow_the_profile(least: int, answers: list[Answer], verdict: Verdict) -> None:
    assert counted_threshold(least, OPTIONS, answers).verdict is verdict


def test_an_option_without_verdict_leaves_the_check_without_one_unless_enough_are_found() -> None:
    unsure = Answer(Outcome.ABSTAINED)
    assert counted_threshold(2, OPTIONS, [MEETS, MEETS, unsure, MISSING, MISSING]).verdict is Verdict.MEETS
    got = counted_threshold(3, OPTIONS, [MEETS, MEETS, unsure, MISSING, MISSING])
    assert (got.outcome, got.verdict) == (Outcome.ABSTAINED, None)
    assert got.rationale == "2 of 5 listed found: a; b."


def quoting(words: str) -> Answer:
    return Answer(Outcome.VERDICT, Verdict.MEETS, evidence=words)


TOLD = "First grind the beans, then brew, and at last pour the milk."


@pytest.mark.parametrize(
    ("answers", "verdict"),
    [
        ([quoting("grind"), quoting("brew"), quoting("pour")], Verdict.MEETS),
        ([quoting("grind"), MISSING, quoting("pour")], Verdict.PARTIALLY_MEETS),
        ([quoting("pour"), quoting("brew"), quoting("grind")], Verdict.CONTRADICTS),
        ([quoting("grind"), quoting("pour"), quoting("brew")], Verdict.CONTRADICTS),
        ([quoting("grind"), MISSING, MISSING], Verdict.MISSING),
        ([MEETS, MEETS, MEETS], Verdict.MISSING),  # nothing is quoted, so nothing has a place
    ],
)
def test_sequences_follow_where_the_quoted_words_stand(answers: list[Answer], verdict: Verdict) -> None:
    assert counted_sequence(("grinding", "brewing", "pouring"), answers, TOLD).verdict is verdict


def test_a_judge_is_asked_for_single_options_and_answers_whole_checks() -> None:
    checks = (
        CheckText(Kind.PRESENCE, profile.states("it has milk")),
        CheckText(Kind.THRESHOLD, profile.mentions_at_least(2, "countries", ["Australia", "New Zealand", "Italy"])),
        CheckText(Kind.SEQUENCE, profile.gives_in_order(["grind", "brew"], "making it")),
        CheckText(Kind.THRESHOLD, "Names two of them, in a person's own words"),
    )
    asked = Asking("Where from?", "It has milk, from Australia or New Zealand.", checks, Variant.TEXT)
    judge = CountingJudge(KeywordJudge(), spans=False)
    got = dict(judge.judge(asked, lambda: False))
    assert sorted(got) == [0, 1, 2, 3]
    assert got[1].verdict is Verdict.MEETS
    assert got[1].rationale == "2 of 3 listed found: Australia; New Zealand."
    plain = dict(KeywordJudge().judge(asked, lambda: False))
    assert [got[n] for n in (0, 2, 3)] == [plain[n] for n in (0, 2, 3)]


def test_the_ruler_says_what_is_counted() -> None:
    plain = KeywordJudge().ruler()
    assert CountingJudge(KeywordJudge(), spans=False).ruler().differences(plain) == ["counting"]
    both = dict(CountingJudge(KeywordJudge(), spans=True).ruler().facts)
    assert both["counting"] == "thresholds, sequences"
