"""Lint: each rule finds what it is for, says it in a sentence, and stays quiet on good rubrics."""

from pathlib import Path

import pytest

from models.rubric.codec import lines_of, load_question, parse, parse_question, question_of
from models.rubric.lint import Severity, lint
from models.rubric.metarubric import Origin, Override

GOOD = sorted((Path(__file__).parents[2] / "resources" / "sample").glob("*.yaml")) + sorted(
    (Path(__file__).parents[1] / "golden" / "rubrics").glob("*.yaml")
)
HEAD = "gamut: 1\nid: q\nquestion: What is this?\nrubric:\n"
CRITICAL = "  - {type: simple_knowledge, tier: answer_critical, fact: Coffee is brewed}\n"


def found(items: str, head: str = HEAD) -> dict[str, Severity]:
    return {f.rule: f.severity for f in lint(parse_question(head + items))}


@pytest.mark.parametrize(
    ("items", "rule", "severity"),
    [
        (
            "  - {type: flexible_list, tier: answer_critical, name: herbs of x, options: [a, b], at_least: 3}\n",
            "baseline.above_pool",
            "error",
        ),
        (
            "  - {type: flexible_list, tier: answer_critical, name: herbs of x, options: [a, b], at_least: [2, 1]}\n",
            "baseline.invalid",
            "error",
        ),
        (
            "  - {type: flexible_list, tier: answer_critical, name: herbs of x, options: [a, b], at_least: 1, "
            "coverage: [2]}\n",
            "coverage.short_list",
            "error",
        ),
        (
            "  - {type: strict_list, tier: answer_critical, name: herbs of x, items: [thyme, Thyme]}\n",
            "element.duplicate",
            "error",
        ),
        (
            "  - {type: strict_list, tier: answer_critical, name: herbs of x, items: [thyme, '']}\n",
            "element.empty",
            "error",
        ),
        ("  - {type: simple_knowledge, tier: answer_critical, fact: ''}\n", "text.empty", "error"),
        ("  - {type: strict_list, tier: answer_critical, name: herbs of x, items: []}\n", "list.empty", "error"),
        (CRITICAL + CRITICAL, "item.duplicate", "error"),
        ("  - {type: simple_knowledge, tier: answer_critical, fact: x is y, cites: [s9]}\n", "cite.unknown", "error"),
        ("  - {type: simple_knowledge, tier: answer_critical, fact: It is brewed}\n", "text.leans", "warning"),
        (
            "  - {type: strict_list, tier: answer_critical, name: herbs of x, items: [thyme, those listed above]}\n",
            "text.leans",
            "warning",
        ),
        (
            "  - {type: strict_list, tier: answer_critical, name: herbs of x, items: [thyme]}\n",
            "list.single",
            "warning",
        ),
        (
            "  - {type: process, tier: answer_critical, name: brewing coffee, steps: [grind]}\n",
            "sequence.single",
            "warning",
        ),
        (
            "  - {type: simple_knowledge, tier: valuable, fact: Coffee is brewed}\n",
            "tier.no_answer_critical",
            "warning",
        ),
        ("  - {type: strict_list, tier: answer_critical, name: ingredients, items: [a, b]}\n", "name.alone", "warning"),
        (
            "  - {type: strict_list, tier: answer_critical, name: the main steps, items: [a, b]}\n",
            "name.alone",
            "warning",
        ),
        (
            "  - {type: flexible_list, tier: answer_critical, name: herbs of x, options: [a, b], at_least: 2}\n",
            "baseline.whole_pool",
            "warning",
        ),
        (
            "  - {type: flexible_list, tier: answer_critical, name: herbs of x, options: [a; b, c], at_least: 1}\n",
            "text.separator",
            "warning",
        ),
        (
            "  - {type: relationship, tier: answer_critical, subject: x, related: y, aspects: []}\n",
            "relationship.no_aspects",
            "warning",
        ),
        (
            "  - {type: process, tier: answer_critical, name: brewing coffee, steps: [{text: a, required: false}, "
            "{text: b, required: false}]}\n",
            "process.all_optional",
            "warning",
        ),
        (
            CRITICAL + "  - {type: strict_list, tier: context, name: sayings of x, items: [coffee is brewed, b]}\n",
            "text.twice",
            "warning",
        ),
        (
            "  - {type: simple_knowledge, tier: answer_critical, fact: x is y, identifies_subject: true}\n",
            "text_only.missing",
            "note",
        ),
    ],
)
def test_each_rule_finds_what_it_is_for(items, rule, severity):
    assert found(items).get(rule) == severity


def test_findings_about_the_whole_question():
    asked = parse_question("gamut: 1\nid: q\nquestion: ''\nsnippets: [{id: s1}]\nprofile: other\n")
    rules = {f.rule for f in lint(asked)}
    assert rules == {"question.empty", "rubric.empty", "snippet.unused", "profile.unknown"}


def test_stale_orphaned_and_ambiguous_overrides_are_found():
    asked = parse_question(HEAD + CRITICAL)
    origin = Origin(asked.rubric[0].id)
    from dataclasses import replace

    def rules(*edits):
        return {f.rule for f in lint(replace(asked, overrides=edits))}

    assert rules(Override("drop", origin, base_text="something else")) == {"override.stale"}
    assert rules(Override("drop", Origin("gone"))) == {"override.orphan"}
    assert rules(Override("drop", origin), Override("drop", origin)) == {"override.invalid"}


@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_good_rubrics_have_no_errors_or_warnings(path):
    assert [f.message for f in lint(load_question(path)) if f.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("is_json", [False, True])
def test_findings_carry_the_line_of_their_element(is_json):
    text = (
        HEAD
        + "  - type: strict_list\n    tier: answer_critical\n    name: herbs of x\n    items:\n      - a\n      - a\n"
    )
    if is_json:
        text = (
            '{"gamut": 1, "id": "q", "question": "w", "rubric": [\n{"type": "strict_list", "tier": "answer_critical",\n'
            '"name": "herbs of x",\n"items": [\n"b",\n\n"a",\n\n"a"]}]}'
        )
    source = parse(text, "a", is_json=is_json)
    asked = question_of(source)
    (finding,) = [f for f in lint(asked, lines_of(source, asked)) if f.rule == "element.duplicate"]
    assert finding.line == (9 if is_json else 10)


def test_the_json_of_a_finding_has_the_promised_fields():
    shown = lint(parse_question(HEAD + CRITICAL * 2))[-1].as_json()
    assert list(shown) == ["rule", "severity", "item", "element", "line", "message", "fix"]
