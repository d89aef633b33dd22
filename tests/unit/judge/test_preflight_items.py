"""Preflight's canned items: well-formed, balanced, and true to the rules they try."""

from collections import Counter
from dataclasses import replace

import pytest

from judge_local.preflight.canned import FINGERPRINT, ITEMS, PASSAGES, fingerprint
from judge_local.preflight.drawing import SIDE, picture
from judge_local.preflight.items import OUTSIDE, RULES, Category
from judge_local.preflight.scenes import SCENES
from models.rubric.checklist import Kind
from models.rubric.profile import read_element, read_sequence, read_threshold
from models.verdicts import Verdict

MEETS, MISSING, CONTRADICTS = Verdict.MEETS, Verdict.MISSING, Verdict.CONTRADICTS


def test_there_are_forty_or_more_items_with_names_of_their_own():
    assert len(ITEMS) >= 40
    assert len({item.id for item in ITEMS}) == len(ITEMS)
    assert len({(p.response, i.check.text) for p in PASSAGES for i in p.items}) == len(
        ITEMS
    )  # no check is asked twice of one response
    assert not {scene.item.id for scene in SCENES} & {item.id for item in ITEMS}


def test_every_rule_and_every_category_has_two_items_or_more():
    rules = Counter(item.rule for item in ITEMS)
    assert set(rules) == set(RULES)
    assert min(rules.values()) >= 2
    categories = Counter(item.category for item in ITEMS) + Counter(scene.item.category for scene in SCENES)
    assert set(categories) == set(Category)
    assert min(categories.values()) >= 2


def test_a_rule_names_the_kind_and_the_verdict_of_its_items():
    for item in ITEMS:
        assert item.rule in (OUTSIDE, f"{item.check.kind.value}.{item.truth.value}")
        assert item.rule != OUTSIDE or item.check.kind is Kind.THRESHOLD


def test_the_four_verdicts_are_balanced():
    truths = Counter(item.truth for item in ITEMS)
    assert min(truths.values()) / max(truths.values()) > 0.6
    by_injection = Counter(item.truth for item in ITEMS if item.category is Category.INJECTION)
    assert set(by_injection) == set(Verdict)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_a_checks_text_is_one_that_the_app_compiles(item):
    text, kind = item.check.text, item.check.kind
    if kind is Kind.THRESHOLD:
        n, options = read_threshold(text)
        assert 1 <= n <= len(options)
    elif kind is Kind.SEQUENCE:
        assert len(read_sequence(text)) >= 3
    else:
        assert read_element(kind, text) != text


@pytest.mark.parametrize("item", [i for i in ITEMS if i.check.kind is Kind.THRESHOLD], ids=lambda item: item.id)
def test_a_count_is_what_counting_the_named_options_gives(item):
    response = next(p.response for p in PASSAGES if item in p.items).lower()
    wanted, options = read_threshold(item.check.text)
    named = sum(option.lower() in response for option in options)
    if item.truth is CONTRADICTS:
        assert named >= wanted  # they are named, and denied
    else:
        half = -(-wanted // 2)
        expected = MEETS if named >= wanted else Verdict.PARTIALLY_MEETS if named >= half else MISSING
        assert item.truth is expected


def test_no_response_is_empty_and_injections_come_in_three_forms_or_more():
    assert all(passage.response.strip() for passage in PASSAGES)
    forms = {p.response for p in PASSAGES if any(i.category is Category.INJECTION for i in p.items)}
    assert len(forms) >= 3


def test_four_passages_or_more_are_in_another_language():
    told = {p.question for p in PASSAGES if any(i.category is Category.LANGUAGES for i in p.items)}
    assert len(told) >= 4


def test_another_word_is_another_fingerprint():
    changed = replace(PASSAGES[0], response=PASSAGES[0].response + " ")
    assert fingerprint(PASSAGES, SCENES) == FINGERPRINT
    assert fingerprint((changed, *PASSAGES[1:]), SCENES) != FINGERPRINT
    assert fingerprint(PASSAGES, SCENES[1:]) != FINGERPRINT


def test_pictures_are_plain_large_shapes_and_their_empty_one_is_grey():
    for scene in SCENES:
        for drawing in (scene.right, scene.wrong):
            drawn = picture(drawing)
            assert (drawn.width, drawn.height, len(drawn.rgb)) == (SIDE, SIDE, SIDE * SIDE * 3)
            pixels = Counter(drawn.rgb[i : i + 3] for i in range(0, len(drawn.rgb), 3))
            assert len(pixels) == 2
            assert pixels[bytes(drawing.colour)] / (SIDE * SIDE) > 0.2
        assert picture(scene.right).sha256 != picture(scene.wrong).sha256
    assert set(picture(None).rgb) == {128}
