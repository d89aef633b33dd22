"""Reading what models answered."""

from sqlalchemy import ColumnElement, select

from models.store.connect import Snapshot
from models.store.queries.common import connection_of, responses_where
from models.store.records import ResponseRow, Trash
from models.store.tables import QUESTION, RESPONSE
from models.verdicts import Variant


def responses(
    snapshot: Snapshot, *, question: str | None = None, model: str | None = None, trash: Trash = "live"
) -> tuple[ResponseRow, ...]:
    """Responses in the order of the questions, then by model, variant and sample."""
    where = [responses_where(trash)]
    if question is not None:
        where.append(QUESTION.c.key == question)
    if model is not None:
        where.append(RESPONSE.c.model == model)
    return _responses(snapshot, *where)


def response(snapshot: Snapshot, response_id: int) -> ResponseRow | None:
    """The response with this id, in the trash or not."""
    return next(iter(_responses(snapshot, RESPONSE.c.id == response_id)), None)


def model_names(snapshot: Snapshot) -> tuple[str, ...]:
    """Names of the models that have a response outside the trash, sorted."""
    statement = (
        select(RESPONSE.c.model)
        .join_from(RESPONSE, QUESTION, RESPONSE.c.question_id == QUESTION.c.id)
        .where(responses_where("live"))
        .distinct()
        .order_by(RESPONSE.c.model)
    )
    return tuple(connection_of(snapshot).scalars(statement))


def _responses(snapshot: Snapshot, *where: ColumnElement[bool]) -> tuple[ResponseRow, ...]:
    r = RESPONSE.c
    statement = (
        select(
            r.id, QUESTION.c.key, r.model, r.variant, r.sample, r.text, r.sha256, r.source, r.created_at, r.trashed_at
        )
        .join_from(RESPONSE, QUESTION, r.question_id == QUESTION.c.id)
        .where(*where)
        .order_by(QUESTION.c.position, QUESTION.c.id, r.model, r.variant, r.sample, r.id)
    )
    return tuple(
        ResponseRow(id_, key, model, Variant(variant), *rest)
        for id_, key, model, variant, *rest in connection_of(snapshot).execute(statement)
    )
