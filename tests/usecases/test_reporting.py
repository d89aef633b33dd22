"""Reports: contract, arithmetic, and the same bytes every time."""

import json

import pytest

from gamut_desktop.usecases.grading import grade
from gamut_desktop.usecases.reporting import report
from judge_local.port import Answer
from models.rubric.checklist import Kind
from models.store.queries.responses import responses
from models.verdicts import Outcome, Variant, Verdict
from tests.scripted import ScriptedJudge, said

FACT = "States: The drink is a flat white"


def by_word(asking, check):
    word = check.text.split()[1]
    return said(Verdict.MEETS if word in asking.response else Verdict.MISSING)


def row(project, model, variant="image", judge="scripted"):
    found = [r for r in report(project).rows() if (r["model"], r["variant"], r["judge"]) == (model, variant, judge)]
    (one,) = found
    return one


def test_a_row_has_the_promised_fields(graded):
    grade(graded, ScriptedJudge())
    made = report(graded).as_json()
    assert list(made) == ["profile", "rows", "questions"]
    assert list(made["rows"][0]) == [
        *("model", "judge", "variant", "questions", "answered", "gamut", "interval", "tiers", "coverage"),
        *("verdicts", "outcomes"),
    ]
    assert list(made["questions"][0]) == [
        *("question_id", "model", "judge", "variant", "gamut", "tiers", "coverage", "interval"),
    ]
    assert set(made["rows"][0]["verdicts"]) == set(Verdict)
    assert set(made["rows"][0]["outcomes"]) == set(Outcome)


def test_scores_are_those_of_the_scoring_core(graded):
    grade(graded, ScriptedJudge(lambda a, c: said(Verdict.MEETS if "milk" in c.text else Verdict.MISSING)))
    a = row(graded, "a")
    assert a["tiers"] == {"answer_critical": 0.0, "valuable": 0.5, "context": None}
    assert a["gamut"] == pytest.approx(0.3 * 0.5 / 0.9)
    assert a["verdicts"] == {"meets": 1, "partially_meets": 0, "missing": 2, "contradicts": 0}
    assert (a["questions"], a["answered"]) == (1, 1)


def test_checks_without_verdict_widen_the_interval_and_lower_the_coverage(graded):
    grade(graded, ScriptedJudge(lambda a, c: Answer(Outcome.ABSTAINED) if "milk" in c.text else said(Verdict.MEETS)))
    a = row(graded, "a")
    assert a["gamut"] == 1.0
    assert a["interval"][0] < a["interval"][1] == 1.0
    assert a["coverage"]["valuable"] == 0.5
    assert a["outcomes"]["abstained"] == 1


def test_two_reports_have_the_same_bytes(graded):
    grade(graded, ScriptedJudge(by_word))
    first = json.dumps(report(graded).as_json())
    assert json.dumps(report(graded).as_json()) == first


def test_a_persons_override_counts_before_the_judge_and_can_be_withdrawn(graded):
    grade(graded, ScriptedJudge())
    with graded.read() as snapshot:
        response = responses(snapshot, model="b")[0]

    def override(verdict):
        with graded.write() as writer:
            writer.override_verdict(response.id, Kind.PRESENCE, FACT, judge="scripted", verdict=verdict, author="Ada")

    assert row(graded, "b")["gamut"] == 1.0
    override(Verdict.CONTRADICTS)
    assert row(graded, "b")["tiers"]["answer_critical"] == -1.0
    override(None)
    assert row(graded, "b")["gamut"] == 1.0


def test_judges_and_variants_stand_apart(graded):
    grade(graded, ScriptedJudge())
    grade(graded, ScriptedJudge(id="other", script=lambda *_: said(Verdict.MISSING)))
    made = report(graded)
    assert {(r["model"], r["judge"], r["variant"]): r["gamut"] for r in made.rows()} == {
        ("a", "scripted", "image"): 1.0,
        ("a", "other", "image"): 0.0,
        ("a", "scripted", "text"): 1.0,
        ("a", "other", "text"): 0.0,
        ("b", "scripted", "image"): 1.0,
        ("b", "other", "image"): 0.0,
    }
    assert made.asked == {Variant.IMAGE: 1, Variant.TEXT: 1}


def test_an_ungraded_project_reports_no_rows(graded):
    assert report(graded).as_json() == {"profile": "gamut-1", "rows": [], "questions": []}
