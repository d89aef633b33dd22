"""What models answered."""

from sqlalchemy import Index, text
from sqlmodel import Field

from models.store.tables.base import Base


class Response(Base, table=True):
    """One answer. Its key is unique outside the trash, so that a corrected one can take a trashed one's place."""

    __tablename__ = "response"
    __table_args__ = (
        Index(
            "uq_response_live_key",
            "question_id",
            "model",
            "variant",
            "sample",
            unique=True,
            sqlite_where=text("trashed_at IS NULL"),
        ),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    question_id: int = Field(foreign_key="question.id", index=True)
    model: str
    variant: str
    sample: int
    sha256: str
    source: str | None = None
    created_at: str
    trashed_at: str | None = None
    text: str
