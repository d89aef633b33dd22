"""Exporting a project: native files that import again, or sheets to read and print."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gamut_desktop.usecases.documents import question_in, questions_in
from gamut_desktop.usecases.reading import Stored, read_stored
from models.errors import GamutError
from models.exchange.native import jsonl
from models.exchange.sheet import render_sheet
from models.exchange.sheet_answers import SheetAnswer
from models.exchange.verdicts import verdict_row
from models.rubric.checklist import Checklist
from models.rubric.codec import dump_yaml
from models.rubric.compile import compile_question
from models.rubric.metarubric import Question
from models.store.connect import Snapshot
from models.store.project import Project
from models.store.queries.images import image_bytes
from models.store.queries.responses import responses
from models.store.queries.verdicts import labels
from models.store.queries.work import rulers
from models.store.records import LabelRow, ResponseRow
from models.textfile import FileProblem, write_atomic
from models.verdicts import Variant


class ExportRefused(GamutError):
    """The export cannot be written there."""


def export(project: Project, path: Path, *, format: str, question: str | None = None) -> list[Path]:
    """Write the project, or one question of it, as `format` (a key of FORMATS); returns the files written.

    Raises ExportRefused, FileProblem.
    """
    with project.read() as snapshot:
        chosen = _chosen(snapshot, project, question)
        return FORMATS[format](snapshot, chosen, path)


def _chosen(snapshot: Snapshot, project: Project, key: str | None) -> list[Question]:
    if key is None:
        found = questions_in(snapshot)
        if not found:
            raise ExportRefused(f"{project.path.name} holds no questions.", "Import some first.")
        return found
    one = question_in(snapshot, key)
    if one is None:
        raise ExportRefused(f"There is no question '{key}' in {project.path.name}.", "Check its id.")
    return [one]


def _native(snapshot: Snapshot, chosen: list[Question], path: Path) -> list[Path]:
    """A folder: one YAML file a question, pictures/ beside them, responses, labels and verdicts as JSONL."""
    _make_folder(path)
    written: list[Path] = []
    for number, question in enumerate(chosen, start=1):
        images = []
        for image in question.images:
            data = image_bytes(snapshot, image.sha256) if image.sha256 else None
            file = image.file
            if data is not None and image.sha256:
                file = f"pictures/{image.sha256[:8]}-{_safe(Path(image.file).name)}"
                _make_folder(path / "pictures")
                written.append(_write(path / file, data))
            images.append(replace(image, file=file, sha256=None))
        name = f"{number:04}-{_safe(question.id)}.yaml"
        written.append(_write(path / name, dump_yaml(replace(question, images=tuple(images)))))
    ids = {question.id for question in chosen}
    answers = [r for r in responses(snapshot) if r.question in ids]
    written.append(_write(path / "responses.jsonl", jsonl(_response_record(r) for r in answers)))
    said = _label_records(snapshot, {r.id: r for r in answers})
    if said:
        written.append(_write(path / "labels.jsonl", jsonl(said)))
    judged = list(_verdict_records(snapshot, chosen))
    if judged:
        written.append(_write(path / "verdicts.jsonl", jsonl(judged)))
    return written


def _response_record(row: ResponseRow) -> dict[str, object]:
    return {
        "question_id": row.question,
        "model": row.model,
        "response": row.text,
        "variant": row.variant.value,
        "sample": row.sample,
    }


def _label_records(snapshot: Snapshot, answers: dict[int, ResponseRow]) -> list[dict[str, object]]:
    """The newest word of each annotator on each check; a withdrawn one is left out."""
    newest = {(row.response_id, row.check.key, row.annotator): row for row in labels(snapshot)}
    said = [row for row in newest.values() if row.verdict is not None and row.response_id in answers]
    return [_label_record(row, answers[row.response_id]) for row in said]


def _label_record(row: LabelRow, answer: ResponseRow) -> dict[str, object]:
    record = {**_response_record(answer), "check": row.check.text, "annotator": row.annotator, "verdict": row.verdict}
    del record["response"]
    return record | ({"note": row.note} if row.note else {})


def _verdict_records(snapshot: Snapshot, chosen: list[Question]) -> Iterator[dict[str, Any]]:
    """What each judge says that is shown: of its newest ruler, about the question and the response as they stand."""
    stored = read_stored(snapshot)
    manifests = {row.id: json.loads(row.manifest) for row in rulers(snapshot)}
    for question in chosen:
        for answer in stored.responses.get(question.id, ()):
            checklist = _compiled(question, answer.variant)
            if checklist is None:
                continue
            for judge in stored.judges:
                card = stored.card(question, checklist, answer, judge)
                rows = dict.fromkeys(found.row for _, found in card.checks if found.row is not None)
                yield from (verdict_row(row, answer, manifests[row.ruler_id]) for row in rows)


def _compiled(question: Question, variant: Variant) -> Checklist | None:
    try:
        return compile_question(question, variant)
    except GamutError:
        return None


def _sheet(snapshot: Snapshot, chosen: list[Question], path: Path) -> list[Path]:
    """One HTML file, a page a question, pictures inside it."""
    if path.is_dir():
        raise ExportRefused(
            f"{path} is a folder; sheets are one HTML file.", f"Give a name, such as {path}/sheets.html."
        )

    def picture(sha256: str) -> bytes | None:
        return image_bytes(snapshot, sha256)

    stored = read_stored(snapshot)
    answers = {question.id: _sheet_answers(question, stored) for question in chosen}
    return [_write(path, render_sheet(chosen, picture, answers))]


def _sheet_answers(question: Question, stored: Stored) -> list[SheetAnswer]:
    """The responses in their order, each with the card of every judge that has said something about it."""
    answers = []
    for response in stored.responses.get(question.id, ()):
        checklist = _compiled(question, response.variant)
        judges = [judge for judge in stored.judges if checklist is not None and stored.knows(response, judge)]
        cards = [(judge, stored.card(question, checklist, response, judge)) for judge in judges if checklist]
        answers.append(SheetAnswer(response, tuple(cards)))
    return answers


FORMATS: dict[str, Callable[[Snapshot, list[Question], Path], list[Path]]] = {"native": _native, "sheet": _sheet}


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileProblem(f"The folder {path} cannot be made ({error.strerror}).", "Choose another place.") from None


def _write(path: Path, content: str | bytes) -> Path:
    write_atomic(path, content)
    return path


def _safe(name: str) -> str:
    """A file name of letters, digits, dots and dashes."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:100] or "unnamed"
