"""The project's own row, its settings, and who holds which work."""

from sqlalchemy import CheckConstraint
from sqlmodel import Field

from models.store.tables.base import Base


class Project(Base, table=True):
    """Exactly one row."""

    __tablename__ = "project"
    __table_args__ = (CheckConstraint("id = 1", name="one_row"),)

    id: int = Field(default=1, primary_key=True)
    name: str
    created_at: str


class Setting(Base, table=True):
    """A named value of this project, as JSON."""

    __tablename__ = "setting"

    name: str = Field(primary_key=True)
    value: str


class Lease(Base, table=True):
    """Work that one process does at a time."""

    __tablename__ = "lease"

    name: str = Field(primary_key=True)
    holder: str
    pid: int
    process_created: float
    host: str
    since: str
