"""Bringing verdicts back in: each goes to the response it was given about, if what was asked is still what is there.

They never take the place of what is here: a judge that has graded this project goes on showing its own verdicts.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from gamut_desktop.usecases.documents import question_in
from models.errors import GamutError
from models.exchange.rows import Row
from models.exchange.verdicts import VerdictRecord
from models.provenance import Asked
from models.quotes import find_quote
from models.rubric.metarubric import Question
from models.store.project import Project
from models.store.queries.responses import responses
from models.store.queries.verdicts import verdicts
from models.store.queries.work import runs
from models.store.records import NewVerdict, ResponseRow, RunStatus, VerdictRow
from models.store.writer import Writer
from models.verdicts import Variant

Given = tuple[Row, VerdictRecord]
_Key = tuple[int, str, str, int, str]  # response id, check key, input key, ruler id, outcome
_GRADE = "Grade it here instead."


@dataclass
class VerdictsIn:
    """How many were stored, how many were here already; sentences about what was left out, and remarks."""

    added: int = 0
    known: int = 0
    left_out: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def store_verdicts(project: Project, given: Sequence[Given]) -> VerdictsIn:
    """Store what fits, one transaction a question."""
    done = VerdictsIn()
    by_question: dict[str, list[Given]] = defaultdict(list)
    for row, record in given:
        by_question[record.question].append((row, record))
    beside: set[str] = set()
    for key, rows in by_question.items():
        with project.write() as writer:
            beside |= _store(writer, key, rows, done)
    done.remarks += [
        f"{judge} has graded this project by another ruler: its own verdicts are shown, the imported are kept beside."
        for judge in sorted(beside)
    ]
    return done


def _store(writer: Writer, key: str, rows: list[Given], done: VerdictsIn) -> set[str]:
    """One question's; returns the judges whose imported verdicts are not the ones that are shown."""
    question = question_in(writer, key)
    assert question is not None  # the import has looked
    here = {(r.model, r.variant, r.sample): r for r in responses(writer, question=key)}
    there = {_key_of(verdict) for verdict in verdicts(writer, question=key)}
    known_runs: dict[tuple[str, int], int | None] = {}
    beside = set()
    for row, record in rows:
        try:
            response = _response(row, record, question, here)
        except GamutError as error:
            done.left_out.append(str(error))
            continue
        ruler_id = writer.ensure_ruler(record.ruler)
        by = (record.ruler.judge, ruler_id)
        if by not in known_runs:
            known_runs[by] = _run(writer, *by)
        if known_runs[by] is None:
            beside.add(record.ruler.judge)
        at: _Key = (response.id, record.check.key, record.input_key, ruler_id, record.outcome.value)
        if at in there:
            done.known += 1
        else:
            writer.add_verdicts([_new(record, response, ruler_id, known_runs[by])])
            there.add(at)
            done.added += 1
        if record.asked_later and record.rationale:
            _explain(writer, at, record.rationale)
    return beside


def _response(
    row: Row, record: VerdictRecord, question: Question, here: dict[tuple[str, Variant, int], ResponseRow]
) -> ResponseRow:
    """The response that was judged; refused unless what was asked then is what is here."""
    response = here.get((record.model, record.variant, record.sample))
    if response is None:
        which = f"{record.variant.value}, sample {record.sample}"
        raise row.fail(f"there is no answer of {record.model} to '{question.id}' ({which}).", "Import it first.")
    asked = Asked.of(question, response.variant, response.text)
    if asked.key(record.check.kind, record.check.text) != record.input_key:
        raise row.fail("this verdict was given about another question, picture or response.", _GRADE)
    if record.evidence is not None and find_quote(record.evidence, response.text) is None:
        raise row.fail("the evidence of this verdict is not in the response.", _GRADE)
    return response


def _run(writer: Writer, judge: str, ruler_id: int) -> int | None:
    """A run of that ruler, made where the judge has none yet; None where another ruler of the judge's is shown."""
    known = [run for run in runs(writer, judge=judge) if run.ruler_id is not None]
    if not known:
        run_id = writer.start_run(judge, ruler_id=ruler_id, manifest='{"imported":true}')
        writer.finish_run(run_id, RunStatus.DONE)
        return run_id
    return known[-1].id if known[-1].ruler_id == ruler_id else None


def _explain(writer: Writer, at: _Key, rationale: str) -> None:
    """A reason that was asked for later comes later here too."""
    for stored in verdicts(writer, responses=[at[0]]):
        if _key_of(stored) == at and stored.rationale is None and stored.verdict is not None:
            writer.add_rationale(stored.id, rationale)


def _new(record: VerdictRecord, response: ResponseRow, ruler_id: int, run_id: int | None) -> NewVerdict:
    return NewVerdict(
        response_id=response.id,
        kind=record.check.kind,
        text=record.check.text,
        ruler_id=ruler_id,
        input_key=record.input_key,
        outcome=record.outcome,
        verdict=record.verdict,
        log_probabilities=record.log_probabilities,
        label_mass=record.label_mass,
        rationale=None if record.asked_later else record.rationale,
        evidence=record.evidence,
        note=record.note,
        run_id=run_id,
    )


def _key_of(row: VerdictRow) -> _Key:
    return row.response_id, row.check.key, row.input_key, row.ruler_id, row.outcome.value
