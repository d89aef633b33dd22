"""The compile rules, one behaviour a test (docs/rules.md), and the laws that hold for every rubric."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from models.rubric.checklist import Kind, Role
from models.rubric.codec import dump_json, load_question, parse_question
from models.rubric.compile import CompileError, compile_question, default_coverage
from models.rubric.metarubric import (
    FlexibleList,
    MetaInsight,
    Process,
    Question,
    Relationship,
    SimpleKnowledge,
    StrictList,
    TextOnly,
    Tier,
)
from models.rubric.problems import is_long
from models.rubric.profile import GAMUT_1
from models.verdicts import Variant
from tests.golden.compare import assert_golden
from tests.unit.rubrics import element_list, flexible, options, question, questions, steps

AC, V, C = Tier
GOLDEN = Path(__file__).parent.parent / "golden"


def rows(*items):
    return [(c.rule, c.tier, c.role, c.kind) for c in compile_question(question(*items)).checks]


def texts(*items):
    return [c.text for c in compile_question(question(*items)).checks]


def test_a_fact_is_one_presence_check_of_its_tier():
    item = SimpleKnowledge("k", V, "Coffee is brewed")
    assert rows(item) == [("simple_knowledge.fact", V, Role.REQUIREMENT, Kind.PRESENCE)]
    assert texts(item) == ["States: Coffee is brewed"]


def test_a_strict_list_asks_for_each_item_at_its_own_tier():
    item = StrictList("l", AC, "main parts of a cup", element_list("bowl", "handle"))
    assert rows(item) == [("strict_list.item", AC, Role.REQUIREMENT, Kind.PRESENCE)] * 2
    assert texts(item) == [
        "Mentions bowl as one of main parts of a cup",
        "Mentions handle as one of main parts of a cup",
    ]


def test_a_short_flexible_list_gives_a_threshold_and_each_option_one_tier_lower():
    baseline = ("flexible_list.baseline", AC, Role.REQUIREMENT, Kind.THRESHOLD)
    assert rows(flexible(7, 2)) == [baseline, *[("flexible_list.option", V, Role.SECONDARY, Kind.PRESENCE)] * 7]
    assert texts(flexible(2, 1))[0] == "Mentions at least 1 of the following things of the test: option a; option b"


def test_a_list_of_eight_options_gives_coverage_thresholds_not_items():
    checks = compile_question(question(flexible(8, 2))).checks
    assert [(c.rule, c.tier, c.origin.n) for c in checks] == [
        ("flexible_list.baseline", AC, 2),
        ("flexible_list.coverage", V, 4),
        ("flexible_list.coverage", V, 6),
    ]


def test_a_context_list_gets_thresholds_not_items():
    checks = compile_question(question(flexible(4, 1, tier=C))).checks
    assert [(c.rule, c.tier, c.origin.n) for c in checks] == [
        ("flexible_list.baseline", C, 1),
        ("flexible_list.coverage", C, 2),
        ("flexible_list.coverage", C, 3),
    ]


def test_two_baselines_are_two_thresholds_of_the_items_tier():
    checks = compile_question(question(flexible(9, 2, 5))).checks
    assert [(c.tier, c.origin.n) for c in checks[:2]] == [(AC, 2), (AC, 5)]
    assert [c.origin.n for c in checks[2:]] == [7, 8]


@pytest.mark.parametrize(
    ("n", "b", "values"), [(8, 2, (4, 6)), (9, 9, ()), (8, 7, (8,)), (10, 1, (4, 7)), (2, 1, (2,)), (12, 3, (6, 9))]
)
def test_default_coverage_is_a_third_and_two_thirds_of_what_is_above_the_baseline(n, b, values):
    assert default_coverage(n, b) == values


def test_given_coverage_replaces_the_default():
    checks = compile_question(question(flexible(10, 2, coverage=(3, 10)))).checks
    assert [c.origin.n for c in checks] == [2, 3, 10]


def test_a_process_without_optional_steps_has_one_sequence():
    item = Process("p", AC, "brewing", steps(grind=True, pour=True))
    assert [(r, t) for r, t, _, _ in rows(item)] == [
        ("process.required_step", AC),
        ("process.required_step", AC),
        ("process.required_sequence", AC),
    ]
    assert texts(item)[-1] == "Gives these steps of brewing in this order: 1) grind 2) pour"


def test_a_process_with_optional_steps_has_a_sequence_of_required_and_one_of_all():
    item = Process("p", AC, "brewing", steps(warm=False, grind=True, pour=True))
    assert rows(item) == [
        ("process.required_step", AC, Role.REQUIREMENT, Kind.PRESENCE),
        ("process.required_step", AC, Role.REQUIREMENT, Kind.PRESENCE),
        ("process.optional_step", V, Role.SECONDARY, Kind.PRESENCE),
        ("process.required_sequence", AC, Role.REQUIREMENT, Kind.SEQUENCE),
        ("process.full_sequence", V, Role.SECONDARY, Kind.SEQUENCE),
    ]
    assert texts(item)[0] == "Describes the step 'grind' of brewing"
    assert texts(item)[-1] == "Gives these steps of brewing in this order: 1) warm 2) grind 3) pour"


def test_one_required_and_one_optional_step_have_only_the_full_sequence():
    rules = [r for r, *_ in rows(Process("p", V, "brewing", steps(grind=True, serve=False)))]
    assert rules == ["process.required_step", "process.optional_step", "process.full_sequence"]


def test_a_single_step_has_no_sequence():
    assert [r for r, *_ in rows(Process("p", V, "brewing", steps(grind=True)))] == ["process.required_step"]
    assert [r for r, *_ in rows(Process("p", V, "brewing", steps(grind=False)))] == ["process.optional_step"]


def test_an_optional_step_of_a_context_process_stays_context():
    assert {t for _, t, _, _ in rows(Process("p", C, "brewing", steps(grind=True, pour=False)))} == {C}


def test_a_relationship_names_the_related_entity_then_each_aspect():
    item = Relationship("r", V, "lead glaze", "running colours", element_list("lead melts early", "gravity pulls"))
    assert rows(item) == [
        ("relationship.related", V, Role.REQUIREMENT, Kind.PRESENCE),
        *[("relationship.aspect", V, Role.REQUIREMENT, Kind.RELATION)] * 2,
    ]
    assert texts(item)[:2] == [
        "Connects lead glaze with running colours",
        "Explains about lead glaze and running colours: lead melts early",
    ]


def test_a_meta_insight_has_its_own_tier_and_comes_last():
    insight = MetaInsight("all are local", "m", (), C)
    item = StrictList("l", AC, "herbs of the dish", element_list("thyme"), (insight,))
    assert rows(item)[-1] == ("meta_insight.insight", C, Role.REQUIREMENT, Kind.INSIGHT)
    assert texts(item)[-1] == "Conveys about herbs of the dish: all are local"


def test_the_text_only_variant_drops_what_identifies_the_subject_and_says_which():
    fact = SimpleKnowledge("k1", AC, "It is a flat white", identifies_subject=True)
    other = SimpleKnowledge("k2", AC, "Milk is steamed")
    asked = question(fact, other, text_only=TextOnly("What is a flat white?"))
    checklist = compile_question(asked, Variant.TEXT)
    assert [c.origin.item for c in checklist.checks] == ["k2"]
    assert checklist.identifying == ("k1",)
    assert len(compile_question(asked).checks) == 2


@pytest.mark.parametrize(
    ("text_only", "sentence"),
    [
        (None, "Question 'q-1' has no text-only variant."),
        (TextOnly(None, "excluded", "it is about the picture"), "is excluded from the text-only set: it is about"),
    ],
)
def test_a_variant_that_is_not_there_is_refused_in_a_sentence(text_only, sentence):
    with pytest.raises(CompileError, match=sentence):
        compile_question(question(SimpleKnowledge("k", AC, "x"), text_only=text_only), Variant.TEXT)


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        (flexible(3, 4), "'things of the test' asks for at least 4, but has 3 options."),
        (flexible(3, 2, 1), "'things of the test' has at_least 2, 1."),
        (flexible(3, 0), "'things of the test' has at_least 0."),
        (flexible(3, 1, 2, 3), "'things of the test' has at_least 1, 2, 3."),
        (flexible(3, 1, coverage=(2,)), "'things of the test' has coverage, but with 3 options each option is a check"),
        (flexible(9, 3, coverage=(3, 5)), "'things of the test' has coverage 3, 5."),
        (flexible(9, 3, coverage=(5, 10)), "'things of the test' has coverage 5, 10."),
        (StrictList("l", AC, "herbs", element_list("thyme", "Thyme ")), "'herbs' has 'Thyme' twice."),
        (StrictList("l", AC, "herbs", element_list("thyme", " ")), "An element of 'herbs' is empty."),
        (StrictList("l", AC, "herbs", ()), "'herbs' has no elements."),
        (SimpleKnowledge("k", AC, ""), "The simple_knowledge 'k' has no fact."),
        (Relationship("r", AC, "a", " ", ()), "The relationship 'r' has no related."),
    ],
)
def test_what_cannot_compile_is_refused_naming_the_item(item, sentence):
    with pytest.raises(CompileError) as refused:
        compile_question(question(item))
    assert sentence in refused.value.sentence
    assert refused.value.next_step


def test_the_same_item_twice_is_refused():
    fact = SimpleKnowledge("a", AC, "Coffee is brewed")
    with pytest.raises(CompileError, match="two items of type simple_knowledge called 'coffee is brewed'"):
        compile_question(question(fact, SimpleKnowledge("b", V, "coffee is brewed")))


def test_the_keyword_for_a_judge_is_kind_and_text_alone():
    one = compile_question(question(SimpleKnowledge("a", AC, "x"))).checks[0]
    two = compile_question(question(SimpleKnowledge("b", V, "x"))).checks[0]
    assert one.key == two.key
    assert one.id != two.id


def test_the_json_of_a_check_has_the_promised_fields():
    check = compile_question(question(flexible(8, 2))).checks[0].as_json()
    assert list(check) == ["id", "tier", "role", "kind", "text", "origin", "rule", "why", "override"]
    assert check["origin"] == {"item": "f", "element": None, "n": 2}
    assert check["id"].startswith("c-")
    assert len(check["id"]) == 18


@pytest.mark.parametrize("name", ["jollof", "tang-sancai"])
def test_golden_checklists_are_byte_identical(name):
    checklist = compile_question(load_question(GOLDEN / "rubrics" / f"{name}.yaml"))
    shown = json.dumps([c.as_json() for c in checklist.checks], ensure_ascii=False, indent=1) + "\n"
    assert_golden(GOLDEN / "checklists" / f"{name}.json", shown)


def test_jollof_has_the_shapes_of_the_papers_appendix():
    checks = compile_question(load_question(GOLDEN / "rubrics" / "jollof.yaml")).checks
    have = Counter((c.rule, c.tier) for c in checks)
    assert have["flexible_list.baseline", AC] == 1
    assert have["flexible_list.option", V] >= 3
    assert have["process.required_sequence", AC] == 1
    assert have["process.full_sequence", V] == 1
    assert any(c.rule == "meta_insight.insight" and c.tier is V for c in checks)


def test_sancai_uses_all_five_types_and_ties_the_glaze_to_its_running():
    asked = load_question(GOLDEN / "rubrics" / "tang-sancai.yaml")
    assert {item.type for item in asked.rubric} == {
        "simple_knowledge",
        "strict_list",
        "flexible_list",
        "process",
        "relationship",
    }
    (relation,) = [i for i in asked.rubric if isinstance(i, Relationship)]
    assert "lead" in relation.subject
    assert any(isinstance(i, StrictList) and i.meta_insights for i in asked.rubric)


# Laws ----------------------------------------------------------------------------------------------------------------


@given(questions())
def test_compiling_twice_gives_the_same_bytes(asked: Question):
    first = json.dumps([c.as_json() for c in compile_question(asked).checks])
    again = parse_question(dump_json(asked), is_json=True)
    assert json.dumps([c.as_json() for c in compile_question(again).checks]) == first


@given(questions())
def test_rule_and_origin_name_one_check(asked: Question):
    checks = compile_question(asked).checks
    places = Counter((c.rule, c.origin) for c in checks)
    assert all(n == 1 for n in places.values())
    ids = {item.id: {e.id for e in (*_pool(item),)} for item in asked.rubric}
    assert all(c.origin.element is None or c.origin.element in ids[c.origin.item] for c in checks)


def _pool(item):
    from models.rubric.metarubric import elements

    return elements(item)


@given(questions())
def test_a_requirement_keeps_its_tier_and_a_secondary_check_drops_one(asked: Question):
    tiers = {item.id: item.tier for item in asked.rubric}
    for check in compile_question(asked).checks:
        if check.rule == "meta_insight.insight":
            continue
        parent = tiers[check.origin.item]
        assert check.tier is (parent if check.role is Role.REQUIREMENT else parent.lower())


@given(questions())
def test_every_item_is_checked_and_every_element_has_a_check_or_stands_in_a_threshold(asked: Question):
    checks = compile_question(asked).checks
    for item in asked.rubric:
        mine = [c for c in checks if c.origin.item == item.id]
        assert mine
        for element in _pool(item):
            listed = isinstance(item, FlexibleList) and is_long(item, GAMUT_1)
            assert any(c.origin.element == element.id for c in mine) or (listed and element.text in mine[0].text)


@given(questions())
def test_every_check_says_why_and_names_its_subject(asked: Question):
    for check in compile_question(asked).checks:
        assert check.why.endswith(".")
        assert check.text.strip()


def test_all_options_are_enumerated_in_every_threshold():
    for check in compile_question(question(flexible(9, 3))).checks:
        assert all(o.text in check.text for o in options(9))
