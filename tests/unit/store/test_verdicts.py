"""Rulers, verdicts, overrides, labels, and the guards that keep them."""

import sqlite3
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import IntegrityError

from judge_local.reasoning import evidence_for
from models.provenance import Ruler
from models.rubric.checklist import Kind, check_key
from models.scoring.effective import effective
from models.store import queries
from models.store.errors import UnknownRow
from models.store.project import Project
from models.store.records import AddedVerdicts, JudgedCount, NewLabel, NewResponse, NewVerdict
from models.verdicts import Outcome, Variant, Verdict
from tests.unit.store.parts import FACT, answer, fill


def test_a_ruler_is_stored_once_and_told_apart_by_its_facts(project: Project) -> None:
    with project.write() as writer:
        one, same = writer.ensure_ruler(Ruler.of("a", seed=1)), writer.ensure_ruler(Ruler.of("a", seed=1))
        other = writer.ensure_ruler(Ruler.of("a", seed=2))
        third = writer.ensure_ruler(Ruler.of("b", seed=1))
        assert one == same
        assert [row.id for row in queries.rulers(writer)] == [one, other, third]
        assert [row.id for row in queries.rulers(writer, judge="b")] == [third]
        row = queries.rulers(writer)[0]
        assert (row.judge, row.digest, row.manifest) == ("a", Ruler.of("a", seed=1).digest, '{"judge":"a","seed":1}')


def test_a_verdict_comes_back_as_it_was_given(project: Project) -> None:
    with project.write() as writer:
        response, ruler = fill(writer)
        run = writer.start_run("keyword", ruler_id=ruler)
        given = NewVerdict(
            response, Kind.SEQUENCE, "1) a 2) b", ruler, "key", Outcome.VERDICT, Verdict.CONTRADICTS,
            log_probabilities=(-1.5, -0.1, float("-inf"), -3.25, -1e-17), label_mass=0.1 + 0.2,
            rationale="why", evidence="span", note="odd", run_id=run,
        )  # fmt: skip
        writer.add_verdicts([given])
        row = queries.verdicts(writer)[-1]
        assert {name: getattr(row, name, None) for name in given.__slots__ if name not in ("kind", "text")} == {
            name: getattr(given, name) for name in given.__slots__ if name not in ("kind", "text")
        }
        assert (row.check.kind, row.check.text, row.check.key) == (
            Kind.SEQUENCE, "1) a 2) b", check_key("sequence", "1) a 2) b"),
        )  # fmt: skip
        assert row.judge == "keyword"


def test_the_same_question_under_the_same_ruler_gets_one_verdict(project: Project) -> None:
    with project.write() as writer:
        response, ruler = fill(writer)
        first = queries.verdicts(writer)
        again = answer(response, ruler, verdict=Verdict.MISSING)
        assert writer.add_verdicts([again, answer(response, ruler, key="other"), again]) == AddedVerdicts(1, 2)
        assert queries.verdicts(writer)[:1] == first
        reseeded = writer.ensure_ruler(Ruler.of("keyword", version=1, seed=2))
        assert writer.add_verdicts([answer(response, reseeded, verdict=Verdict.MISSING)]) == AddedVerdicts(1, 0)
        assert [row.ruler_id for row in queries.verdicts(writer)] == [ruler, ruler, reseeded]


def test_attempts_without_a_verdict_may_repeat_and_hide_nothing(project: Project) -> None:
    with project.write() as writer:
        response, ruler = fill(writer)
        failed = answer(response, ruler, outcome=Outcome.FAILED, verdict=None)
        assert writer.add_verdicts([failed, failed]) == AddedVerdicts(2, 0)
        rows = queries.verdicts(writer, responses=[response])
        assert [row.outcome for row in rows] == [Outcome.VERDICT, Outcome.FAILED, Outcome.FAILED]
        assert effective(rows, [], input_key="k", ruler_id=ruler).row == rows[0]
        assert effective(rows, queries.overrides(writer), input_key="k", ruler_id=ruler).by_person


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": None},
        {"outcome": Outcome.REFUSED},
        {"ruler_id": 99},
        {"response_id": 99},
        {"log_probabilities": (-1.0, float("nan"), -1.0, -1.0, -1.0)},
    ],
)
def test_a_broken_row_is_a_bug_and_is_never_swallowed(project: Project, wrong: dict[str, object]) -> None:
    with project.write() as writer:
        response, ruler = fill(writer)
    values: dict[str, object] = {
        "response_id": response, "kind": Kind.PRESENCE, "text": "x", "ruler_id": ruler, "input_key": "new",
        "outcome": Outcome.VERDICT, "verdict": Verdict.MEETS, **wrong,
    }  # fmt: skip
    with pytest.raises(IntegrityError), project.write() as writer:
        writer.add_verdicts([NewVerdict(**values)])  # type: ignore[arg-type]
    with project.read() as snapshot:
        assert len(queries.verdicts(snapshot)) == 1


def test_a_million_share_their_check_texts(project: Project) -> None:
    with project.write() as writer:
        response, ruler = fill(writer)
        many = (answer(response, ruler, f"check {n % 7}", key=str(n)) for n in range(12_000))
        assert writer.add_verdicts(many) == AddedVerdicts(12_000, 0)
        rows = queries.verdicts(writer)
        assert len({id(row.check) for row in rows}) == 8
        assert [row.id for row in rows] == sorted(row.id for row in rows)


def test_overrides_and_labels_are_histories_newest_last_and_can_be_withdrawn(project: Project) -> None:
    with project.write() as writer:
        response, _ = fill(writer)
        for verdict in (Verdict.MEETS, None):
            writer.override_verdict(
                response, Kind.PRESENCE, FACT, judge="other", verdict=verdict, author="eve", note="hm"
            )
            writer.add_label(NewLabel(response, Kind.PRESENCE, FACT, "eve", verdict, "note"))
        overrides = queries.overrides(writer, judge="other")
        labels = queries.labels(writer, annotator="eve")
        assert [row.verdict for row in overrides] == [row.verdict for row in labels] == [Verdict.MEETS, None]
        assert (overrides[0].author, overrides[0].note, overrides[0].check.text) == ("eve", "hm", FACT)
        assert (labels[0].annotator, labels[0].note, labels[0].response_id) == ("eve", "note", response)
        assert len(queries.overrides(writer)) == len(queries.labels(writer)) == 3


def test_verdicts_are_found_by_response_question_and_judge(project: Project) -> None:
    with project.write() as writer:
        first, ruler = fill(writer, "q1")
        second, _ = fill(writer, "q2")
        other = writer.ensure_ruler(Ruler.of("other"))
        writer.add_verdicts([answer(second, other)])

        def found(**by: object) -> list[tuple[int, int]]:
            return [(row.response_id, row.ruler_id) for row in queries.verdicts(writer, **by)]  # type: ignore[arg-type]

        assert found() == [(first, ruler), (second, ruler), (second, other)]
        assert found(responses=[first, 99]) == [(first, ruler)]
        assert found(responses=[]) == []
        assert found(question="q2") == [(second, ruler), (second, other)]
        assert found(judge="other") == [(second, other)]
        assert found(judge="nobody") == []
        assert found(question="q2", judge="keyword") == [(second, ruler)]


def test_counts_say_how_far_each_judge_has_got(project: Project) -> None:
    with project.write() as writer:
        response, ruler = fill(writer)
        sample = writer.add_response(NewResponse("q1", "m1", "again", sample=1)).id
        failed = {"outcome": Outcome.FAILED, "verdict": None}
        writer.add_verdicts(
            [
                answer(response, ruler, "b", **failed),
                answer(response, ruler, "b", **failed),
                answer(response, ruler, "c", **failed),
                answer(response, ruler, "c"),
                answer(sample, ruler, "c"),
            ]
        )
        other = writer.ensure_ruler(Ruler.of("keyword", version=2))
        writer.add_verdicts([answer(response, other, "b")])
        assert queries.judged_counts(writer) == (JudgedCount("q1", "m1", Variant.IMAGE, "keyword", 2, 4, 4),)
        assert queries.judged_counts(writer, ruler_id=ruler) == (
            JudgedCount("q1", "m1", Variant.IMAGE, "keyword", 2, 4, 3),
        )


@pytest.fixture
def statements() -> Iterator[list[str]]:
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield seen
    event.remove(Engine, "before_cursor_execute", note)


def test_the_number_of_statements_does_not_grow_with_the_rows(project: Project, statements: list[str]) -> None:
    def read_all() -> dict[str, int]:
        counts = {}
        with project.read() as snapshot:
            for name in ("questions", "current_versions", "drafts", "responses", "verdicts", "overrides", "labels",
                         "judged_counts", "trash_contents", "images", "runs", "rulers"):  # fmt: skip
                statements.clear()
                getattr(queries, name)(snapshot)
                counts[name] = len(statements)
        return counts

    with project.write() as writer:
        fill(writer, "q0")
    few = read_all()
    with project.write() as writer:
        for n in range(1, 30):
            response, ruler = fill(writer, f"q{n}")
            writer.add_verdicts(answer(response, ruler, f"check {k}") for k in range(15))
            writer.save_draft(f"q{n}", "{}", author="x")
    assert read_all() == few
    assert few["verdicts"] == 4
    assert max(few.values()) <= 4


GUARDED = [
    ("verdict", "outcome = 'failed', verdict = NULL"),
    ("verdict_override", "verdict = NULL"),
    ("label", "verdict = NULL"),
    ("response", "text = 'x'"),
    ("question_version", "doc = 'x'"),
    ("check_text", "text = 'x'"),
    ("ruler", "manifest = 'x'"),
    ("image", "data = x'00'"),
]


@pytest.mark.parametrize(("table", "change"), GUARDED)
def test_history_cannot_be_changed_even_by_another_program(project: Project, table: str, change: str) -> None:
    with project.write() as writer:
        fill(writer)
    outsider = sqlite3.connect(project.path)
    with pytest.raises(sqlite3.IntegrityError, match=f"{table} rows are never changed"):
        outsider.execute(f"UPDATE {table} SET {change}")
    outsider.close()


@pytest.mark.parametrize("trashed", ["question", "response"])
@pytest.mark.parametrize("table", ["verdict", "verdict_override", "label"])
def test_history_goes_only_with_its_trashed_response(project: Project, table: str, trashed: str) -> None:
    with project.write() as writer:
        response, _ = fill(writer)
    outsider = sqlite3.connect(project.path, isolation_level=None)
    with pytest.raises(sqlite3.IntegrityError, match=f"{table} rows go only through the trash"):
        outsider.execute(f"DELETE FROM {table}")
    with project.write() as writer:
        if trashed == "question":
            writer.trash_question("q1")
        else:
            writer.trash_responses([response])
    assert outsider.execute(f"DELETE FROM {table}").rowcount == 1
    outsider.close()


@pytest.mark.parametrize("table", ["question", "response", "question_version"])
def test_what_history_hangs_on_goes_only_through_the_trash(project: Project, table: str) -> None:
    with project.write() as writer:
        fill(writer)
    outsider = sqlite3.connect(project.path)
    with pytest.raises(sqlite3.IntegrityError, match=f"{table} rows go only through the trash"):
        outsider.execute(f"DELETE FROM {table}")
    outsider.close()


def test_our_own_connections_cannot_replace_a_verdict_either(project: Project) -> None:
    with project.write() as writer:
        fill(writer)
    with pytest.raises(IntegrityError, match="only through the trash"), project.write() as writer:
        writer._connection.exec_driver_sql("INSERT OR REPLACE INTO verdict SELECT * FROM verdict")


def test_a_rationale_that_comes_later_is_read_with_its_verdict_and_the_newest_counts(project: Project) -> None:
    with project.write() as writer:
        response, ruler = fill(writer)
        writer.add_verdicts([answer(response, ruler, "with a reason", rationale="at once")])
        first, second = queries.verdicts(writer)
        assert (first.rationale, second.rationale, second.explained_at) == (None, "at once", None)
        writer.add_rationale(first.id, "at first")
        writer.add_rationale(first.id, "on second thoughts")
        rows = queries.verdicts(writer)
        assert [row.rationale for row in rows] == ["on second thoughts", "at once"]
        assert rows[0].explained_at is not None
        assert rows[0].explained_at > rows[0].created_at
        assert queries.verdicts(writer, ids=[first.id]) == rows[:1]
        for filters in ({"judge": "keyword"}, {"question": "q1"}, {"responses": [response]}):
            assert queries.verdicts(writer, **filters) == rows  # type: ignore[arg-type]
        assert queries.verdicts(writer, question="q2") == ()
    assert project.verify() == []


def test_only_a_verdict_can_be_explained_and_with_words(project: Project) -> None:
    with project.write() as writer:
        response, ruler = fill(writer)
        writer.add_verdicts([answer(response, ruler, "another", outcome=Outcome.FAILED, verdict=None)])
        failed = queries.verdicts(writer)[-1]
        for nothing in (failed.id, 99):
            with pytest.raises(UnknownRow, match=f"no verdict {nothing}"):
                writer.add_rationale(nothing, "why")
    with pytest.raises(IntegrityError, match="ck_rationale_says_something"), project.write() as writer:
        writer.add_rationale(1, "")


def test_rationales_are_kept_and_go_with_their_response_through_the_trash(project: Project) -> None:
    with project.write() as writer:
        response, _ = fill(writer)
        writer.add_rationale(1, "a telling reason")
    outsider = sqlite3.connect(project.path)
    with pytest.raises(sqlite3.IntegrityError, match="rationale rows are never changed"):
        outsider.execute("UPDATE rationale SET text = 'x'")
    with pytest.raises(sqlite3.IntegrityError, match="rationale rows go only through the trash"):
        outsider.execute("DELETE FROM rationale")
    outsider.close()
    with project.write() as writer:
        writer.trash_responses([response])
        assert queries.verdicts(writer, trash="trashed")[0].rationale == "a telling reason"
        writer.empty_trash()
    assert project.verify() == []
    project.close()
    assert b"telling reason" not in project.path.read_bytes()


@pytest.mark.parametrize(
    ("verdict", "quote", "response", "unsupported"),
    [
        (Verdict.MEETS, "water boils", "Water boils.", False),
        (Verdict.MEETS, "water freezes", "Water boils.", True),
        (Verdict.CONTRADICTS, None, "Water boils.", True),
        (Verdict.MISSING, None, "Water boils.", False),
    ],
)
def test_a_verdict_whose_quote_is_not_there_says_that_it_is_unsupported(
    project: Project, verdict: Verdict, quote: str | None, response: str, unsupported: bool
) -> None:
    evidence, note = evidence_for(verdict, quote, response)
    with project.write() as writer:
        response_id, ruler = fill(writer)
        writer.add_verdicts([answer(response_id, ruler, "b", verdict=verdict, evidence=evidence, note=note)])
        assert queries.verdicts(writer)[-1].unsupported is unsupported
