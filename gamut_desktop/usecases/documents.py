"""Between the project's stored documents and Questions: the one place that parses and writes them."""

from models.rubric.codec import dump_json, parse_question
from models.rubric.metarubric import Question
from models.store.connect import Snapshot
from models.store.queries.questions import current_version, current_versions
from models.store.records import PutQuestion
from models.store.writer import Writer


def read_document(doc: str, name: str) -> Question:
    """A stored document as a Question; `name` is what an error would call it."""
    return parse_question(doc, name, is_json=True)


def to_document(question: Question) -> str:
    """A Question as it is stored: JSON on one line."""
    return dump_json(question, indent=None)


def shown_images(question: Question) -> tuple[str, ...]:
    """The hashes of the pictures that are in the project, in order, each once."""
    return tuple(dict.fromkeys(image.sha256 for image in question.images if image.sha256))


def put(writer: Writer, question: Question, *, author: str, note: str | None = None) -> PutQuestion:
    """Store a question as its current version."""
    doc = to_document(question)
    return writer.put_question(question.id, doc, author=author, note=note, images=shown_images(question))


def questions_in(snapshot: Snapshot) -> list[Question]:
    """Every question outside the trash, current versions, in the user's order."""
    return [read_document(version.doc, version.question) for version in current_versions(snapshot)]


def question_in(snapshot: Snapshot, key: str) -> Question | None:
    """The current version of one question."""
    version = current_version(snapshot, key)
    return read_document(version.doc, version.question) if version else None
