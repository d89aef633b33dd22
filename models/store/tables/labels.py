"""What people say about a response on their own, without a judge."""

from sqlalchemy import CheckConstraint
from sqlmodel import Field

from models.store.tables.base import Base
from models.store.tables.verdicts import FOUR_VERDICTS


class Label(Base, table=True):
    """A person's verdict on one check; NULL withdraws it."""

    __tablename__ = "label"
    __table_args__ = (CheckConstraint(FOUR_VERDICTS, name="verdict"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True)
    response_id: int = Field(foreign_key="response.id", index=True)
    check_text_id: int = Field(foreign_key="check_text.id", index=True)
    annotator: str
    verdict: str | None = None
    note: str | None = None
    created_at: str
