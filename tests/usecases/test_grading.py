"""Grading: what is asked, what is stored, what a stop or a failing judge leaves behind."""

import pytest
from PIL import Image

from gamut_desktop.usecases.documents import put, question_in
from gamut_desktop.usecases.grading import NothingToGrade, PicturesUnseen, grade
from gamut_desktop.usecases.importing import import_path
from gamut_desktop.usecases.reporting import report
from judge_local.port import Answer, JudgeError
from judge_local.runs.plan import Selection
from models.store.project import Project
from models.store.queries.verdicts import verdicts
from models.store.records import RunStatus
from models.verdicts import Outcome, Variant, Verdict
from tests.scripted import ScriptedJudge, said
from tests.usecases.conftest import RUBRIC


def rows(project: Project):
    with project.read() as snapshot:
        return verdicts(snapshot)


def edit(project: Project, **changes: str) -> None:
    """Reword the stored question's parts and save it as a new version."""
    from dataclasses import replace

    with project.write() as writer:
        question = question_in(writer, "q1")
        fact = replace(question.rubric[0], **changes)
        put(writer, replace(question, rubric=(fact, *question.rubric[1:])), author="t")


def test_every_check_of_every_response_is_asked_once(graded):
    judge = ScriptedJudge()
    done = grade(graded, judge)
    assert done.complete
    assert len(judge.asked) == len(set(judge.asked)) == 3 + 3 + 2
    assert len(rows(graded)) == 8


def test_a_second_run_asks_nothing(graded):
    grade(graded, ScriptedJudge())
    judge = ScriptedJudge()
    done = grade(graded, judge)
    assert (judge.asked, done.plan.settled, done.complete) == ([], 8, True)


def test_the_text_variant_is_asked_its_own_question_without_what_it_gives_away(graded):
    judge = ScriptedJudge()
    grade(graded, judge)
    (asking,) = [a for a in judge.askings if a.variant is Variant.TEXT]
    assert asking.question == "What is a flat white?"
    assert [c.text for c in asking.checks] == [
        "Mentions espresso as one of parts of a flat white",
        "Mentions milk as one of parts of a flat white",
    ]


def test_a_retier_asks_nothing_and_a_reworded_check_is_asked_alone(graded):
    grade(graded, ScriptedJudge())
    from models.rubric.metarubric import Tier

    edit(graded, tier=Tier.CONTEXT)
    judge = ScriptedJudge()
    grade(graded, judge)
    assert judge.asked == []
    edit(graded, fact="The drink is a cortado")
    grade(graded, judge)
    assert {text for _, text in judge.asked} == {"States: The drink is a cortado"}


def test_another_ruler_is_another_measurement(graded):
    grade(graded, ScriptedJudge())
    judge = ScriptedJudge(facts={"seed": 1}, script=lambda *_: said(Verdict.MISSING))
    grade(graded, judge)
    assert len(judge.asked) == 8
    assert {one["gamut"] for one in report(graded).questions()} == {0.0}


def test_the_selection_narrows_what_is_asked(graded, inbox):
    (inbox / "b.yaml").write_text(RUBRIC.format(id="q2"))
    (inbox / "r2.jsonl").write_text('{"question_id": "q2", "model": "a", "response": "x"}')
    import_path(graded, inbox, author="t")

    def asked(**selection) -> int:
        return len(
            grade(graded, ScriptedJudge(facts={"n": str(selection)}), selection=Selection(**selection)).plan.tasks
        )

    assert asked() == 4
    assert asked(question="q2") == 1
    assert asked(model="b") == 1
    assert asked(limit=2) == 2
    assert asked(shard=(1, 2)) + asked(shard=(2, 2)) == 4


def test_a_dropped_question_is_not_graded(graded, inbox):
    (inbox / "a.yaml").write_text(RUBRIC.format(id="q1") + "status: dropped\n")
    import_path(graded, inbox, author="t")
    assert grade(graded, ScriptedJudge()).plan.checks == 0


def test_an_empty_response_is_all_missing_without_asking(graded, inbox):
    (inbox / "e.jsonl").write_text('{"question_id": "q1", "model": "silent", "response": " \\n\\t"}')
    import_path(graded, inbox / "e.jsonl", author="t")
    judge = ScriptedJudge()
    grade(graded, judge, selection=Selection(model="silent"))
    assert judge.asked == []
    assert {(r.verdict, r.note) for r in rows(graded)} == {(Verdict.MISSING, "The response is empty.")}


def test_a_stop_keeps_what_was_answered_and_the_next_run_asks_the_rest(graded):
    judge = ScriptedJudge()
    done = grade(graded, judge, stop=lambda: len(judge.asked) >= 4)
    assert (done.ended.status, done.ended.answered, done.complete) == (RunStatus.STOPPED, 4, False)
    again = ScriptedJudge()
    assert grade(graded, again).complete
    assert sorted(judge.asked + again.asked) == sorted(set(judge.asked + again.asked))
    assert len(rows(graded)) == 8


def test_a_judge_that_fails_leaves_its_answers_and_a_sentence(graded):
    def script(_asking, check):
        return JudgeError("The judge died.", "Try again.") if "milk" in check.text else said(Verdict.MEETS)

    done = grade(graded, ScriptedJudge(script))
    assert str(done.ended.error) == "The judge died. Try again."
    assert done.ended.status is RunStatus.FAILED
    assert len(rows(graded)) == 2


def test_failed_checks_are_asked_again_and_other_outcomes_are_not(graded):
    outcomes = iter([Outcome.FAILED, Outcome.ABSTAINED, Outcome.UNPARSABLE])
    first = ScriptedJudge(lambda *_: Answer(next(outcomes, Outcome.VERDICT), None))
    assert not grade(graded, first, selection=Selection(model="b")).complete
    second = ScriptedJudge()
    assert grade(graded, second, selection=Selection(model="b")).complete
    assert second.asked == first.asked[:1]


def test_a_judge_that_does_not_see_asks_for_consent_where_there_are_pictures(graded, inbox):
    Image.new("RGB", (9, 9)).save(inbox / "p.png")
    (inbox / "a.yaml").write_text(RUBRIC.format(id="q1") + "image: p.png\n")
    import_path(graded, inbox, author="t")
    with pytest.raises(PicturesUnseen) as refused:
        grade(graded, ScriptedJudge())
    assert str(refused.value) == (
        "scripted reads text only, and 1 question of this selection shows pictures. "
        "Add --text-only to grade by text alone, or choose a judge that sees."
    )
    assert grade(graded, ScriptedJudge(), text_only=True).complete


def test_a_judge_that_sees_gets_upright_pixels(graded, inbox):
    Image.new("RGB", (9, 5), (10, 200, 30)).save(inbox / "p.png")
    (inbox / "a.yaml").write_text(RUBRIC.format(id="q1") + "image: p.png\n")
    import_path(graded, inbox, author="t")
    judge = ScriptedJudge(sees_images=True)
    grade(graded, judge)
    shown = {a.variant: a.pictures for a in judge.askings}
    (picture,) = shown[Variant.IMAGE]
    assert (picture.width, picture.height, picture.rgb[:3]) == (9, 5, bytes((10, 200, 30)))
    assert shown[Variant.TEXT] == ()


def test_nothing_to_grade_is_a_sentence(project, graded):
    with pytest.raises(
        NothingToGrade, match=r"There is no response of nobody in .*\.gamut\. Import responses, or check"
    ):
        grade(graded, ScriptedJudge(), selection=Selection(model="nobody"))


def test_a_question_that_does_not_compile_is_named_and_the_others_are_graded(graded, inbox):
    broken = RUBRIC.format(id="q2").replace("[espresso, milk]", "[milk, milk]")
    (inbox / "b.yaml").write_text(broken)
    (inbox / "r2.jsonl").write_text('{"question_id": "q2", "model": "a", "response": "x"}')
    import_path(graded, inbox, author="t")
    done = grade(graded, ScriptedJudge())
    assert done.ended.answered == 8
    assert not done.complete
    assert done.remarks == ("q2: Question 'q2': 'parts of a flat white' has 'milk' twice. Remove one of the two.",)


def test_two_runs_of_one_judge_at_once_are_refused_naming_the_holder(graded):
    from models.errors import GamutError

    def second(_):
        with pytest.raises(GamutError, match="A grading run with scripted"):
            grade(graded, ScriptedJudge())

    grade(graded, ScriptedJudge(), on_plan=second)
