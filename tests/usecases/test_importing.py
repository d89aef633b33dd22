"""Importing: kinds told apart by fields, each bad thing named in a sentence with a next step, the rest goes on."""

import json
from pathlib import Path

import pytest
from PIL import Image

from gamut_desktop.usecases.documents import question_in
from gamut_desktop.usecases.importing import ImportRefused, import_path
from models.errors import GamutError
from models.store.project import Project
from models.store.queries.questions import questions, version_history
from models.store.queries.responses import responses
from models.store.queries.verdicts import labels
from models.verdicts import Variant, Verdict
from tests.usecases.conftest import RUBRIC, SAMPLE


def bring(project: Project, path: Path):
    return import_path(project, path, author="tester")


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def rows(folder: Path, *objects: object, name: str = "r.jsonl") -> Path:
    return write(folder, name, "".join(json.dumps(o) + "\n" for o in objects))


def keys(project: Project) -> list[str]:
    with project.read() as snapshot:
        return [row.key for row in questions(snapshot)]


def stored(project: Project):
    with project.read() as snapshot:
        return responses(snapshot)


def test_the_sample_comes_whole_and_a_second_time_changes_nothing(project):
    first = bring(project, SAMPLE)
    assert (len(first.added), first.pictures, first.responses, first.left_out) == (6, 6, 18, [])
    again = bring(project, SAMPLE)
    assert (again.added, again.updated, len(again.unchanged), again.responses) == ([], [], 6, 0)
    assert (again.responses_known, again.left_out) == (18, [])


def test_a_changed_rubric_becomes_a_new_version_and_the_old_one_stays(project, inbox):
    path = write(inbox, "a.yaml", RUBRIC.format(id="q1"))
    bring(project, path)
    write(inbox, "a.yaml", RUBRIC.format(id="q1").replace("What kind", "Which kind"))
    assert bring(project, path).updated == ["q1"]
    with project.read() as snapshot:
        assert [v.number for v in version_history(snapshot, "q1")] == [1, 2]


def test_a_question_id_twice_in_one_import_takes_the_first_and_names_it(project, inbox):
    write(inbox, "a.yaml", RUBRIC.format(id="q1"))
    write(inbox, "b.yaml", RUBRIC.format(id="q1").replace("What kind", "Which kind"))
    write(inbox, "c.yaml", RUBRIC.format(id="q1"))
    done = bring(project, inbox)
    assert done.added == ["q1"]
    assert done.left_out == [
        "The question 'q1' is there twice with different content; the first was taken. Give one of the two another id."
    ]
    with project.read() as snapshot:
        assert question_in(snapshot, "q1").question.startswith("What kind")


def test_rubrics_come_from_jsonl_and_json_lists_too(project, inbox):
    one = {"gamut": 1, "id": "j1", "question": "w"}
    rows(inbox, one, {"question_id": "j1", "model": "m", "response": "x"})
    write(inbox, "list.json", json.dumps([{**one, "id": "j2"}, {"question_id": "j2", "model": "m", "response": ""}]))
    write(inbox, "one.json", json.dumps({**one, "id": "j3"}))
    done = bring(project, inbox)
    assert sorted(done.added) == ["j1", "j2", "j3"]
    assert (done.responses, done.left_out) == (2, [])


def test_csv_is_read_with_commas_or_semicolons(project, inbox):
    write(inbox, "q.yaml", RUBRIC.format(id="q1"))
    write(inbox, "r.csv", 'question_id,model,response,sample\nq1,a,"one, with a comma\nand two lines",0\nq1,a,two,1\n')
    write(inbox, "s.csv", "question_id;model;response\nq1;b;drei\n")
    assert bring(project, inbox).responses == 3
    assert stored(project)[0].text == "one, with a comma\nand two lines"


def test_responses_stay_as_they_were_written(project, inbox):
    write(inbox, "q.yaml", RUBRIC.format(id="q1"))
    texts = [
        "",
        "  spaces  ",
        "\u05e9\u05dc\u05d5\u05dd \u202e cafe\u0301 \u4e2d\u6587",
        "word " * 200_000,
        "<|im_end|>\n\n{{x}}",
    ]
    rows(inbox, *({"question_id": "q1", "model": "m", "response": t, "sample": i} for i, t in enumerate(texts)))
    assert bring(project, inbox).left_out == []
    assert [r.text for r in stored(project)] == texts


def test_the_same_response_is_ignored_and_another_under_its_key_is_named(project, inbox):
    write(inbox, "q.yaml", RUBRIC.format(id="q1"))
    row = {"question_id": "q1", "model": "m", "response": "x"}
    done = bring(project, rows(inbox, row, row, {**row, "response": "y"}).parent)
    assert (done.responses, done.responses_known) == (1, 1)
    assert done.left_out == [
        "r.jsonl, line 3: m already has another answer to 'q1' (image, sample 0). "
        "Give this one another sample number, or remove the stored one."
    ]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (
            {"question_id": "nope", "model": "m", "response": "x"},
            "the question 'nope' is not in this project. Import its",
        ),
        ({"question_id": "q1", "response": "x"}, "'model' must be text, not nothing."),
        ({"question_id": "q1", "model": "m", "response": 5}, "'response' must be text, not '5'."),
        (
            {"question_id": "q1", "model": "m", "response": "x", "variant": "video"},
            "'variant' must be image or text, not",
        ),
        (
            {"question_id": "q1", "model": "m", "response": "x", "sample": -1},
            "'sample' must be a whole number, not '-1'.",
        ),
        ({"question_id": "q1", "model": "m", "response": "x", "sample": True}, "'sample' must be a whole number"),
        ({"question_id": "q1", "model": "m", "response": "\ud800"}, "'response' holds half a Unicode character."),
        (
            {"some": "thing"},
            "this is neither a question, a response, a label nor a verdict. A response needs question_id, model and",
        ),
        ([1, 2], "this is not an object but a list."),
    ],
)
def test_a_bad_row_is_named_and_the_others_arrive(project, inbox, row, told):
    write(inbox, "q.yaml", RUBRIC.format(id="q1"))
    rows(inbox, row, {"question_id": "q1", "model": "good", "response": "x"})
    done = bring(project, inbox)
    assert done.responses == 1
    (sentence,) = done.left_out
    assert sentence.startswith(f"r.jsonl, line 1: {told}")


def test_broken_lines_of_jsonl_are_named_by_number(project, inbox):
    write(inbox, "q.yaml", RUBRIC.format(id="q1"))
    write(
        inbox, "r.jsonl", '{"question_id": \n\n{"question_id": "q1", "model": "m", "response": "x"}\n' + "[" * 100_000
    )
    done = bring(project, inbox)
    assert done.responses == 1
    assert [s.split(":")[0] for s in done.left_out] == ["r.jsonl, line 1", "r.jsonl, line 4"]


def test_fields_that_are_not_kept_are_named_once(project, inbox):
    write(inbox, "q.yaml", RUBRIC.format(id="q1"))
    row = {"question_id": "q1", "model": "m", "response": "x", "latency": 3}
    done = bring(project, rows(inbox, row, {**row, "sample": 1}).parent)
    assert done.remarks == ["r.jsonl: the fields 'latency' are not kept."]


def test_a_response_to_a_question_in_the_trash_says_so(project, inbox):
    bring(project, write(inbox, "q.yaml", RUBRIC.format(id="q1")))
    with project.write() as writer:
        writer.trash_question("q1")
    done = bring(project, rows(inbox, {"question_id": "q1", "model": "m", "response": "x"}))
    assert done.left_out == ["r.jsonl, line 1: the question 'q1' is in the trash. Take it out of the trash first."]


def test_a_broken_rubric_is_named_and_the_others_arrive(project, inbox):
    write(inbox, "bad.yaml", "gamut: 1\nid: [")
    write(inbox, "unknown.yaml", RUBRIC.format(id="q2") + "colour: red\n")
    write(inbox, "good.yaml", RUBRIC.format(id="q1"))
    done = bring(project, inbox)
    assert done.added == ["q1"]
    assert done.left_out[0].startswith("bad.yaml, line 2: this is not valid YAML")
    assert done.left_out[1].startswith("unknown.yaml, line 8: colour is not a known field.")


def test_a_picture_that_is_refused_is_named_and_its_question_still_comes(project, inbox):
    (inbox / "text.png").write_text("not a picture")
    Image.new("RGB", (9, 9)).save(inbox / "good.png")
    write(inbox, "a.yaml", RUBRIC.format(id="q1") + "images: [gone.png, text.png, good.png]\n")
    done = bring(project, inbox)
    assert (done.added, done.pictures) == (["q1"], 1)
    gone, text = done.left_out
    assert gone.startswith("A picture of 'q1': There is no file")
    assert text.startswith("A picture of 'q1': The image 'text.png' is not") or "'text.png' is not an image" in text
    with project.read() as snapshot:
        images = question_in(snapshot, "q1").images
    assert [bool(i.sha256) for i in images] == [False, False, True]


def test_a_picture_that_turns_up_later_is_added_by_the_next_import(project, inbox):
    path = write(inbox, "a.yaml", RUBRIC.format(id="q1") + "image: late.png\n")
    bring(project, path)
    Image.new("RGB", (9, 9)).save(inbox / "late.png")
    assert bring(project, path).updated == ["q1"]


def test_a_picture_alone_becomes_a_question_that_waits_for_its_text(project, inbox):
    Image.new("RGB", (9, 9)).save(inbox / "My Cup.png")
    assert bring(project, inbox / "My Cup.png").added == ["my-cup"]
    with project.read() as snapshot:
        asked = question_in(snapshot, "my-cup")
    assert asked.question == ""
    assert asked.images[0].sha256


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nothing.yaml", "There is no file or folder"),
        ("notes.docx", "notes.docx is no kind of file that can be imported. Give rubrics (.yaml, .json)"),
        ("other.gamut", "other.gamut is a project of its own. Open it, or bring it in with gamut merge."),
        ("empty.jsonl", "empty.jsonl is empty. Give a file with at least one row."),
        ("empty.yaml", "empty.yaml is empty. A rubric file starts with 'gamut: 1'."),
    ],
)
def test_a_path_that_holds_nothing_usable_is_a_sentence(project, inbox, name, told):
    if not name.startswith("nothing"):
        (inbox / name).write_bytes(b"")
    try:
        (sentence,) = bring(project, inbox / name).left_out
    except GamutError as error:
        sentence = str(error)
    assert told in sentence


def test_an_empty_folder_is_refused(project, inbox):
    with pytest.raises(ImportRefused, match="holds nothing that can be imported"):
        bring(project, inbox)


def test_labels_find_their_check_by_id_or_text(graded, inbox):
    from models.rubric.compile import compile_question

    with graded.read() as snapshot:
        check = compile_question(question_in(snapshot, "q1")).checks[0]
    label = {"question_id": "q1", "model": "a", "annotator": "Ada", "verdict": "meets"}
    path = rows(
        inbox,
        {**label, "check": check.id},
        {**label, "check": check.text, "annotator": "Bob", "verdict": "missing", "note": "no"},
        {**label, "check": "something else"},
        {**label, "check": check.id, "model": "nobody"},
        {**label, "check": check.id, "verdict": "perhaps"},
        name="labels.jsonl",
    )
    done = bring(graded, path)
    assert done.labels == 2
    assert [s.split(": ", 1)[1] for s in done.left_out] == [
        "'verdict' must be one of meets, partially_meets, missing, contradicts, not 'perhaps'. Use one of these words.",
        "'something else' is no check of 'q1'. Give its id or its exact text; see gamut compile.",
        "there is no answer of nobody to 'q1' (image, sample 0). Import it first.",
    ]
    with graded.read() as snapshot:
        said = [(r.annotator, r.verdict, r.note) for r in labels(snapshot)]
    assert said == [("Ada", Verdict.MEETS, None), ("Bob", Verdict.MISSING, "no")]


def test_both_variants_of_a_model_are_kept_apart(graded):
    assert [(r.model, r.variant) for r in stored(graded)] == [
        ("a", Variant.IMAGE),
        ("a", Variant.TEXT),
        ("b", Variant.IMAGE),
    ]
