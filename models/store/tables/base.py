"""What all tables share: a registry of their own, and a name for every constraint.

Names come from a convention from the first migration on, because SQLite can only drop what has one.
"""

from typing import Any, cast

from sqlalchemy import MetaData, Table
from sqlalchemy.orm import registry
from sqlmodel import SQLModel

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMING)


class Base(SQLModel, registry=registry(metadata=metadata)):
    """Parent of every table model."""


def core(model: type[Base]) -> Table:
    """The Core table of a model: statements are written against it, rows never become live objects."""
    return cast(Table, cast(Any, model).__table__)
