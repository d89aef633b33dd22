"""Reading questions: the list, current versions, drafts and history."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select

from models.store.connect import Snapshot
from models.store.queries.common import among, connection_of, questions_where
from models.store.records import DraftRow, QuestionRow, Trash, VersionRow
from models.store.tables import DRAFT, DRAFT_IMAGE, QUESTION, VERSION, VERSION_IMAGE

_NEWEST = (
    select(VERSION.c.question_id, func.max(VERSION.c.number).label("number")).group_by(VERSION.c.question_id).subquery()
)
_IS_NEWEST = (_NEWEST.c.question_id == VERSION.c.question_id) & (_NEWEST.c.number == VERSION.c.number)


def questions(snapshot: Snapshot, *, trash: Trash = "live") -> tuple[QuestionRow, ...]:
    """All questions in the user's order, without their documents."""
    return _questions(snapshot, questions_where(trash))


def question(snapshot: Snapshot, key: str) -> QuestionRow | None:
    """The question with this key, in the trash or not."""
    return next(iter(_questions(snapshot, QUESTION.c.key == key)), None)


def current_versions(snapshot: Snapshot, *, trash: Trash = "live") -> tuple[VersionRow, ...]:
    """The current version of every question, in the user's order."""
    wanted = _versions().join(_NEWEST, _IS_NEWEST).where(questions_where(trash))
    return _read_versions(snapshot, wanted.order_by(QUESTION.c.position, QUESTION.c.id))


def current_version(snapshot: Snapshot, key: str) -> VersionRow | None:
    """The current version of one question, in the trash or not."""
    wanted = _versions().where(QUESTION.c.key == key).order_by(VERSION.c.number.desc()).limit(1)
    return next(iter(_read_versions(snapshot, wanted)), None)


def version_history(snapshot: Snapshot, key: str) -> tuple[VersionRow, ...]:
    """Every version of one question, newest last."""
    return _read_versions(snapshot, _versions().where(QUESTION.c.key == key).order_by(VERSION.c.number))


def draft(snapshot: Snapshot, key: str) -> DraftRow | None:
    """The draft of one question."""
    return next(iter(_drafts(snapshot, QUESTION.c.key == key)), None)


def drafts(snapshot: Snapshot, *, trash: Trash = "live") -> tuple[DraftRow, ...]:
    """Every draft, in the order of the questions."""
    return _drafts(snapshot, questions_where(trash))


def _questions(snapshot: Snapshot, where: ColumnElement[bool]) -> tuple[QuestionRow, ...]:
    q, v, d = QUESTION.c, VERSION.c, DRAFT.c
    statement = (
        select(
            q.key,
            q.position,
            v.number,
            v.sha256,
            q.created_at,
            q.trashed_at,
            d.question_id.is_not(None),
            func.coalesce(d.sha256 != v.sha256, False),
        )
        .join_from(QUESTION, VERSION, v.question_id == q.id)
        .join(_NEWEST, _IS_NEWEST)
        .outerjoin(DRAFT, d.question_id == q.id)
        .where(where)
        .order_by(q.position, q.id)
    )
    return tuple(
        QuestionRow(key, position, number, sha256, created, trashed, bool(has_draft), bool(differs))
        for key, position, number, sha256, created, trashed, has_draft, differs in connection_of(snapshot).execute(
            statement
        )
    )


def _versions() -> Select[Any]:
    v = VERSION.c
    return select(v.id, QUESTION.c.key, v.number, v.doc, v.sha256, v.author, v.note, v.created_at).join_from(
        VERSION, QUESTION, v.question_id == QUESTION.c.id
    )


def _read_versions(snapshot: Snapshot, statement: Select[Any]) -> tuple[VersionRow, ...]:
    connection = connection_of(snapshot)
    rows = connection.execute(statement).all()
    pictures = (
        select(VERSION_IMAGE.c.version_id, VERSION_IMAGE.c.image_sha256)
        .where(among(VERSION_IMAGE.c.version_id, (row[0] for row in rows)))
        .order_by(VERSION_IMAGE.c.version_id, VERSION_IMAGE.c.position)
    )
    shown = _by_owner(connection.execute(pictures))
    return tuple(
        VersionRow(key, number, doc, sha256, author, note, created, shown.get(id_, ()))
        for id_, key, number, doc, sha256, author, note, created in rows
    )


def _drafts(snapshot: Snapshot, where: ColumnElement[bool]) -> tuple[DraftRow, ...]:
    connection = connection_of(snapshot)
    d = DRAFT.c
    statement = (
        select(d.question_id, QUESTION.c.key, d.doc, d.sha256, d.base_version, d.author, d.updated_at)
        .join_from(DRAFT, QUESTION, d.question_id == QUESTION.c.id)
        .where(where)
        .order_by(QUESTION.c.position, QUESTION.c.id)
    )
    pictures = select(DRAFT_IMAGE.c.question_id, DRAFT_IMAGE.c.image_sha256).order_by(
        DRAFT_IMAGE.c.question_id, DRAFT_IMAGE.c.position
    )
    rows = connection.execute(statement).all()
    shown = _by_owner(connection.execute(pictures))
    return tuple(
        DraftRow(key, doc, sha256, base, author, updated, shown.get(id_, ()))
        for id_, key, doc, sha256, base, author, updated in rows
    )


def _by_owner(rows: Iterable[Any]) -> dict[int, tuple[str, ...]]:
    shown: dict[int, tuple[str, ...]] = {}
    for owner, sha256 in rows:
        shown[owner] = (*shown.get(owner, ()), sha256)
    return shown
