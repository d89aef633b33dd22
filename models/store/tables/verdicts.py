"""What judges were asked, by which ruler, in which run, and what came of it; and what people said against it.

Check texts are stored once: a million verdicts share some thousands of them. The judge of a verdict is its ruler's.
"""

from sqlalchemy import CheckConstraint, Index, text
from sqlmodel import Field

from models.store.tables.base import Base

FOUR_VERDICTS = "verdict IN ('meets', 'partially_meets', 'missing', 'contradicts')"


class CheckText(Base, table=True):
    """A check as a judge sees it; `key` is `models.rubric.checklist.check_key`."""

    __tablename__ = "check_text"

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    kind: str
    text: str


class Ruler(Base, table=True):
    """Everything about a judge that could move a verdict, as canonical JSON."""

    __tablename__ = "ruler"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: int | None = Field(default=None, primary_key=True)
    judge: str
    digest: str = Field(unique=True)
    manifest: str


class Run(Base, table=True):
    """One grading run and the process that does it."""

    __tablename__ = "run"
    __table_args__ = (
        CheckConstraint("status IN ('running', 'done', 'stopped', 'failed', 'crashed')", name="status"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    judge: str
    ruler_id: int | None = Field(default=None, foreign_key="ruler.id")
    status: str
    started_at: str
    finished_at: str | None = None
    pid: int
    process_created: float
    host: str
    manifest: str


class Verdict(Base, table=True):
    """One answer of a judge. The same question under the same ruler gets one verdict, after any number of attempts."""

    __tablename__ = "verdict"
    __table_args__ = (
        CheckConstraint("(outcome = 'verdict') = (verdict IS NOT NULL)", name="only_a_verdict_has_one"),
        CheckConstraint(FOUR_VERDICTS, name="verdict"),
        CheckConstraint(
            "(lp_meets IS NULL) + (lp_partially_meets IS NULL) + (lp_missing IS NULL)"
            " + (lp_contradicts IS NULL) + (lp_cannot_tell IS NULL) IN (0, 5)",
            name="five_log_probabilities_or_none",
        ),
        Index(
            "uq_verdict_final",
            "response_id",
            "check_text_id",
            "input_key",
            "ruler_id",
            unique=True,
            sqlite_where=text("outcome = 'verdict'"),
        ),
        Index("ix_verdict_progress", "response_id", "ruler_id", "check_text_id", "outcome"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    run_id: int | None = Field(default=None, foreign_key="run.id")
    response_id: int = Field(foreign_key="response.id")
    check_text_id: int = Field(foreign_key="check_text.id", index=True)
    ruler_id: int = Field(foreign_key="ruler.id")
    input_key: str
    outcome: str
    verdict: str | None = None
    lp_meets: float | None = None
    lp_partially_meets: float | None = None
    lp_missing: float | None = None
    lp_contradicts: float | None = None
    lp_cannot_tell: float | None = None
    label_mass: float | None = None
    rationale: str | None = None
    evidence: str | None = None
    note: str | None = None
    created_at: str


class Rationale(Base, table=True):
    """A judge's reason for a verdict that stood already, asked for later; the newest of a verdict counts."""

    __tablename__ = "rationale"
    __table_args__ = (CheckConstraint("text <> ''", name="says_something"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True)
    verdict_id: int = Field(foreign_key="verdict.id", index=True)
    created_at: str
    text: str


class VerdictOverride(Base, table=True):
    """A person's word against a judge's verdict; NULL withdraws it."""

    __tablename__ = "verdict_override"
    __table_args__ = (CheckConstraint(FOUR_VERDICTS, name="verdict"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True)
    response_id: int = Field(foreign_key="response.id", index=True)
    check_text_id: int = Field(foreign_key="check_text.id", index=True)
    judge: str
    verdict: str | None = None
    author: str
    note: str | None = None
    created_at: str
