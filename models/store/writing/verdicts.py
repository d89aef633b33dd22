"""Writing what judges and people say: rulers, verdicts, rationales, overrides, labels. All of it is only added to.

The same question under the same ruler gets one verdict; asking again on purpose is another ruler (its seed differs).
Attempts that gave no verdict may repeat.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import insert, select
from sqlalchemy import text as sql_text
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from models.provenance import Ruler
from models.rubric.checklist import Kind
from models.store.errors import UnknownRow
from models.store.records import AddedVerdicts, NewLabel, NewVerdict
from models.store.tables import LABEL, OVERRIDE, RATIONALE, RULER, VERDICT
from models.store.writing.base import Writing
from models.verdicts import Verdict

CHUNK = 5000
NO_LOG_PROBABILITIES = (None,) * 5
T = TypeVar("T")


class VerdictWrites(Writing):
    """Rulers, verdicts, rationales, overrides, labels."""

    def ensure_ruler(self, ruler: Ruler) -> int:
        """The id of the ruler with these facts, stored if it is new."""
        digest = ruler.digest
        found = self._connection.scalar(select(RULER.c.id).where(RULER.c.digest == digest))
        if found is None:
            done = self._connection.execute(
                insert(RULER).values(judge=ruler.judge, digest=digest, manifest=ruler.manifest)
            )
            found = done.lastrowid
        return int(found)

    def add_verdicts(self, verdicts: Iterable[NewVerdict]) -> AddedVerdicts:
        """Store what came of asking. A verdict whose response, check, input key and ruler have one already is left out.

        An outcome without verdict is stored each time. Raises sqlalchemy's IntegrityError (a bug) for an id that is
        not there, or a verdict that does not go with its outcome.
        """
        # Not OR IGNORE: that would hide a broken row. Only the one index may be in the way.
        statement = sqlite_insert(VERDICT).on_conflict_do_nothing(
            index_elements=["response_id", "check_text_id", "input_key", "ruler_id"],
            index_where=sql_text("outcome = 'verdict'"),
        )
        now, given, added = self._now(), 0, 0
        for chunk in _chunks(verdicts):
            checks = self._check_text_ids((verdict.kind, verdict.text) for verdict in chunk)
            rows = [_row(verdict, check, now) for verdict, check in zip(chunk, checks, strict=True)]
            given += len(rows)
            added += self._connection.execute(statement, rows).rowcount
        return AddedVerdicts(added, given - added)

    def add_rationale(self, verdict_id: int, text: str) -> None:
        """Add the judge's reason for a verdict that stands; the newest counts. Raises UnknownRow if none stands."""
        stands = select(VERDICT.c.id).where(VERDICT.c.id == verdict_id, VERDICT.c.verdict.is_not(None))
        if self._connection.scalar(stands) is None:
            raise UnknownRow(f"no verdict {verdict_id}")
        self._connection.execute(insert(RATIONALE).values(verdict_id=verdict_id, created_at=self._now(), text=text))

    def override_verdict(
        self,
        response_id: int,
        kind: Kind,
        text: str,
        *,
        judge: str,
        verdict: Verdict | None,
        author: str,
        note: str | None = None,
    ) -> None:
        """Add a person's word against a judge's on one check; None withdraws the one before."""
        self._connection.execute(
            insert(OVERRIDE).values(
                response_id=response_id,
                check_text_id=self._check_text_ids(((kind, text),))[0],
                judge=judge,
                verdict=_word(verdict),
                author=author,
                note=note,
                created_at=self._now(),
            )
        )

    def add_label(self, label: NewLabel) -> None:
        """Add a person's own verdict on one check; None withdraws the one before."""
        self.add_labels((label,))

    def add_labels(self, labels: Iterable[NewLabel]) -> int:
        """Add labels in the order given; returns how many."""
        now, count = self._now(), 0
        for chunk in _chunks(labels):
            checks = self._check_text_ids((label.kind, label.text) for label in chunk)
            rows = [
                {
                    "response_id": label.response_id,
                    "check_text_id": check,
                    "annotator": label.annotator,
                    "verdict": _word(label.verdict),
                    "note": label.note,
                    "created_at": now,
                }
                for label, check in zip(chunk, checks, strict=True)
            ]
            self._connection.execute(insert(LABEL), rows)
            count += len(rows)
        return count


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(items)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


def _word(verdict: Verdict | None) -> str | None:
    return None if verdict is None else verdict.value


def _row(verdict: NewVerdict, check_text_id: int, now: str) -> dict[str, Any]:
    meets, partially, missing, contradicts, cannot_tell = verdict.log_probabilities or NO_LOG_PROBABILITIES
    return {
        "run_id": verdict.run_id,
        "response_id": verdict.response_id,
        "check_text_id": check_text_id,
        "ruler_id": verdict.ruler_id,
        "input_key": verdict.input_key,
        "outcome": verdict.outcome.value,
        "verdict": _word(verdict.verdict),
        "lp_meets": meets,
        "lp_partially_meets": partially,
        "lp_missing": missing,
        "lp_contradicts": contradicts,
        "lp_cannot_tell": cannot_tell,
        "label_mass": verdict.label_mass,
        "rationale": verdict.rationale,
        "evidence": verdict.evidence,
        "note": verdict.note,
        "created_at": now,
    }
