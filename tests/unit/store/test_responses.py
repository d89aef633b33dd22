"""Responses and the trash."""

import hashlib

import pytest

from models.store import queries
from models.store.errors import UnknownRow
from models.store.project import Project
from models.store.records import AddedResponse, Emptied, NewResponse
from models.verdicts import Variant
from tests.unit.store.parts import answer, fill


def test_the_same_response_twice_is_ignored_and_other_text_is_refused_by_a_value(project: Project) -> None:
    with project.write() as writer:
        writer.put_question("q", "{}", author="x")
        assert writer.add_response(NewResponse("q", "m", "text", source="a.jsonl")) == AddedResponse(1, "added")
        assert writer.add_response(NewResponse("q", "m", "text")) == AddedResponse(1, "identical")
        assert writer.add_response(NewResponse("q", "m", "other")) == AddedResponse(1, "different_text")
        (row,) = queries.responses(writer)
        assert (row.text, row.source, row.sha256) == ("text", "a.jsonl", hashlib.sha256(b"text").hexdigest())
        assert queries.response(writer, 1) == row
        assert queries.response(writer, 2) is None


def test_variant_and_sample_tell_responses_apart_also_within_one_batch(project: Project) -> None:
    with project.write() as writer:
        writer.put_question("q", "{}", author="x")
        added = writer.add_responses(
            [
                NewResponse("q", "m", "a"),
                NewResponse("q", "m", "b", variant=Variant.TEXT),
                NewResponse("q", "m", "c", sample=1),
                NewResponse("q", "m", "c", sample=1),
                NewResponse("q", "m", "d"),
                NewResponse("q", "n", "a"),
            ]
        )
        assert [one.state for one in added] == ["added", "added", "added", "identical", "different_text", "added"]
        assert [(r.model, r.variant, r.sample) for r in queries.responses(writer)] == [
            ("m", Variant.IMAGE, 0),
            ("m", Variant.IMAGE, 1),
            ("m", Variant.TEXT, 0),
            ("n", Variant.IMAGE, 0),
        ]
        assert [r.text for r in queries.responses(writer, model="n")] == ["a"]
        assert queries.responses(writer, question="p") == ()
        assert queries.model_names(writer) == ("m", "n")


def test_a_response_to_an_unknown_question_stores_nothing_of_its_batch(project: Project) -> None:
    with project.write() as writer:
        writer.put_question("q", "{}", author="x")
        with pytest.raises(UnknownRow, match="no question 'p'"):
            writer.add_responses([NewResponse("q", "m", "a"), NewResponse("p", "m", "a")])
        assert queries.responses(writer) == ()


def test_an_empty_text_and_odd_characters_come_back_as_they_were(project: Project) -> None:
    texts = ["", "  \n", "zero\x00byte", "emoji 👩‍🚀, ü and ü", "<|im_end|>"]
    with project.write() as writer:
        writer.put_question("q", "{}", author="x")
        writer.add_responses([NewResponse("q", "m", text, sample=n) for n, text in enumerate(texts)])
    with project.read() as snapshot:
        assert [row.text for row in queries.responses(snapshot)] == texts
    assert project.verify() == []


def test_a_corrected_response_takes_the_place_of_a_trashed_one(project: Project) -> None:
    with project.write() as writer:
        writer.put_question("q", "{}", author="x")
        old = writer.add_response(NewResponse("q", "m", "wrong")).id
        assert writer.trash_responses([old]) == 1
        assert writer.trash_responses([old]) == 0
        new = writer.add_response(NewResponse("q", "m", "right"))
        assert new.state == "added"
        assert writer.restore_responses([old]) == (old,)  # its place is taken
        writer.trash_responses([new.id])
        assert writer.restore_responses([old]) == ()
        assert [row.text for row in queries.responses(writer)] == ["wrong"]
        assert writer.restore_responses([new.id]) == (new.id,)


def test_importing_a_trashed_response_again_brings_it_back_with_its_verdicts(project: Project) -> None:
    with project.write() as writer:
        response, _ = fill(writer)
        writer.trash_responses([response])
        assert queries.verdicts(writer) == ()
        assert writer.add_response(NewResponse("q1", "m1", "Water boils.")) == AddedResponse(response, "restored")
        assert len(queries.verdicts(writer)) == 1


def test_what_hangs_on_a_trashed_question_is_out_of_sight_until_asked_for(project: Project) -> None:
    with project.write() as writer:
        response, _ = fill(writer)
        writer.trash_question("q1")
        for read in (queries.responses, queries.verdicts, queries.overrides, queries.labels, queries.current_versions):
            assert read(writer) == (), read
            assert len(read(writer, trash="trashed")) == len(read(writer, trash="all")) == 1, read
        assert queries.judged_counts(writer) == ()
        assert queries.model_names(writer) == ()
        assert queries.response(writer, response) is not None


def test_the_trash_says_what_is_in_it_and_is_emptied_with_all_that_hangs_on_it(project: Project) -> None:
    with project.write() as writer:
        fill(writer, question="q1")
        gone, ruler = fill(writer, question="q2")
        writer.add_verdicts([answer(gone, ruler, "another check")])
        writer.save_draft("q1", "{draft}", author="x")
        fill(writer, question="q3")
        writer.trash_question("q1")
        writer.trash_responses([gone])
        trash = queries.trash_contents(writer)
        assert [(row.key, row.responses) for row in trash.questions] == [("q1", 1)]
        assert [(row.id, row.question, row.judgements) for row in trash.responses] == [(gone, "q2", 4)]
        assert writer.empty_trash() == Emptied(questions=1, responses=2, verdicts=3, overrides=2, labels=2)
        assert queries.trash_contents(writer) == type(trash)((), ())
        assert [row.key for row in queries.questions(writer, trash="all")] == ["q2", "q3"]
        assert [row.question for row in queries.responses(writer, trash="all")] == ["q3"]
        assert writer.empty_trash() == Emptied(0, 0, 0, 0, 0)
        assert writer.put_question("q1", "{}", author="x").state == "added"
        assert writer.add_response(NewResponse("q1", "m", "x")).id > 3  # ids are never used twice
    assert project.verify() == []


def test_emptied_words_are_not_left_in_the_file(project: Project) -> None:
    with project.write() as writer:
        response, ruler = fill(writer)
        writer.add_verdicts([answer(response, ruler, "a telling check", rationale="a telling reason")])
    with project.write() as writer:
        writer.trash_responses([response])
        writer.empty_trash()
    project.close()
    left = project.path.read_bytes()
    assert not any(word in left for word in (b"telling check", b"telling reason", b"Water boils."))
