"""Rationales that a judge gives for a verdict later, in a table of their own: the verdict itself stays as it is."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table; it begins empty, because no verdict has been explained yet."""
    op.create_table(
        "rationale",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("verdict_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.CheckConstraint("text <> ''", name="ck_rationale_says_something"),
        sa.ForeignKeyConstraint(["verdict_id"], ["verdict.id"], name="fk_rationale_verdict_id_verdict"),
        sa.PrimaryKeyConstraint("id", name="pk_rationale"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_rationale_verdict_id", "rationale", ["verdict_id"])
