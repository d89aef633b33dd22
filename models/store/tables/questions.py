"""Questions, the versions of their documents, the drafts being edited, and the images each of them shows.

A document is opaque JSON text here; its sha256 tells whether anything changed.
"""

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from models.store.tables.base import Base


class Question(Base, table=True):
    """One question; `key` is the rubric's id."""

    __tablename__ = "question"

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    position: int
    created_at: str
    trashed_at: str | None = None


class Version(Base, table=True):
    """A saved document. The highest number is the current one."""

    __tablename__ = "question_version"
    __table_args__ = (UniqueConstraint("question_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    question_id: int = Field(foreign_key="question.id")
    number: int
    sha256: str
    author: str
    note: str | None = None
    created_at: str
    doc: str


class Draft(Base, table=True):
    """An unsaved document, at most one a question."""

    __tablename__ = "question_draft"

    question_id: int = Field(primary_key=True, foreign_key="question.id")
    base_version: int
    sha256: str
    author: str
    updated_at: str
    doc: str


class VersionImage(Base, table=True):
    """An image that a version shows."""

    __tablename__ = "version_image"

    version_id: int = Field(primary_key=True, foreign_key="question_version.id")
    position: int = Field(primary_key=True)
    image_sha256: str = Field(foreign_key="image.sha256", index=True)


class DraftImage(Base, table=True):
    """An image that a draft shows."""

    __tablename__ = "draft_image"

    question_id: int = Field(primary_key=True, foreign_key="question_draft.question_id")
    position: int = Field(primary_key=True)
    image_sha256: str = Field(foreign_key="image.sha256", index=True)
