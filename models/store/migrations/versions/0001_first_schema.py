"""The first schema: project, questions and their documents, images, responses, rulers, runs, verdicts and labels."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

FOUR_VERDICTS = "verdict IN ('meets', 'partially_meets', 'missing', 'contradicts')"
FIVE_OR_NONE = (
    "(lp_meets IS NULL) + (lp_partially_meets IS NULL) + (lp_missing IS NULL)"
    " + (lp_contradicts IS NULL) + (lp_cannot_tell IS NULL) IN (0, 5)"
)


def upgrade() -> None:
    """Make every table, and the indexes that searching and uniqueness need."""
    op.create_table(
        "check_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_check_text"),
        sa.UniqueConstraint("key", name="uq_check_text_key"),
    )
    op.create_table(
        "image",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("mime", sa.String(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("pixel_hash", sa.String()),
        sa.Column("thumbnail", sa.LargeBinary(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_image"),
    )
    op.create_table(
        "lease",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("process_created", sa.Float(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("since", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_lease"),
    )
    op.create_table(
        "project",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.CheckConstraint("id = 1", name="ck_project_one_row"),
        sa.PrimaryKeyConstraint("id", name="pk_project"),
    )
    op.create_table(
        "question",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("trashed_at", sa.String()),
        sa.PrimaryKeyConstraint("id", name="pk_question"),
        sa.UniqueConstraint("key", name="uq_question_key"),
    )
    op.create_table(
        "ruler",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("manifest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ruler"),
        sa.UniqueConstraint("digest", name="uq_ruler_digest"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "setting",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_setting"),
    )
    op.create_table(
        "question_draft",
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("base_version", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("updated_at", sa.String(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["question.id"], name="fk_question_draft_question_id_question"),
        sa.PrimaryKeyConstraint("question_id", name="pk_question_draft"),
    )
    op.create_table(
        "question_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("note", sa.String()),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["question.id"], name="fk_question_version_question_id_question"),
        sa.PrimaryKeyConstraint("id", name="pk_question_version"),
        sa.UniqueConstraint("question_id", "number", name="uq_question_version_question_id_number"),
    )
    op.create_table(
        "response",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("sample", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("source", sa.String()),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("trashed_at", sa.String()),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["question.id"], name="fk_response_question_id_question"),
        sa.PrimaryKeyConstraint("id", name="pk_response"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_response_question_id", "response", ["question_id"])
    op.create_index(
        "uq_response_live_key",
        "response",
        ["question_id", "model", "variant", "sample"],
        unique=True,
        sqlite_where=sa.text("trashed_at IS NULL"),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("ruler_id", sa.Integer()),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("started_at", sa.String(), nullable=False),
        sa.Column("finished_at", sa.String()),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("process_created", sa.Float(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("manifest", sa.String(), nullable=False),
        sa.CheckConstraint("status IN ('running', 'done', 'stopped', 'failed', 'crashed')", name="ck_run_status"),
        sa.ForeignKeyConstraint(["ruler_id"], ["ruler.id"], name="fk_run_ruler_id_ruler"),
        sa.PrimaryKeyConstraint("id", name="pk_run"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "draft_image",
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("image_sha256", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["image_sha256"], ["image.sha256"], name="fk_draft_image_image_sha256_image"),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question_draft.question_id"], name="fk_draft_image_question_id_question_draft"
        ),
        sa.PrimaryKeyConstraint("question_id", "position", name="pk_draft_image"),
    )
    op.create_index("ix_draft_image_image_sha256", "draft_image", ["image_sha256"])
    op.create_table(
        "label",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("response_id", sa.Integer(), nullable=False),
        sa.Column("check_text_id", sa.Integer(), nullable=False),
        sa.Column("annotator", sa.String(), nullable=False),
        sa.Column("verdict", sa.String()),
        sa.Column("note", sa.String()),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.CheckConstraint(FOUR_VERDICTS, name="ck_label_verdict"),
        sa.ForeignKeyConstraint(["check_text_id"], ["check_text.id"], name="fk_label_check_text_id_check_text"),
        sa.ForeignKeyConstraint(["response_id"], ["response.id"], name="fk_label_response_id_response"),
        sa.PrimaryKeyConstraint("id", name="pk_label"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_label_check_text_id", "label", ["check_text_id"])
    op.create_index("ix_label_response_id", "label", ["response_id"])
    op.create_table(
        "verdict",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer()),
        sa.Column("response_id", sa.Integer(), nullable=False),
        sa.Column("check_text_id", sa.Integer(), nullable=False),
        sa.Column("ruler_id", sa.Integer(), nullable=False),
        sa.Column("input_key", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("verdict", sa.String()),
        sa.Column("lp_meets", sa.Float()),
        sa.Column("lp_partially_meets", sa.Float()),
        sa.Column("lp_missing", sa.Float()),
        sa.Column("lp_contradicts", sa.Float()),
        sa.Column("lp_cannot_tell", sa.Float()),
        sa.Column("label_mass", sa.Float()),
        sa.Column("rationale", sa.String()),
        sa.Column("evidence", sa.String()),
        sa.Column("note", sa.String()),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.CheckConstraint("(outcome = 'verdict') = (verdict IS NOT NULL)", name="ck_verdict_only_a_verdict_has_one"),
        sa.CheckConstraint(FOUR_VERDICTS, name="ck_verdict_verdict"),
        sa.CheckConstraint(FIVE_OR_NONE, name="ck_verdict_five_log_probabilities_or_none"),
        sa.ForeignKeyConstraint(["check_text_id"], ["check_text.id"], name="fk_verdict_check_text_id_check_text"),
        sa.ForeignKeyConstraint(["response_id"], ["response.id"], name="fk_verdict_response_id_response"),
        sa.ForeignKeyConstraint(["ruler_id"], ["ruler.id"], name="fk_verdict_ruler_id_ruler"),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_verdict_run_id_run"),
        sa.PrimaryKeyConstraint("id", name="pk_verdict"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_verdict_check_text_id", "verdict", ["check_text_id"])
    op.create_index("ix_verdict_progress", "verdict", ["response_id", "ruler_id", "check_text_id", "outcome"])
    op.create_index(
        "uq_verdict_final",
        "verdict",
        ["response_id", "check_text_id", "input_key", "ruler_id"],
        unique=True,
        sqlite_where=sa.text("outcome = 'verdict'"),
    )
    op.create_table(
        "verdict_override",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("response_id", sa.Integer(), nullable=False),
        sa.Column("check_text_id", sa.Integer(), nullable=False),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("verdict", sa.String()),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("note", sa.String()),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.CheckConstraint(FOUR_VERDICTS, name="ck_verdict_override_verdict"),
        sa.ForeignKeyConstraint(
            ["check_text_id"], ["check_text.id"], name="fk_verdict_override_check_text_id_check_text"
        ),
        sa.ForeignKeyConstraint(["response_id"], ["response.id"], name="fk_verdict_override_response_id_response"),
        sa.PrimaryKeyConstraint("id", name="pk_verdict_override"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_verdict_override_check_text_id", "verdict_override", ["check_text_id"])
    op.create_index("ix_verdict_override_response_id", "verdict_override", ["response_id"])
    op.create_table(
        "version_image",
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("image_sha256", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["image_sha256"], ["image.sha256"], name="fk_version_image_image_sha256_image"),
        sa.ForeignKeyConstraint(
            ["version_id"], ["question_version.id"], name="fk_version_image_version_id_question_version"
        ),
        sa.PrimaryKeyConstraint("version_id", "position", name="pk_version_image"),
    )
    op.create_index("ix_version_image_image_sha256", "version_image", ["image_sha256"])
