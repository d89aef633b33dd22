"""Reading verdicts, overrides and labels: whole histories, oldest first. Which one counts is scoring's to say.

Check texts and judges are read once and shared by all rows, so that a million verdicts fit in memory.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, select

from models.rubric.checklist import CheckText, Kind
from models.store.connect import Snapshot
from models.store.queries.common import among, connection_of, responses_where
from models.store.records import LabelRow, OverrideRow, Trash, VerdictRow
from models.store.tables import CHECK_TEXT, LABEL, OVERRIDE, QUESTION, RATIONALE, RESPONSE, RULER, VERDICT
from models.verdicts import Outcome, Verdict

_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_VERDICTS: dict[str | None, Verdict | None] = {None: None, **{verdict.value: verdict for verdict in Verdict}}


def verdicts(
    snapshot: Snapshot,
    *,
    responses: Iterable[int] | None = None,
    question: str | None = None,
    judge: str | None = None,
    ids: Iterable[int] | None = None,
    trash: Trash = "live",
) -> tuple[VerdictRow, ...]:
    """What came of asking, newest last; of these responses, this question or this judge, or of the whole project.

    ids: of the verdicts. A rationale that came later stands in the row of its verdict.
    """
    v = VERDICT.c
    columns = (
        v.id,
        v.response_id,
        v.check_text_id,
        v.ruler_id,
        v.input_key,
        v.outcome,
        v.verdict,
        v.lp_meets,
        v.lp_partially_meets,
        v.lp_missing,
        v.lp_contradicts,
        v.lp_cannot_tell,
        v.label_mass,
        v.rationale,
        v.evidence,
        v.note,
        v.run_id,
        v.created_at,
    )
    connection = connection_of(snapshot)
    judges: dict[int, str] = {row.id: row.judge for row in connection.execute(select(RULER.c.id, RULER.c.judge))}
    where = _wanted(VERDICT, responses, question, trash)
    if judge is not None:
        where.append(among(v.ruler_id, [id_ for id_, name in judges.items() if name == judge]))
    if ids is not None:
        where.append(among(v.id, ids))
    later = _rationales(connection, where)
    rows, checks = _rows(snapshot, VERDICT, columns, where)
    return tuple(
        VerdictRow(
            id=row[0],
            response_id=row[1],
            check=checks[row[2]],
            judge=judges[row[3]],
            ruler_id=row[3],
            input_key=row[4],
            outcome=_OUTCOMES[row[5]],
            verdict=_VERDICTS[row[6]],
            log_probabilities=None if row[7] is None else (row[7], row[8], row[9], row[10], row[11]),
            label_mass=row[12],
            rationale=later[row[0]][0] if row[0] in later else row[13],
            evidence=row[14],
            note=row[15],
            run_id=row[16],
            created_at=row[17],
            explained_at=later[row[0]][1] if row[0] in later else None,
        )
        for row in rows
    )


def _rationales(connection: Connection, where: list[ColumnElement[bool]]) -> dict[int, tuple[str, str]]:
    """Verdict id -> the newest rationale that came later, and when."""
    c = RATIONALE.c
    statement = (
        select(c.verdict_id, c.text, c.created_at)
        .join_from(RATIONALE, VERDICT, c.verdict_id == VERDICT.c.id)
        .join(RESPONSE, VERDICT.c.response_id == RESPONSE.c.id)
        .join(QUESTION, RESPONSE.c.question_id == QUESTION.c.id)
        .where(*where)
        .order_by(c.id)
    )
    return {id_: (text, created_at) for id_, text, created_at in connection.execute(statement)}


def overrides(
    snapshot: Snapshot,
    *,
    responses: Iterable[int] | None = None,
    question: str | None = None,
    judge: str | None = None,
    trash: Trash = "live",
) -> tuple[OverrideRow, ...]:
    """What people said against judges, withdrawals included, newest last."""
    o = OVERRIDE.c
    columns = (o.id, o.response_id, o.check_text_id, o.judge, o.verdict, o.author, o.note, o.created_at)
    where = [] if judge is None else [o.judge == judge]
    rows, checks = _rows(snapshot, OVERRIDE, columns, _wanted(OVERRIDE, responses, question, trash) + where)
    return tuple(
        OverrideRow(id_, response_id, checks[check], by, _VERDICTS[word], *rest)
        for id_, response_id, check, by, word, *rest in rows
    )


def labels(
    snapshot: Snapshot,
    *,
    responses: Iterable[int] | None = None,
    question: str | None = None,
    annotator: str | None = None,
    trash: Trash = "live",
) -> tuple[LabelRow, ...]:
    """What people said on their own, withdrawals included, newest last."""
    l = LABEL.c  # noqa: E741
    columns = (l.id, l.response_id, l.check_text_id, l.annotator, l.verdict, l.note, l.created_at)
    where = [] if annotator is None else [l.annotator == annotator]
    rows, checks = _rows(snapshot, LABEL, columns, _wanted(LABEL, responses, question, trash) + where)
    return tuple(
        LabelRow(id_, response_id, checks[check], by, _VERDICTS[word], *rest)
        for id_, response_id, check, by, word, *rest in rows
    )


def _wanted(
    table: Table, responses: Iterable[int] | None, question: str | None, trash: Trash
) -> list[ColumnElement[bool]]:
    where = [responses_where(trash)]
    if responses is not None:
        where.append(among(table.c.response_id, responses))
    if question is not None:
        where.append(QUESTION.c.key == question)
    return where


def _rows(
    snapshot: Snapshot, table: Table, columns: tuple[Any, ...], where: list[ColumnElement[bool]]
) -> tuple[Iterable[Any], dict[int, CheckText]]:
    """The rows wanted, oldest first, and the check texts they name."""
    connection = connection_of(snapshot)
    source = (
        select()
        .join_from(table, RESPONSE, table.c.response_id == RESPONSE.c.id)
        .join(QUESTION, RESPONSE.c.question_id == QUESTION.c.id)
        .where(*where)
    )
    named = source.with_only_columns(table.c.check_text_id, maintain_column_froms=True)
    c = CHECK_TEXT.c
    checks = {
        id_: CheckText(Kind(kind), text)
        for id_, kind, text in connection.execute(select(c.id, c.kind, c.text).where(c.id.in_(named)))
    }
    rows = connection.execute(source.with_only_columns(*columns, maintain_column_froms=True).order_by(table.c.id))
    return rows, checks
