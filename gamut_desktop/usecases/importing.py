"""Importing: rubrics, pictures, responses, labels and verdicts, told apart by their fields.

What cannot be taken is named with a sentence and a next step, and everything else goes on.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from gamut_desktop.usecases.documents import put, question_in
from gamut_desktop.usecases.importing_verdicts import store_verdicts
from models.errors import GamutError
from models.exchange.native import (
    LABEL_FIELDS,
    RESPONSE_FIELDS,
    LabelRecord,
    ResponseRecord,
    kind_of,
    read_label,
    read_response,
)
from models.exchange.rows import Row, RowProblem, read_rows
from models.exchange.verdicts import VERDICT_FIELDS, VerdictRecord, read_verdict
from models.media.gate import GatedImage, decode, read_file, thumbnail
from models.rubric.codec import load_source, parse_question, question_of
from models.rubric.compile import compile_question
from models.rubric.metarubric import ImageRef, Question
from models.store.project import Project
from models.store.queries.questions import questions
from models.store.queries.responses import responses
from models.store.records import NewLabel, NewResponse
from models.store.writer import Writer

RUBRICS = (".yaml", ".yml")
TABLES = (".jsonl", ".json", ".csv")
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".tif", ".tiff", ".bmp", ".heic", ".heif", ".avif")
BATCH = 2000


class ImportRefused(GamutError):
    """Nothing can be imported from this path."""


@dataclass
class Imported:
    """What arrived, and what was left out: one sentence with a next step each."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    responses: int = 0
    responses_known: int = 0
    labels: int = 0
    verdicts: int = 0
    verdicts_known: int = 0
    pictures: int = 0
    left_out: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def arrived(self) -> bool:
        """Whether anything is in the project because of this import, also if it was there already."""
        questions = self.added or self.updated or self.unchanged
        answers = self.responses or self.responses_known or self.labels or self.verdicts or self.verdicts_known
        return bool(questions or answers)


def import_path(project: Project, path: Path, *, author: str) -> Imported:
    """Import a file or a folder. Raises ImportRefused or FileProblem where there is nothing that could be read."""
    found = _Found()
    for file in _files(path):
        try:
            _read(file, found)
        except GamutError as error:
            found.report.left_out.append(str(error))
    with project.read() as snapshot:
        found.in_trash = {row.key for row in questions(snapshot, trash="trashed")}
    for question, folder in found.questions:
        _store_question(project, question, folder, author, found)
    _lone_pictures(project, found, author)
    _store_responses(project, found)
    _store_labels(project, found)
    _store_verdicts(project, found)
    return found.report


@dataclass
class _Found:
    """What the files hold, before anything is stored."""

    questions: list[tuple[Question, Path]] = field(default_factory=list)
    responses: list[tuple[Row, ResponseRecord]] = field(default_factory=list)
    labels: list[tuple[Row, LabelRecord]] = field(default_factory=list)
    verdicts: list[tuple[Row, VerdictRecord]] = field(default_factory=list)
    pictures: list[Path] = field(default_factory=list)
    used: set[Path] = field(default_factory=set)
    in_trash: set[str] = field(default_factory=set)
    report: Imported = field(default_factory=Imported)


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise ImportRefused(f"There is no file or folder {path}.", "Check the name.")
    if path.is_file():
        return [path]
    known = RUBRICS + TABLES + PICTURES
    files = [file for file in sorted(path.rglob("*")) if file.suffix.lower() in known and file.is_file()]
    if not files:
        raise ImportRefused(f"The folder {path} holds nothing that can be imported.", _WHAT)
    return files


_WHAT = "Give rubrics (.yaml, .json), responses, labels or verdicts (.jsonl, .csv, .json), or pictures."


def _read(file: Path, found: _Found) -> None:
    suffix = file.suffix.lower()
    if suffix in RUBRICS:
        found.questions.append((question_of(load_source(file)), file.parent))
    elif suffix in PICTURES:
        found.pictures.append(file)
    elif suffix in TABLES:
        _read_table(file, found)
    elif suffix == ".gamut":
        raise ImportRefused(f"{file.name} is a project of its own.", "Open it, or bring it in with gamut merge.")
    else:
        raise ImportRefused(f"{file.name} is no kind of file that can be imported.", _WHAT)


def _read_table(file: Path, found: _Found) -> None:
    """Rows of any kind, also mixed; unknown columns are named once."""
    unknown: set[str] = set()
    for row in read_rows(file):
        if isinstance(row, RowProblem):
            found.report.left_out.append(str(row))
            continue
        try:
            _take_row(file, row, found, unknown)
        except GamutError as error:
            found.report.left_out.append(str(error))
    if unknown:
        names = ", ".join(f"'{name}'" for name in sorted(unknown))
        found.report.remarks.append(f"{file.name}: the fields {names} are not kept.")


def _take_row(file: Path, row: Row, found: _Found, unknown: set[str]) -> None:
    match kind_of(row.fields):
        case "question" if file.suffix.lower() == ".json" and row.text is None and row.line == 1:
            found.questions.append((_question_in_json(file, row), file.parent))
        case "question":
            found.questions.append((_question_in_row(row), file.parent))
        case "response":
            unknown |= row.fields.keys() - set(RESPONSE_FIELDS)
            found.responses.append((row, read_response(row)))
        case "label":
            unknown |= row.fields.keys() - set(LABEL_FIELDS)
            found.labels.append((row, read_label(row)))
        case "verdict":
            unknown |= row.fields.keys() - set(VERDICT_FIELDS)
            found.verdicts.append((row, read_verdict(row)))
        case _:
            raise row.fail(
                "this is neither a question, a response, a label nor a verdict.", f"A response needs {_NEEDS}."
            )


_NEEDS = "question_id, model and response"


def _question_in_json(file: Path, row: Row) -> Question:
    """A .json file that is one rubric keeps its lines; one entry of a list does not."""
    source = load_source(file)
    return question_of(source) if source.root.value.__class__ is dict else _question_in_row(row)


def _question_in_row(row: Row) -> Question:
    text = row.text if row.text is not None else json.dumps(row.fields, ensure_ascii=False)
    return parse_question(text, row.file, is_json=True, first_line=row.line)


# Questions and pictures ----------------------------------------------------------------------------------------------


def _store_question(project: Project, question: Question, folder: Path, author: str, found: _Found) -> None:
    """One question and its pictures in one transaction. A refused picture is named; the question still comes."""
    report = found.report
    seen = {*report.added, *report.updated, *report.unchanged}
    pictures = [_picture(image, folder, question, found) for image in question.images]
    with project.write() as writer:
        images = tuple(_add_picture(writer, image, data) for image, data in zip(question.images, pictures, strict=True))
        complete = replace(question, images=images)
        if question.id in seen:
            stored = question_in(writer, question.id)
            if stored != complete:
                report.left_out.append(
                    f"The question '{question.id}' is there twice with different content; the first was taken. "
                    "Give one of the two another id."
                )
            return
        done = put(writer, complete, author=author)
    {"added": report.added, "replaced": report.updated, "unchanged": report.unchanged}[done.state].append(question.id)
    report.pictures += sum(1 for data in pictures if data is not None)
    if done.restored:
        report.remarks.append(f"The question '{question.id}' was in the trash and is back.")


_Decoded = tuple[bytes, GatedImage]


def _picture(image: ImageRef, folder: Path, question: Question, found: _Found) -> _Decoded | None:
    path = folder / image.file
    found.used.add(path.resolve())
    try:
        data = read_file(path)
        return data, decode(data, name=path.name)
    except GamutError as error:
        found.report.left_out.append(f"A picture of '{question.id}': {error}")
        return None


def _add_picture(writer: Writer, image: ImageRef, decoded: _Decoded | None) -> ImageRef:
    if decoded is None:
        return image
    data, gated = decoded
    small = thumbnail(gated)
    sha256 = writer.add_image(
        data,
        mime=gated.mime,
        width=gated.width,
        height=gated.height,
        thumbnail=small.data,
        pixel_hash=gated.pixel_sha256,
    )
    return replace(image, sha256=sha256)


def _lone_pictures(project: Project, found: _Found, author: str) -> None:
    """A picture by itself becomes a question that waits for its text."""
    with project.read() as snapshot:
        taken = {row.key for row in questions(snapshot, trash="all")}
    for path in found.pictures:
        if path.resolve() in found.used:
            continue
        try:
            decode(read_file(path), name=path.name)
        except GamutError as error:
            found.report.left_out.append(str(error))
            continue
        key = free_id(path.stem, taken)
        taken.add(key)
        _store_question(project, Question(key, "", images=(ImageRef(path.name),)), path.parent, author, found)


def store_picture(project: Project, question: Question, path: Path, *, author: str) -> None:
    """Add a picture file to a question, as a new version of it; raises ImageRefused."""
    data = read_file(path)
    decoded = data, decode(data, name=path.name)
    with project.write() as writer:
        image = _add_picture(writer, ImageRef(path.name), decoded)
        put(writer, replace(question, images=(*question.images, image)), author=author)
        writer.discard_draft(question.id)


def free_id(name: str, taken: set[str]) -> str:
    """An id made of a name's letters and digits that is not taken yet."""
    base = re.sub(r"[^\w.-]+", "-", name.strip().lower()).strip("-.") or "question"
    key, n = base[:190], 1
    while key in taken:
        n += 1
        key = f"{base[:190]}-{n}"
    return key


# Responses and labels ------------------------------------------------------------------------------------------------


def _known(key: str, row: Row, known: set[str], found: _Found) -> bool:
    if key in known:
        return True
    where = "is in the trash" if key in found.in_trash else "is not in this project"
    step = "Take it out of the trash first." if key in found.in_trash else "Import its rubric first."
    found.report.left_out.append(str(row.fail(f"the question '{key}' {where}.", step)))
    return False


def _live(project: Project) -> set[str]:
    with project.read() as snapshot:
        return {row.key for row in questions(snapshot)}


def _store_responses(project: Project, found: _Found) -> None:
    known = _live(project)
    wanted = [(row, record) for row, record in found.responses if _known(record.question, row, known, found)]
    for batch in _batches(wanted):
        new = [
            NewResponse(r.question, r.model, r.text, r.variant, r.sample, source=f"{row.file}:{row.line}")
            for row, r in batch
        ]
        with project.write() as writer:
            done = writer.add_responses(new)
        for (row, record), added in zip(batch, done, strict=True):
            if added.state == "different_text":
                which = f"{record.variant.value}, sample {record.sample}"
                message = f"{record.model} already has another answer to '{record.question}' ({which})."
                step = "Give this one another sample number, or remove the stored one."
                found.report.left_out.append(str(row.fail(message, step)))
            elif added.state == "identical":
                found.report.responses_known += 1
            else:
                found.report.responses += 1


def _batches(rows: list[tuple[Row, ResponseRecord]]) -> Iterator[list[tuple[Row, ResponseRecord]]]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def _store_labels(project: Project, found: _Found) -> None:
    known = _live(project)
    wanted = [(row, label) for row, label in found.labels if _known(label.question, row, known, found)]
    new = []
    for row, label in wanted:
        try:
            new.append(_new_label(project, row, label))
        except GamutError as error:
            found.report.left_out.append(str(error))
    with project.write() as writer:
        found.report.labels += writer.add_labels(new)


def _store_verdicts(project: Project, found: _Found) -> None:
    known = _live(project)
    wanted = [(row, one) for row, one in found.verdicts if _known(one.question, row, known, found)]
    done = store_verdicts(project, wanted)
    found.report.verdicts, found.report.verdicts_known = done.added, done.known
    found.report.left_out += done.left_out
    found.report.remarks += done.remarks


def _new_label(project: Project, row: Row, label: LabelRecord) -> NewLabel:
    with project.read() as snapshot:
        question = question_in(snapshot, label.question)
        standing = responses(snapshot, question=label.question, model=label.model)
    response = next((r for r in standing if (r.variant, r.sample) == (label.variant, label.sample)), None)
    if question is None or response is None:
        which = f"{label.variant.value}, sample {label.sample}"
        raise row.fail(f"there is no answer of {label.model} to '{label.question}' ({which}).", "Import it first.")
    for check in compile_question(question, label.variant).checks:
        if label.check in (check.id, check.text):
            return NewLabel(response.id, check.kind, check.text, label.annotator, label.verdict, label.note)
    raise row.fail(
        f"'{label.check[:60]}' is no check of '{label.question}'.", "Give its id or its exact text; see gamut compile."
    )
