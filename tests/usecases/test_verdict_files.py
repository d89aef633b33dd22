"""Verdicts in files: they go out with their ruler and the judge's own words, and come back to the same responses."""

import json
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from gamut_desktop.usecases.documents import put, question_in
from gamut_desktop.usecases.explaining import explain
from gamut_desktop.usecases.exporting import export
from gamut_desktop.usecases.grading import grade
from gamut_desktop.usecases.importing import import_path
from gamut_desktop.usecases.reporting import report
from judge_local.port import Answer
from models.store.project import Project
from models.store.queries.responses import responses
from models.store.queries.verdicts import verdicts
from models.verdicts import Outcome, Verdict
from tests.scripted import UNSUPPORTED, ScriptedJudge, because, said

ESPRESSO, MILK = (f"Mentions {item} as one of parts of a flat white" for item in ("espresso", "milk"))


def script(asking, check):
    if asking.explain is not None:
        return because(asking, check)
    if check.text == ESPRESSO and "espresso" in asking.response:
        return said(Verdict.MEETS, "It names <b>espresso</b>.", "white of espresso")
    if check.text == MILK and "milk" in asking.response:
        return said(Verdict.PARTIALLY_MEETS, "It says cream.", note=UNSUPPORTED)
    if "Tea" in asking.response:
        return Answer(Outcome.REFUSED, note="Not today.")
    logs = (-0.5, -1.5, -2.5, -inf, -3.5)
    return Answer(Outcome.VERDICT, Verdict.MEETS, log_probabilities=logs, label_mass=0.75)


def judge() -> ScriptedJudge:
    return ScriptedJudge(script, facts={"seed": 3, "devices": ("CPU",)})


def content(project: Project):
    """Everything about verdicts but ids and times."""
    with project.read() as snapshot:
        named = {r.id: (r.question, r.model, r.variant, r.sample) for r in responses(snapshot)}
        return sorted(
            repr((named[row.response_id], bool(row.explained_at)))
            + repr(replace(row, id=0, response_id=0, ruler_id=0, run_id=0, created_at="", explained_at=None))
            for row in verdicts(snapshot)
        )


@pytest.fixture
def judged(graded: Project) -> Project:
    """Graded, and one verdict explained afterwards."""
    grade(graded, judge())
    with graded.read() as snapshot:
        plain = next(row for row in verdicts(snapshot) if row.rationale is None and row.verdict is not None)
    explain(graded, judge(), plain.id)
    return graded


def test_verdicts_come_back_as_they_were_and_are_shown(judged, tmp_path):
    export(judged, tmp_path / "out", format="native")
    with Project.create(tmp_path / "again.gamut") as again:
        done = import_path(again, tmp_path / "out", author="t")
        assert (done.left_out, done.remarks) == ([], [])
        assert (done.verdicts, done.verdicts_known) == (8, 0)
        assert content(again) == content(judged)
        assert report(again).as_json() == report(judged).as_json()
        assert again.verify() == []
        twice = import_path(again, tmp_path / "out", author="t")
        assert (twice.verdicts, twice.verdicts_known, twice.arrived) == (0, 8, True)
        assert content(again) == content(judged)


def test_a_reason_asked_for_later_comes_to_a_verdict_that_is_there_already(judged, tmp_path):
    export(judged, tmp_path / "out", format="native")
    with judged.read() as snapshot:
        before = [row.rationale for row in verdicts(snapshot)]
    with Project.create(tmp_path / "again.gamut") as again:
        bare = tmp_path / "bare"
        bare.mkdir()
        for file in (tmp_path / "out").iterdir():
            text = file.read_text(encoding="utf-8")
            if file.name == "verdicts.jsonl":
                rows = [json.loads(line) for line in text.splitlines()]
                kept = [
                    {k: v for k, v in row.items() if not (row.get("asked_later") and k == "rationale")} for row in rows
                ]
                text = "".join(json.dumps(row) + "\n" for row in kept)
            (bare / file.name).write_text(text, encoding="utf-8")
        import_path(again, bare, author="t")
        assert content(again) != content(judged)
        import_path(again, tmp_path / "out", author="t")
        assert content(again) == content(judged)
        assert before.count(None) < 8


def test_imported_verdicts_of_another_ruler_do_not_take_the_place_of_the_judge_s_own(judged, tmp_path):
    export(judged, tmp_path / "out", format="native")
    with Project.create(tmp_path / "again.gamut") as again:
        (tmp_path / "out" / "verdicts.jsonl").rename(tmp_path / "verdicts.jsonl")
        import_path(again, tmp_path / "out", author="t")
        grade(again, ScriptedJudge(lambda *_: said(Verdict.MISSING)))
        own = report(again).as_json()
        done = import_path(again, tmp_path / "verdicts.jsonl", author="t")
        assert done.verdicts == 8
        assert done.remarks == [
            "scripted has graded this project by another ruler: its own verdicts are shown, the imported are kept"
            " beside."
        ]
        assert report(again).as_json() == own


def test_verdicts_about_something_else_are_left_out(judged, tmp_path):
    export(judged, tmp_path / "out", format="native")
    with judged.write() as writer:
        put(writer, replace(question_in(writer, "q1"), question="And this?"), author="t")
    done = import_path(judged, tmp_path / "out" / "verdicts.jsonl", author="t")
    assert (done.verdicts, done.verdicts_known) == (0, 2)  # the text variant has its own question
    assert len(done.left_out) == 6
    assert done.left_out[0] == (
        "verdicts.jsonl, line 1: this verdict was given about another question, picture or response."
        " Grade it here instead."
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"evidence": "words that are not there"}, "the evidence of this verdict is not in the response."),
        ({"model": "z"}, "there is no answer of z to 'q1' (image, sample 0). Import it first."),
        ({"verdict": "fine"}, "'verdict' must be one of meets, partially_meets, missing, contradicts, not 'fine'."),
        ({"verdict": None}, "the outcome 'verdict' does not go with the verdict 'none'."),
        ({"outcome": "refused"}, "the outcome 'refused' does not go with the verdict"),
        ({"kind": "guess"}, "'kind' must be one of presence,"),
        ({"ruler": ["x"]}, "'ruler' must be an object of plain facts."),
        ({"ruler": {"a": {"b": 1}}}, "'ruler' must be an object of plain facts."),
        ({"log_probabilities": [-1, -2]}, "'log_probabilities' must be five numbers from 0 down, or null."),
        ({"log_probabilities": [1, -1, -1, -1, -1]}, "'log_probabilities' must be five numbers from 0 down"),
        ({"label_mass": "much"}, "'label_mass' must be a number from 0 to 1."),
        ({"question_id": "q9"}, "the question 'q9' is not in this project. Import its rubric first."),
    ],
)
def test_a_row_that_is_no_verdict_is_named(judged, tmp_path, change, told):
    export(judged, tmp_path / "out", format="native")
    row = json.loads((tmp_path / "out" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()[0])
    (tmp_path / "v.jsonl").write_text(json.dumps(row | change) + "\n", encoding="utf-8")
    before = content(judged)
    (left_out,) = import_path(judged, tmp_path / "v.jsonl", author="t").left_out
    assert f"v.jsonl, line 1: {told}" in left_out
    assert content(judged) == before


def test_only_what_is_shown_goes_out(judged, tmp_path):
    grade(judged, ScriptedJudge(lambda *_: said(Verdict.MISSING), facts={"seed": 9}))
    export(judged, tmp_path / "out", format="native", question="q1")
    rows = [json.loads(line) for line in (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()]
    assert {row["ruler"]["seed"] for row in rows} == {9}
    assert len(rows) == 8


def sheet(project: Project, folder: Path) -> str:
    (path,) = export(project, folder / "s.html", format="sheet")
    return path.read_text(encoding="utf-8")


def test_a_sheet_holds_the_answers_with_reason_evidence_and_verdict(judged, tmp_path):
    page = sheet(judged, tmp_path)
    assert "A flat <mark>white of espresso</mark><sup>[1]</sup> and milk." in page
    assert "<q>white of espresso</q></span><sup>[1]</sup>" in page
    assert "It names &lt;b&gt;espresso&lt;/b&gt;." in page
    assert '<span class="unsupported">unsupported</span>' in page
    assert page.count('class="unsupported"') == 1
    assert "(asked for afterwards)" in page
    assert "no verdict: refused" in page
    assert "Judge: scripted · score" in page


def test_a_sheet_marks_evidence_in_hostile_text_without_obeying_it(project, inbox, tmp_path):
    evil = '</mark><script>alert(1)</script> & "milk" \u202e'
    (inbox / "a.yaml").write_text("gamut: 1\nid: q1\nquestion: What?\nrubric: []\n")
    from tests.usecases.conftest import RUBRIC

    (inbox / "a.yaml").write_text(RUBRIC.format(id="q1"))
    (inbox / "r.jsonl").write_text(json.dumps({"question_id": "q1", "model": evil, "response": f"x {evil} y"}))
    import_path(project, inbox, author="t")
    grade(project, ScriptedJudge(lambda *_: said(Verdict.MEETS, evil, evil)))
    page = sheet(project, tmp_path)
    assert "<script" not in page
    assert page.count("<mark>") == 1
    assert "<mark>&lt;/mark&gt;&lt;script&gt;" in page


def test_a_sheet_shows_an_answer_that_is_not_judged_or_empty(graded, inbox, tmp_path):
    (inbox / "e.jsonl").write_text('{"question_id": "q1", "model": "silent", "response": ""}\n')
    import_path(graded, inbox / "e.jsonl", author="t")
    page = sheet(graded, tmp_path)
    assert page.count("No judge has said anything about this response.") == 4
    assert page.count("This response is empty.") == 1
