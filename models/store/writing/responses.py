"""Writing responses, and emptying the trash.

A response's text never changes: the same key with other text is refused by a value, and a corrected response comes in
once the old one is in the trash.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import Select, Table, delete, exists, insert, or_, select, update

from models.store.errors import UnknownRow
from models.store.queries.common import among
from models.store.records import AddedResponse, Emptied, NewResponse
from models.store.tables import (
    CHECK_TEXT,
    DRAFT,
    DRAFT_IMAGE,
    LABEL,
    OVERRIDE,
    QUESTION,
    RATIONALE,
    RESPONSE,
    VERDICT,
    VERSION,
    VERSION_IMAGE,
)
from models.store.writing.base import Writing, sha256_text

_Key = tuple[int, str, str, int]


class ResponseWrites(Writing):
    """Responses and the trash."""

    def add_response(self, response: NewResponse) -> AddedResponse:
        """Add one response; see `add_responses`."""
        return self.add_responses((response,))[0]

    def add_responses(self, responses: Sequence[NewResponse]) -> list[AddedResponse]:
        """Add responses; says of each what became of it. Raises UnknownRow for a question that is not there."""
        questions = self._question_ids({response.question for response in responses})
        live, trashed = self._standing(set(questions.values()))
        added: list[AddedResponse] = []
        for response in responses:
            key = (questions[response.question], response.model, response.variant.value, response.sample)
            sha256 = sha256_text(response.text)
            if key in live:
                id_, there = live[key]
                added.append(AddedResponse(id_, "identical" if there == sha256 else "different_text"))
                continue
            if (key, sha256) in trashed:
                id_ = trashed.pop((key, sha256))
                self._connection.execute(update(RESPONSE).where(RESPONSE.c.id == id_).values(trashed_at=None))
                added.append(AddedResponse(id_, "restored"))
            else:
                id_ = self._insert(key, response, sha256)
                added.append(AddedResponse(id_, "added"))
            live[key] = (id_, sha256)
        return added

    def trash_responses(self, ids: Iterable[int]) -> int:
        """Put responses, and what was judged about them, in the trash; returns how many were not there yet."""
        done = self._connection.execute(
            update(RESPONSE)
            .where(among(RESPONSE.c.id, ids), RESPONSE.c.trashed_at.is_(None))
            .values(trashed_at=self._now())
        )
        return done.rowcount

    def restore_responses(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Take responses out of the trash; returns the ids left in there because another stands under their key now."""
        taken: list[int] = []
        for row in self._connection.execute(
            select(RESPONSE).where(among(RESPONSE.c.id, ids), RESPONSE.c.trashed_at.is_not(None))
        ).all():
            key = (row.question_id, row.model, row.variant, row.sample)
            if key in self._standing({row.question_id})[0]:
                taken.append(row.id)
            else:
                self._connection.execute(update(RESPONSE).where(RESPONSE.c.id == row.id).values(trashed_at=None))
        return tuple(taken)

    def empty_trash(self) -> Emptied:
        """Remove for good what is in the trash, with everything that hangs on it. Images stay until `compact`."""
        questions = select(QUESTION.c.id).where(QUESTION.c.trashed_at.is_not(None))
        responses = select(RESPONSE.c.id).where(
            or_(RESPONSE.c.trashed_at.is_not(None), RESPONSE.c.question_id.in_(questions))
        )
        versions = select(VERSION.c.id).where(VERSION.c.question_id.in_(questions))
        self._remove(RATIONALE, "verdict_id", select(VERDICT.c.id).where(VERDICT.c.response_id.in_(responses)))
        verdicts = self._remove(VERDICT, "response_id", responses)
        overrides = self._remove(OVERRIDE, "response_id", responses)
        labels = self._remove(LABEL, "response_id", responses)
        gone = self._remove(RESPONSE, "id", responses)
        self._remove(VERSION_IMAGE, "version_id", versions)
        self._remove(VERSION, "question_id", questions)
        self._remove(DRAFT_IMAGE, "question_id", questions)
        self._remove(DRAFT, "question_id", questions)
        emptied = Emptied(self._remove(QUESTION, "id", questions), gone, verdicts, overrides, labels)
        self._remove_unused_check_texts()
        return emptied

    def _question_ids(self, keys: set[str]) -> dict[str, int]:
        rows = self._connection.execute(select(QUESTION.c.key, QUESTION.c.id).where(among(QUESTION.c.key, keys)))
        found: dict[str, int] = {row.key: row.id for row in rows}
        for key in sorted(keys - found.keys()):
            raise UnknownRow(f"no question {key!r}")
        return found

    def _standing(self, questions: set[int]) -> tuple[dict[_Key, tuple[int, str]], dict[tuple[_Key, str], int]]:
        """Of these questions: id and hash of the live response under each key; ids of the trashed by key and hash."""
        live: dict[_Key, tuple[int, str]] = {}
        trashed: dict[tuple[_Key, str], int] = {}
        c = RESPONSE.c
        for row in self._connection.execute(
            select(c.id, c.question_id, c.model, c.variant, c.sample, c.sha256, c.trashed_at)
            .where(among(c.question_id, questions))
            .order_by(c.id)
        ):
            key = (row.question_id, row.model, row.variant, row.sample)
            if row.trashed_at is None:
                live[key] = (row.id, row.sha256)
            else:
                trashed[key, row.sha256] = row.id
        return live, trashed

    def _insert(self, key: _Key, response: NewResponse, sha256: str) -> int:
        done = self._connection.execute(
            insert(RESPONSE).values(
                question_id=key[0],
                model=response.model,
                variant=response.variant.value,
                sample=response.sample,
                sha256=sha256,
                source=response.source,
                created_at=self._now(),
                text=response.text,
            )
        )
        return done.lastrowid

    def _remove(self, table: Table, column: str, ids: Select[tuple[int]]) -> int:
        return self._connection.execute(delete(table).where(table.c[column].in_(ids))).rowcount

    def _remove_unused_check_texts(self) -> None:
        unused = [
            ~exists().where(table.c.check_text_id == CHECK_TEXT.c.id).correlate(CHECK_TEXT)
            for table in (VERDICT, OVERRIDE, LABEL)
        ]
        self._connection.execute(delete(CHECK_TEXT).where(*unused))
        self._check_ids.clear()
