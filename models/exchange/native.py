"""Our own row formats: responses and labels (DESIGN, section 4), read from rows and written as JSONL."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from models.exchange.rows import Row
from models.verdicts import Variant, Verdict

RESPONSE_FIELDS = ("question_id", "model", "response", "variant", "sample")
LABEL_FIELDS = ("question_id", "model", "variant", "sample", "check", "annotator", "verdict", "note")


@dataclass(frozen=True, slots=True)
class ResponseRecord:
    """One model's answer to one question."""

    question: str
    model: str
    text: str
    variant: Variant = Variant.IMAGE
    sample: int = 0


@dataclass(frozen=True, slots=True)
class LabelRecord:
    """One person's verdict on one check, which is named by its id or its exact text."""

    question: str
    model: str
    check: str
    annotator: str
    verdict: Verdict
    variant: Variant = Variant.IMAGE
    sample: int = 0
    note: str | None = None


def kind_of(fields: Iterable[str]) -> str | None:
    """ "question", "response", "label" or "verdict", told by the fields; None for anything else."""
    names = set(fields)
    if "gamut" in names or {"question", "rubric"} <= names:
        return "question"
    if {"annotator", "verdict"} <= names:
        return "label"
    if {"judge", "ruler", "outcome"} <= names:
        return "verdict"
    if {"question_id", "response"} <= names:
        return "response"
    return None


def read_response(row: Row) -> ResponseRecord:
    """Raises RowProblem."""
    return ResponseRecord(
        row.word("question_id"), row.word("model"), row.text_of("response"), variant_of(row), row.count("sample")
    )


def read_label(row: Row) -> LabelRecord:
    """Raises RowProblem."""
    said = row.word("verdict")
    if said not in list(Verdict):
        raise row.fail(f"'verdict' must be one of {', '.join(Verdict)}, not '{said}'.", "Use one of these words.")
    return LabelRecord(
        row.word("question_id"),
        row.word("model"),
        row.word("check"),
        row.word("annotator"),
        Verdict(said),
        variant_of(row),
        row.count("sample"),
        row.optional("note"),
    )


def variant_of(row: Row) -> Variant:
    """The variant a row names; image where it names none. Raises RowProblem."""
    said = row.optional("variant") or Variant.IMAGE.value
    if said not in list(Variant):
        raise row.fail(f"'variant' must be image or text, not '{said}'.", "Use one of these words, or leave it out.")
    return Variant(said)


def jsonl(records: Iterable[dict[str, Any]]) -> str:
    """One JSON object a line, non-ASCII kept."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
