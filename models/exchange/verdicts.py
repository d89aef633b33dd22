"""Verdicts as rows of JSONL: what a judge said of one check of one response, with its ruler and its own words.

A verdict says by its `input_key` what it was given about; who reads it back compares that with what is there.
"""

import math
from dataclasses import dataclass
from typing import Any

from models.exchange.native import variant_of
from models.exchange.rows import Row
from models.provenance import Ruler
from models.rubric.checklist import CheckText, Kind
from models.store.records import LogProbabilities, ResponseRow, VerdictRow
from models.verdicts import Outcome, Variant, Verdict

VERDICT_FIELDS = (
    *("question_id", "model", "variant", "sample", "check", "kind", "judge", "ruler", "input_key"),
    *("outcome", "verdict", "log_probabilities", "label_mass", "rationale", "asked_later", "evidence", "note"),
)
_SCALARS = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """One row. asked_later: the rationale was asked for after the verdict."""

    question: str
    model: str
    variant: Variant
    sample: int
    check: CheckText
    ruler: Ruler
    input_key: str
    outcome: Outcome
    verdict: Verdict | None
    log_probabilities: LogProbabilities | None
    label_mass: float | None
    rationale: str | None
    asked_later: bool
    evidence: str | None
    note: str | None


def verdict_row(row: VerdictRow, answer: ResponseRow, ruler: dict[str, Any]) -> dict[str, Any]:
    """A stored verdict about that response as a row; `ruler`: its manifest. What there is none of is left out."""
    said = {
        "verdict": row.verdict.value if row.verdict else None,
        "log_probabilities": [_number(value) for value in row.log_probabilities] if row.log_probabilities else None,
        "label_mass": row.label_mass,
        "rationale": row.rationale,
        "asked_later": True if row.explained_at else None,
        "evidence": row.evidence,
        "note": row.note,
    }
    return {
        "question_id": answer.question,
        "model": answer.model,
        "variant": answer.variant.value,
        "sample": answer.sample,
        "check": row.check.text,
        "kind": row.check.kind.value,
        "judge": row.judge,
        "ruler": {name: value for name, value in ruler.items() if name != "judge"},
        "input_key": row.input_key,
        "outcome": row.outcome.value,
        **{name: value for name, value in said.items() if value is not None},
    }


def read_verdict(row: Row) -> VerdictRecord:
    """Raises RowProblem."""
    outcome = Outcome(_one_of(row, "outcome", tuple(Outcome)))
    said = row.optional("verdict")
    if (outcome is Outcome.VERDICT) != (said is not None):
        raise row.fail(f"the outcome '{outcome}' does not go with the verdict '{said or 'none'}'.", "Check the row.")
    return VerdictRecord(
        row.word("question_id"),
        row.word("model"),
        variant_of(row),
        row.count("sample"),
        CheckText(Kind(_one_of(row, "kind", tuple(Kind))), row.text_of("check")),
        _ruler(row),
        row.word("input_key"),
        outcome,
        None if said is None else Verdict(_one_of(row, "verdict", tuple(Verdict))),
        _log_probabilities(row),
        _share(row),
        row.optional("rationale"),
        row.fields.get("asked_later") is True,
        row.optional("evidence"),
        row.optional("note"),
    )


def _one_of(row: Row, name: str, known: tuple[str, ...]) -> str:
    said = row.word(name)
    if said not in known:
        raise row.fail(f"'{name}' must be one of {', '.join(known)}, not '{said}'.", "Use one of these words.")
    return said


def _ruler(row: Row) -> Ruler:
    facts = row.fields.get("ruler")
    if not isinstance(facts, dict) or not all(_is_fact(value) for value in facts.values()):
        raise row.fail("'ruler' must be an object of plain facts.", 'Write "ruler": {}, or what the judge ran by.')
    return Ruler(row.word("judge"), tuple(sorted(facts.items())))


def _is_fact(value: Any) -> bool:
    return isinstance(value, _SCALARS) or (isinstance(value, list) and all(isinstance(v, _SCALARS) for v in value))


def _log_probabilities(row: Row) -> LogProbabilities | None:
    """Five natural logs; null among them is the log of nothing."""
    values = row.fields.get("log_probabilities")
    if values is None:
        return None
    if not isinstance(values, list) or len(values) != 5 or not all(_is_log(value) for value in values):
        raise row.fail("'log_probabilities' must be five numbers from 0 down, or null.", "Leave it out, or mend it.")
    a, b, c, d, e = (-math.inf if value is None else float(value) for value in values)
    return a, b, c, d, e


def _is_log(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and value <= 0)


def _share(row: Row) -> float | None:
    value = row.fields.get("label_mass")
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1.000001:
        raise row.fail("'label_mass' must be a number from 0 to 1.", "Leave it out, or mend it.")
    return float(value)


def _number(value: float) -> float | None:
    return None if math.isinf(value) else value
