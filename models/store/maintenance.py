"""Looking after the file as a whole: a copy elsewhere, room given back, and a check of everything that can be checked.

`Project` offers these; they need bare connections, because VACUUM and backups run outside any transaction.
"""

import hashlib
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, delete, exists, select

from models.rubric.checklist import check_key
from models.store.connect import Snapshot
from models.store.errors import CorruptProject, FolderNotFound, IsAFolder, OpenElsewhere
from models.store.files import beside
from models.store.queries.common import connection_of
from models.store.recognise import sidecar, unfinished
from models.store.tables import (
    CHECK_TEXT,
    DRAFT,
    DRAFT_IMAGE,
    IMAGE,
    QUESTION,
    RATIONALE,
    RESPONSE,
    RULER,
    VERDICT,
    VERSION,
    VERSION_IMAGE,
)
from models.store.translate import is_damage, translating
from models.store.upgrade import missing_guards, schema_of
from models.store.writing.base import Writing, sha256_text


def save_copy(source: Path, connect: Callable[[], sqlite3.Connection], target: Path) -> None:
    """Write the whole project to `target`, replacing a file of that name once the copy is complete.

    In the copy nobody is at work: no leases, and runs that are going on here are marked as stopped.
    """
    if target.is_dir():
        raise IsAFolder(target)
    if not target.parent.is_dir():
        raise FolderNotFound(target.parent)
    if target.exists() and (target.samefile(source) or unfinished(target)):
        raise OpenElsewhere(target, "replaced")
    with translating(target, files=True), beside(target) as made:
        with closing(connect()) as original, closing(sqlite3.connect(made, isolation_level=None)) as copy:
            original.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.execute("BEGIN")
            copy.execute("DELETE FROM lease")
            copy.execute("UPDATE run SET status = 'stopped', finished_at = started_at WHERE status = 'running'")
            copy.execute("COMMIT")
        made.chmod(stat.S_IMODE(source.stat().st_mode) | stat.S_IWUSR)  # the copy is to be worked in
        made.replace(target)


def remove_unused_images(writer: Writing) -> int:
    """Remove the images that no version and no draft shows; returns how many."""
    unused = [
        ~exists().where(table.c.image_sha256 == IMAGE.c.sha256).correlate(IMAGE)
        for table in (VERSION_IMAGE, DRAFT_IMAGE)
    ]
    return connection_of(writer).execute(delete(IMAGE).where(*unused)).rowcount


def vacuum(connection: sqlite3.Connection) -> None:
    """Rewrite the file without its holes, and empty the write-ahead log into it."""
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def size_with_log(path: Path) -> int:
    """Bytes of the file and its write-ahead log."""
    log = sidecar(path, "-wal")
    return path.stat().st_size + (log.stat().st_size if log.exists() else 0)


def verify(path: Path, snapshot: Snapshot, schema: int) -> list[str]:
    """Sentences about everything that is not as it should be; empty for a sound project. Reads the whole file."""
    problems: list[str] = []
    connection = connection_of(snapshot)
    for look in (_structure, _links, _images, _texts, _rationales, _documents):
        try:
            problems.extend(look(connection))
        except Exception as error:
            if not is_damage(error):
                raise
            problems.append(CorruptProject(path).sentence)
    if schema_of(connection) != schema:
        problems.append(f"The schema number is {schema_of(connection)}, not {schema}.")
    return list(dict.fromkeys(problems))


def _structure(connection: Connection) -> Iterator[str]:
    report = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
    if report != ["ok"]:
        yield from (f"SQLite reports: {line}." for line in report)
    for guard in missing_guards(connection):
        yield f"The trigger {guard}, which keeps history as it is, is missing."


def _links(connection: Connection) -> Iterator[str]:
    for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall():
        yield f"Row {row} of {table} refers to a row of {parent} that is not there."


def _images(connection: Connection) -> Iterator[str]:
    for sha256 in connection.scalars(select(IMAGE.c.sha256).order_by(IMAGE.c.sha256)).all():
        data = connection.scalar(select(IMAGE.c.data).where(IMAGE.c.sha256 == sha256))
        if hashlib.sha256(data or b"").hexdigest() != sha256:
            yield f"The bytes of image {sha256[:12]} are not those it was stored with."


def _texts(connection: Connection) -> Iterator[str]:
    c = RESPONSE.c
    for id_, model, text, sha256 in connection.execute(select(c.id, c.model, c.text, c.sha256)):
        if sha256_text(text) != sha256:
            yield f"The text of response {id_} (model {model}) is not the one it was stored with."
    t = CHECK_TEXT.c
    for id_, key, kind, text in connection.execute(select(t.id, t.key, t.kind, t.text)):
        if check_key(kind, text) != key:
            yield f"The text of check {id_} does not go with its key."
    for id_, digest, manifest in connection.execute(select(RULER.c.id, RULER.c.digest, RULER.c.manifest)):
        if sha256_text(manifest) != digest:
            yield f"The manifest of ruler {id_} does not go with its digest."


def _rationales(connection: Connection) -> Iterator[str]:
    c = RATIONALE.c
    statement = select(c.id, VERDICT.c.id).join_from(RATIONALE, VERDICT, c.verdict_id == VERDICT.c.id)
    for id_, verdict in connection.execute(statement.where(VERDICT.c.verdict.is_(None)).order_by(c.id)):
        yield f"Rationale {id_} explains row {verdict} of verdict, where the judge gave none."


def _documents(connection: Connection) -> Iterator[str]:
    v, d, key = VERSION.c, DRAFT.c, QUESTION.c.key
    versions = select(key, v.number, v.doc, v.sha256).join_from(VERSION, QUESTION, v.question_id == QUESTION.c.id)
    for question, number, doc, sha256 in connection.execute(versions):
        if sha256_text(doc) != sha256:
            yield f"Version {number} of question {question} is not the document it was stored with."
    drafts = select(key, d.doc, d.sha256).join_from(DRAFT, QUESTION, d.question_id == QUESTION.c.id)
    for question, doc, sha256 in connection.execute(drafts):
        if sha256_text(doc) != sha256:
            yield f"The draft of question {question} is not the document it was stored with."
