"""Asking a judge afterwards why: what it is asked, what is kept, and when it is refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from gamut_desktop.usecases.documents import put, question_in
from gamut_desktop.usecases.explaining import NotExplained, explain
from gamut_desktop.usecases.grading import grade
from gamut_desktop.usecases.importing import import_path
from judge_local.bundled import bundled_model
from judge_local.keyword import KeywordJudge
from judge_local.local import LocalJudge, LocalSettings
from judge_local.port import Answer, JudgeError
from judge_local.runs.plan import Selection
from models.store.errors import ReadOnlyProject
from models.store.project import Project
from models.store.queries.verdicts import verdicts
from models.verdicts import Outcome, Variant, Verdict
from tests.models_on_disk import Q8_CACHE
from tests.scripted import ScriptedJudge, because, said
from tests.usecases.conftest import RUBRIC


def rows(project: Project):
    with project.read() as snapshot:
        return verdicts(snapshot)


def reword(project: Project, **changes: object) -> None:
    with project.write() as writer:
        put(writer, replace(question_in(writer, "q1"), **changes), author="t")


@pytest.fixture
def judged(graded: Project) -> Project:
    grade(graded, ScriptedJudge(because))
    return graded


def test_the_judge_is_asked_as_in_grading_for_its_reason_only(judged):
    row = next(r for r in rows(judged) if r.check.text == "Mentions milk as one of parts of a flat white")
    judge = ScriptedJudge(because)
    reason = explain(judged, judge, row.id)
    assert reason == "Because of “Mentions milk as one of parts of a flat white”."
    (asking,) = judge.askings
    assert asking.explain is Verdict.MEETS
    assert asking.checks == (row.check,)
    assert len(asking.checklist) == 3
    assert (asking.question, asking.response) == (
        "What kind of coffee is this?", "A flat white of espresso and milk.",
    )  # fmt: skip


def test_the_reason_is_kept_beside_the_verdict_which_stays_as_it_is(judged):
    row, *others = rows(judged)
    reason = explain(judged, ScriptedJudge(because), row.id)
    now, *rest = rows(judged)
    assert rest == others
    assert now.rationale == reason
    assert now.explained_at is not None
    assert replace(now, rationale=None, explained_at=None) == row
    assert judged.verify() == []


def test_a_verdict_that_has_its_reason_is_not_asked_about_again(judged):
    row = rows(judged)[0]
    explain(judged, ScriptedJudge(because), row.id)
    judge = ScriptedJudge(because)
    assert explain(judged, judge, row.id) == rows(judged)[0].rationale
    assert judge.askings == []


def test_a_stopped_judge_leaves_nothing(judged):
    assert explain(judged, ScriptedJudge(because), rows(judged)[0].id, stop=lambda: True) is None
    assert rows(judged)[0].rationale is None


def test_the_pictures_are_shown_as_in_grading(project, inbox):
    Image.new("RGB", (30, 20), "brown").save(inbox / "cup.png")
    (inbox / "a.yaml").write_text(RUBRIC.format(id="q1") + "images: [cup.png]\n")
    (inbox / "r.jsonl").write_text('{"question_id": "q1", "model": "a", "response": "A flat white."}\n')
    import_path(project, inbox, author="t")
    first, judge = ScriptedJudge(because, sees_images=True), ScriptedJudge(because, sees_images=True)
    grade(project, first)
    explain(project, judge, rows(project)[0].id)
    assert judge.askings[0].pictures == first.askings[0].pictures != ()
    blind = ScriptedJudge(because)
    explain(project, blind, rows(project)[1].id)
    assert blind.askings[0].unseen


def test_the_text_variant_is_explained_with_its_own_question(judged):
    row = rows(judged)[-1]
    judge = ScriptedJudge(because)
    explain(judged, judge, row.id)
    assert (judge.askings[0].variant, judge.askings[0].question) == (Variant.TEXT, "What is a flat white?")


def test_another_question_since_is_refused(judged):
    reword(judged, question="And what is this?")
    with pytest.raises(NotExplained) as refused:
        explain(judged, ScriptedJudge(because), rows(judged)[0].id)
    assert str(refused.value) == (
        "The question, its pictures or the response have changed since this verdict was given."
        " Grade it again, then ask."
    )


def test_a_reworded_check_is_refused(judged):
    row = rows(judged)[0]
    with judged.read() as snapshot:
        first, *rest = question_in(snapshot, "q1").rubric
    reword(judged, rubric=(replace(first, fact="The drink is a cortado"), *rest))
    with pytest.raises(NotExplained, match=r"^The check was reworded or removed since this verdict was given\. Grade"):
        explain(judged, ScriptedJudge(because), row.id)


def test_another_judge_and_another_ruler_are_refused(judged):
    row = rows(judged)[0]
    with pytest.raises(NotExplained, match=r"^other cannot say why scripted gave this verdict\. Ask scripted\.$"):
        explain(judged, ScriptedJudge(because, id="other"), row.id)
    with pytest.raises(NotExplained) as refused:
        explain(judged, ScriptedJudge(because, facts={"seed": 3, "devices": ("CPU",)}), row.id)
    assert str(refused.value) == (
        "scripted is not set up as it was when it gave this verdict (another devices, seed)."
        " Grade it again, then ask; or set it up as it was."
    )


def test_a_list_among_the_facts_of_a_ruler_is_no_difference_in_itself(graded):
    grade(graded, ScriptedJudge(because, facts={"seed": 1, "devices": ("CPU",)}))
    with pytest.raises(NotExplained, match=r"\(another seed\)"):
        explain(graded, ScriptedJudge(because, facts={"seed": 2, "devices": ("CPU",)}), rows(graded)[0].id)


def test_what_is_no_verdict_has_no_reason(graded):
    grade(graded, ScriptedJudge(lambda *_: Answer(Outcome.ABSTAINED)))
    with pytest.raises(NotExplained, match="scripted gave no verdict here, so there is nothing to explain"):
        explain(graded, ScriptedJudge(because), rows(graded)[0].id)
    with pytest.raises(NotExplained, match="This verdict is not in the project any more"):
        explain(graded, ScriptedJudge(because), 999)


def test_a_trashed_response_is_not_explained(judged):
    row = rows(judged)[0]
    with judged.write() as writer:
        writer.trash_responses([row.response_id])
    with pytest.raises(NotExplained, match="This verdict is not in the project any more"):
        explain(judged, ScriptedJudge(because), row.id)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (said(Verdict.MISSING, "No milk."), "scripted gave no reason for its verdict. Its note on the verdict"),
        (said(Verdict.MEETS, note="2 of 2 words found."), "gave no reason for its verdict. 2 of 2 words found."),
        (Answer(Outcome.TOO_LONG, note="This response is too long."), "This response is too long."),
        (JudgeError("The judge died.", "Start it again."), "The judge died. Start it again."),
    ],
)
def test_a_judge_that_gives_no_reason_leaves_nothing(judged, answer, told):
    row = rows(judged)[0]
    with pytest.raises((NotExplained, JudgeError)) as refused:
        explain(judged, ScriptedJudge(lambda *_: answer), row.id)
    assert told in str(refused.value)
    assert rows(judged)[0] == row


def test_the_keyword_judge_is_a_rule_and_has_no_words_of_its_own(graded):
    grade(graded, KeywordJudge(), needs_consent=False)
    row = rows(graded)[0]
    with pytest.raises(NotExplained, match=r"keyword gave no reason for its verdict\. .* content words found\."):
        explain(graded, KeywordJudge(), row.id)
    assert rows(graded)[0] == row


def test_an_empty_response_was_never_shown_to_a_judge(project, inbox):
    (inbox / "a.yaml").write_text(RUBRIC.format(id="q1"))
    (inbox / "r.jsonl").write_text('{"question_id": "q1", "model": "a", "response": ""}\n')
    import_path(project, inbox, author="t")
    grade(project, ScriptedJudge(because))
    with pytest.raises(NotExplained, match="The response is empty: no judge was asked"):
        explain(project, ScriptedJudge(because), rows(project)[0].id)


def test_a_project_for_reading_only_is_told_before_the_judge_is_asked(judged):
    judge = ScriptedJudge(because)
    with Project.open(judged.path, read_only=True) as opened, pytest.raises(ReadOnlyProject):
        explain(opened, judge, rows(judged)[0].id)
    assert judge.askings == []


ONE_CHECK = """gamut: 1
id: q1
question: What is a flat white?
rubric:
  - {type: simple_knowledge, tier: answer_critical, fact: a flat white is made with espresso}
"""


def test_the_bundled_model_says_why_and_quotes_what_is_there(project: Project, inbox: Path) -> None:
    """One response and one check: judged at once and explained, then judged with its reason first."""
    (inbox / "a.yaml").write_text(ONE_CHECK)
    text = "A flat white is an espresso drink with steamed milk."
    (inbox / "r.jsonl").write_text(json.dumps({"question_id": "q1", "model": "a", "response": text}))
    import_path(project, inbox, author="t")
    settings = LocalSettings(bundled_model(Q8_CACHE), threads=1, context=2048)
    judge = LocalJudge("smollm2", settings)
    try:
        grade(project, judge, selection=Selection("q1"))
        (row,) = rows(project)
        assert row.rationale is None
        assert row.verdict is not None
        assert explain(project, judge, row.id)
        (row,) = rows(project)
        assert row.rationale is not None
        assert row.rationale.endswith((".", "!", "?", " ..."))
    finally:
        judge.close()
    reasoned = LocalJudge("smollm2", replace(settings, style="reasoned"))
    try:
        grade(project, reasoned, selection=Selection("q1"))
    finally:
        reasoned.close()
    row = rows(project)[-1]
    assert row.rationale
    assert row.evidence is None or row.evidence in text
    assert not (row.evidence and row.unsupported)
