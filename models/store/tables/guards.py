"""The triggers that keep history: what was judged or said is never changed, and goes only with its trashed response.

They are no part of any migration. They are taken off before one and put on after it (a rebuilt table loses its
triggers), so that every project carries today's guards; `verify` looks for them.
"""

_IN_TRASH = (
    "EXISTS (SELECT 1 FROM response r JOIN question q ON q.id = r.question_id"
    " WHERE r.id = OLD.{column} AND (r.trashed_at IS NOT NULL OR q.trashed_at IS NOT NULL))"
)
_VERDICT_IN_TRASH = (
    "EXISTS (SELECT 1 FROM verdict v JOIN response r ON r.id = v.response_id JOIN question q ON q.id = r.question_id"
    " WHERE v.id = OLD.{column} AND (r.trashed_at IS NOT NULL OR q.trashed_at IS NOT NULL))"
)
_QUESTION_IN_TRASH = "EXISTS (SELECT 1 FROM question q WHERE q.id = OLD.{column} AND q.trashed_at IS NOT NULL)"

# Table: the columns that may not change ("" means none of them), and when a row may be deleted (None: always).
_GUARDED: dict[str, tuple[str, str | None]] = {
    "verdict": ("", _IN_TRASH.format(column="response_id")),
    "rationale": ("", _VERDICT_IN_TRASH.format(column="verdict_id")),
    "verdict_override": ("", _IN_TRASH.format(column="response_id")),
    "label": ("", _IN_TRASH.format(column="response_id")),
    "response": (
        "question_id, model, variant, sample, text, sha256, source, created_at",
        _IN_TRASH.format(column="id"),
    ),
    "question": ("key, created_at", _QUESTION_IN_TRASH.format(column="id")),
    "question_version": ("", _QUESTION_IN_TRASH.format(column="question_id")),
    "check_text": ("", None),
    "ruler": ("", None),
    "image": ("sha256, data", None),
}


def _build() -> dict[str, str]:
    guards = {}
    for table, (columns, may_go) in _GUARDED.items():
        of = f" OF {columns}" if columns else ""
        name = f"{table}_stays_as_it_is"
        guards[name] = (
            f"CREATE TRIGGER {name} BEFORE UPDATE{of} ON {table}"
            f" BEGIN SELECT RAISE(ABORT, '{table} rows are never changed'); END"
        )
        if may_go is not None:
            name = f"{table}_is_kept"
            guards[name] = (
                f"CREATE TRIGGER {name} BEFORE DELETE ON {table} WHEN NOT {may_go}"
                f" BEGIN SELECT RAISE(ABORT, '{table} rows go only through the trash'); END"
            )
    return guards


GUARDS: dict[str, str] = _build()
"""Name of each trigger, and the statement that makes it."""
