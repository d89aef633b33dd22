"""Exports: native files that import again to the same project, and sheets that hold everything in one safe page."""

import re

import pytest

from gamut_desktop.usecases.documents import questions_in
from gamut_desktop.usecases.exporting import ExportRefused, export
from gamut_desktop.usecases.importing import import_path
from models.errors import GamutError
from models.store.project import Project
from models.store.queries.responses import responses
from tests.usecases.conftest import RUBRIC, SAMPLE


def content(project: Project):
    from dataclasses import replace

    with project.read() as snapshot:
        asked = [replace(q, images=tuple(replace(i, file="") for i in q.images)) for q in questions_in(snapshot)]
        return asked, [(r.question, r.model, r.variant, r.sample, r.text) for r in responses(snapshot)]


def test_native_files_import_again_to_the_same_project(project, tmp_path):
    import_path(project, SAMPLE, author="t")
    export(project, tmp_path / "out", format="native")
    with Project.create(tmp_path / "again.gamut") as again:
        done = import_path(again, tmp_path / "out", author="t")
        assert done.left_out == []
        assert content(again) == content(project)


def test_labels_are_exported_and_come_back(graded, inbox, tmp_path):
    (inbox / "l.jsonl").write_text(
        '{"question_id": "q1", "model": "a", "check": "States: The drink is a flat white", '
        '"annotator": "Ada", "verdict": "meets"}'
    )
    assert import_path(graded, inbox / "l.jsonl", author="t").labels == 1
    export(graded, tmp_path / "out", format="native")
    with Project.create(tmp_path / "again.gamut") as again:
        assert import_path(again, tmp_path / "out", author="t").labels == 1


def test_a_sheet_holds_picture_question_sources_tree_and_checklist(project, tmp_path):
    import_path(project, SAMPLE, author="t")
    (path,) = export(project, tmp_path / "s.html", format="sheet", question="coffee-01")
    page = path.read_text(encoding="utf-8")
    with project.read() as snapshot:
        question = next(q for q in questions_in(snapshot) if q.id == "coffee-01")
    for text in (question.question, question.snippets[0].title, "data:image/jpeg;base64,", "Answer-Critical,"):
        assert text in page
    assert "Meta-rubric" in page
    assert page.count("<article>") == 1


def test_a_sheet_runs_nothing_and_fetches_nothing(project, inbox, tmp_path):
    evil = "<script>alert(1)</script><img src=https://x.org/a.png onerror=alert(2)>"
    (inbox / "a.yaml").write_text(RUBRIC.format(id="q1").replace("espresso", f"'{evil}'"))
    import_path(project, inbox, author="t")
    page = export(project, tmp_path / "s.html", format="sheet")[0].read_text(encoding="utf-8")
    assert "<script" not in page
    assert not re.search(r"<img[^>]+src=\"?https?:", page)
    assert "default-src 'none'" in page


def test_a_sheet_of_a_rubric_that_does_not_compile_says_why(project, inbox, tmp_path):
    (inbox / "a.yaml").write_text(RUBRIC.format(id="q1").replace("[espresso, milk]", "[milk, milk]"))
    import_path(project, inbox, author="t")
    assert "has &#39;milk&#39; twice." in export(project, tmp_path / "s.html", format="sheet")[0].read_text()


@pytest.mark.parametrize(
    ("format", "where", "question", "told"),
    [
        ("sheet", ".", None, "is a folder; sheets are one HTML file."),
        ("sheet", "gone/s.html", None, "cannot be written"),
        ("sheet", "s.html", "nope", "There is no question 'nope'"),
        ("native", "file", None, "The folder .* cannot be made"),
    ],
)
def test_an_export_that_cannot_be_is_a_sentence(graded, tmp_path, format, where, question, told):
    (tmp_path / "file").write_text("")
    with pytest.raises(GamutError, match=told):
        export(graded, tmp_path / where, format=format, question=question)


def test_an_empty_project_has_nothing_to_export(project, tmp_path):
    with pytest.raises(ExportRefused, match="holds no questions"):
        export(project, tmp_path / "out", format="native")
