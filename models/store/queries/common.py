"""What the queries share: how the trash is looked past, and lists of any length as one parameter."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Text, bindparam, func, or_, select, true
from sqlalchemy.sql import ColumnElement

from models.provenance import canonical_json
from models.store.connect import Snapshot
from models.store.records import Trash
from models.store.tables import QUESTION, RESPONSE


def connection_of(snapshot: Snapshot) -> Connection:
    """The connection behind a snapshot; raises RuntimeError once its `with` block ended."""
    return snapshot._connection


def among(column: ColumnElement[Any], values: Iterable[Any]) -> ColumnElement[bool]:
    """column IN values, as one bound parameter however many there are."""
    listed = func.json_each(bindparam(None, canonical_json(list(values)), Text)).table_valued("value")
    return column.in_(select(listed.c.value))


def questions_where(trash: Trash) -> ColumnElement[bool]:
    """The questions that the filter lets through."""
    match trash:
        case "live":
            return QUESTION.c.trashed_at.is_(None)
        case "trashed":
            return QUESTION.c.trashed_at.is_not(None)
        case "all":
            return true()


def responses_where(trash: Trash) -> ColumnElement[bool]:
    """The responses that the filter lets through; one is in the trash when it is itself, or its question is."""
    in_trash = or_(RESPONSE.c.trashed_at.is_not(None), QUESTION.c.trashed_at.is_not(None))
    match trash:
        case "live":
            return ~in_trash
        case "trashed":
            return in_trash
        case "all":
            return true()
