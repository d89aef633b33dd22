"""Reading the project as a whole: its name, settings, how far judging has got, and what is in the trash."""

import json
from typing import Any

from sqlalchemy import Integer, Table, func, select

from models.store.connect import Snapshot, pragma
from models.store.queries.common import connection_of, responses_where
from models.store.records import JudgedCount, ProjectInfo, TrashContents, TrashedQuestion, TrashedResponse
from models.store.tables import LABEL, OVERRIDE, PROJECT, QUESTION, RESPONSE, RULER, SETTING, VERDICT
from models.verdicts import Outcome, Variant


def project_info(snapshot: Snapshot) -> ProjectInfo:
    """The project's name, when it was made, and its schema."""
    connection = connection_of(snapshot)
    name, created_at = connection.execute(select(PROJECT.c.name, PROJECT.c.created_at)).one()
    return ProjectInfo(name, created_at, int(pragma(connection, "user_version")))


def setting(snapshot: Snapshot, name: str, default: Any = None) -> Any:
    """The JSON value stored under a name."""
    value = connection_of(snapshot).scalar(select(SETTING.c.value).where(SETTING.c.name == name))
    return default if value is None else json.loads(value)


def settings(snapshot: Snapshot) -> dict[str, Any]:
    """Every stored value by its name, sorted."""
    rows = connection_of(snapshot).execute(select(SETTING.c.name, SETTING.c.value).order_by(SETTING.c.name))
    return {name: json.loads(value) for name, value in rows}


def judged_counts(snapshot: Snapshot, *, ruler_id: int | None = None) -> tuple[JudgedCount, ...]:
    """How far each judge has got with each model on each question; by one ruler, or by any of the judge's.

    Counts are of check texts ever asked, whether or not they are still on the checklist.
    """
    v = VERDICT.c
    with_verdict = func.max(v.outcome == Outcome.VERDICT.value, type_=Integer)
    each = select(v.response_id, v.check_text_id, RULER.c.judge, with_verdict.label("judged")).join_from(
        VERDICT, RULER, v.ruler_id == RULER.c.id
    )
    if ruler_id is not None:
        each = each.where(v.ruler_id == ruler_id)
    asked = each.group_by(v.response_id, RULER.c.judge, v.check_text_id).subquery()
    statement = (
        select(
            QUESTION.c.key,
            RESPONSE.c.model,
            RESPONSE.c.variant,
            asked.c.judge,
            func.count(asked.c.response_id.distinct()),
            func.count(),
            func.sum(asked.c.judged),
        )
        .join_from(asked, RESPONSE, asked.c.response_id == RESPONSE.c.id)
        .join(QUESTION, RESPONSE.c.question_id == QUESTION.c.id)
        .where(responses_where("live"))
        .group_by(QUESTION.c.id, RESPONSE.c.model, RESPONSE.c.variant, asked.c.judge)
        .order_by(QUESTION.c.position, QUESTION.c.id, RESPONSE.c.model, RESPONSE.c.variant, asked.c.judge)
    )
    return tuple(
        JudgedCount(key, model, Variant(variant), *rest)
        for key, model, variant, *rest in connection_of(snapshot).execute(statement)
    )


def trash_contents(snapshot: Snapshot) -> TrashContents:
    """What emptying the trash would remove, latest first."""
    connection = connection_of(snapshot)
    q, r = QUESTION.c, RESPONSE.c
    responses = select(func.count()).where(r.question_id == q.id).scalar_subquery()
    questions = select(q.key, q.trashed_at, responses).where(q.trashed_at.is_not(None))
    judgements = _of_response(VERDICT) + _of_response(OVERRIDE) + _of_response(LABEL)
    alone = (
        select(r.id, q.key, r.model, r.variant, r.sample, r.trashed_at, judgements)
        .join_from(RESPONSE, QUESTION, r.question_id == q.id)
        .where(r.trashed_at.is_not(None), q.trashed_at.is_(None))
    )
    return TrashContents(
        tuple(TrashedQuestion(*row) for row in connection.execute(questions.order_by(q.trashed_at.desc(), q.id))),
        tuple(
            TrashedResponse(id_, key, model, Variant(variant), *rest)
            for id_, key, model, variant, *rest in connection.execute(alone.order_by(r.trashed_at.desc(), r.id))
        ),
    )


def _of_response(table: Table) -> Any:
    return select(func.count()).where(table.c.response_id == RESPONSE.c.id).scalar_subquery()
