"""What the keyword judge takes for the same word, where it says it saw it, and what holds for every text."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judge_local.keyword import KeywordJudge, content_words, matches
from judge_local.port import Asking
from models.rubric import profile
from models.rubric.checklist import CheckText, Kind
from models.verdicts import Outcome
from tests.unit.test_keyword import (
    BREW,
    CONTRADICTS,
    FIVE,
    MEETS,
    MISSING,
    PARTLY,
    POOL,
    answers,
    at_least,
    order,
    states,
    verdict,
)

RANK = {MISSING: 0, PARTLY: 1, MEETS: 2}

words = st.text("abcdeéşßñ", min_size=1, max_size=6) | st.sampled_from(
    [
        "espresso",
        "milk",
        "beans",
        "1,000",
        "1000",
        "don't",
        "قهوة",
        "कॉफ़ी",
        "咖啡",
        "cafe\u0301",
        "the",
        "of",
        "Ångström's",
    ]
)
texts = st.lists(words, min_size=1, max_size=12).map(" ".join)
anything = st.text(max_size=80) | texts
presence_checks = st.builds(
    lambda build, a, b: build(a, b),
    st.sampled_from(
        [
            lambda a, b: CheckText(Kind.PRESENCE, profile.states(a)),
            lambda a, b: CheckText(Kind.PRESENCE, profile.mentions(a, b)),
            lambda a, b: CheckText(Kind.PRESENCE, profile.connects(a, b)),
            lambda a, b: CheckText(Kind.RELATION, profile.explains(a, b, a)),
            lambda a, b: CheckText(Kind.INSIGHT, profile.conveys(b, a)),
            lambda a, b: CheckText(Kind.THRESHOLD, profile.mentions_at_least(2, b, [a, b, "espresso", "1000 beans"])),
            lambda a, b: CheckText(Kind.THRESHOLD, "At least two of these: " + a),
        ]
    ),
    texts,
    texts,
)
sequences = st.lists(texts, min_size=2, max_size=4).map(
    lambda steps: CheckText(Kind.SEQUENCE, profile.gives_in_order(steps, "brewing"))
)
checks = presence_checks | sequences


# Words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ESPRESSO", "espresso"),
        ("café", "cafe\u0301"),
        ("straße", "STRASSE"),
        ("ﬁlter", "filter"),
        ("１２３", "123"),
        ("٣٤", "34"),
        ("1,000", "1000"),
        ("1,234,567", "1234567"),
        ("12\u202f500", "12500"),
        ("3.50", "3.5"),
        ("3.5kg", "3.5 kg"),
        ("farmer's", "farmer"),
        ("farmer’s", "farmers"),
        ("don't", "don’t"),
        ("rock'n'roll", "rock’n’roll"),
        ("co\u00adoperate", "cooperate"),
        ("beans", "bean"),
        ("berries", "berry"),
        ("movies", "movie"),
        ("boxes", "box"),
        ("dishes", "dish"),
        ("caches", "cache"),
        ("gases", "gas"),
        ("glasses", "glass"),
        ("potatoes", "potato"),
        ("processes", "process"),
        ("pies", "pie"),
        ("1980s", "1980"),
        ("_espresso_", "espresso"),
        ("well-known", "well known"),
    ],
)
def test_two_spellings_of_a_word_are_one(one, other):
    assert content_words(one) == content_words(other)
    assert verdict(states(one), f"It is {other} here.") is MEETS
    assert verdict(states(other), f"It is {one} here.") is MEETS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("resume", "résumé"),
        ("10,12", "1012"),
        ("1990, 200", "1990200"),
        ("gas", "ga"),
        ("glass", "glas"),
        ("3.5", "35"),
    ],
)
def test_different_words_stay_different(one, other):
    assert content_words(one) != content_words(other)


def test_scripts_without_spaces_are_read_character_by_character():
    assert content_words("咖啡") == ("咖", "啡")
    assert verdict(states("咖啡"), "这是咖啡。") is MEETS
    assert verdict(states("กาแฟ"), "นี่คือกาแฟร้อน") is MEETS
    assert content_words("ｶﾞ") == content_words("ガ")


def test_vowel_signs_and_right_to_left_words_stay_whole():
    assert content_words("हिन्दी कॉफ़ी") == ("हिन्दी", content_words("कॉफ़ी")[0])
    assert verdict(states("القهوة التركية"), "هذه هي القهوة التركية.") is MEETS
    assert verdict(states("קפה שחור"), "זה קפה שחור!") is MEETS


def test_words_are_whole_words():
    assert verdict(states("latte"), "latter lattes' platte") is MEETS  # by lattes'
    assert verdict(states("latte"), "latter platte") is MISSING


# Spans ------------------------------------------------------------------------------------------------------------


def shown(ask: CheckText, response: str) -> list[str]:
    return [response[start:end] for start, end in matches(ask, response)]


def test_spans_are_those_of_the_words_as_they_were_written():
    response = "İt’s a CAFE\u0301’s ESPRESSOS: 1,000 cups — “espresso”."
    assert shown(states("café espresso 1000"), response) == ["CAFE\u0301’s", "ESPRESSOS", "1,000", "espresso"]


def test_spans_of_a_threshold_are_those_of_the_options_that_count():
    assert shown(at_least(2, POOL), "A flat cup of latte, white or not; a long cortado.") == [
        "flat",
        "latte",
        "white",
        "cortado",
    ]
    assert shown(at_least(2, POOL), "A flat cup of latte.") == ["latte"]


def test_spans_of_a_sequence_are_in_the_sentences_that_tell_the_steps():
    response = "Coffee? Grind the beans. Grind them fine. Wait four minutes."
    assert shown(order(), response) == ["Grind", "beans", "Wait", "four", "minutes"]


def test_nothing_found_gives_no_spans():
    assert matches(states(FIVE), "tea") == ()
    assert matches(states("—"), "tea") == ()
    assert matches(states(FIVE), "") == ()


# What holds for every text ----------------------------------------------------------------------------------------


@given(presence_checks, anything, texts)
def test_adding_words_never_lowers_a_presence_or_threshold_verdict(ask, response, added):
    before = verdict(ask, response)
    assert RANK[verdict(ask, f"{response} {added}")] >= RANK[before]
    assert RANK[verdict(ask, f"{added} {response}")] >= RANK[before]


@given(st.lists(checks, min_size=1, max_size=5), anything)
def test_an_answer_depends_on_its_check_and_the_response_alone(asks, response):
    together = answers(response, *asks)
    assert together == [answers(response, ask)[0] for ask in asks]
    assert together[::-1] == answers(response, *asks[::-1])
    other = Asking("Another question", response, tuple(asks), reference="milk espresso beans")
    assert together == [answer for _, answer in KeywordJudge().judge(other, lambda: False)]


@given(checks, anything)
def test_spans_lie_in_the_text_in_order_and_cover_words_of_the_check(ask, response):
    spans = matches(ask, response)
    wanted = set(content_words(ask.text)) | {form for word in ask.text.split() for form in content_words(word)}
    position = 0
    for start, end in spans:
        assert position <= start < end <= len(response)
        assert set(content_words(response[start:end])) <= wanted
        position = end


@given(presence_checks, anything)
def test_a_text_that_holds_the_check_itself_meets_it(ask, response):
    assert verdict(ask, f"{response}\n{ask.text}") is MEETS
    assert matches(ask, f"{response}\n{ask.text}")


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_asked_of_any_text(text, response):
    for kind in Kind:
        got = answers(response, CheckText(kind, text))[0]
        assert (got.verdict is None) == (got.outcome is Outcome.ABSTAINED)
        assert got.verdict is not CONTRADICTS
        assert (got.log_probabilities, got.label_mass, got.rationale, got.evidence) == (None,) * 4


@given(st.lists(st.sampled_from(BREW), max_size=6))
def test_only_a_wrong_order_contradicts(told):
    response = ". ".join(told)
    firsts = [told.index(step) for step in BREW if step in told]
    assert (verdict(order(), response) is CONTRADICTS) == (firsts != sorted(firsts))
    in_order = ". ".join(step for step in BREW if step in told)
    assert verdict(order(), in_order) is (MEETS if len(firsts) == 4 else PARTLY if len(firsts) >= 2 else MISSING)


@given(words)
def test_a_word_is_found_between_any_other_signs(word):
    assume(re.search(r"[^\W_]", word))
    assert verdict(states(word), f"**{word}**, ({word}) «{word}»…") is MEETS
