"""What every topic of the writer needs: the clock, rows found by their key, and check texts stored once."""

import hashlib
from collections.abc import Iterable

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from models.rubric.checklist import Kind, check_key
from models.store.clock import Clock, stamp
from models.store.connect import Snapshot
from models.store.errors import UnknownRow
from models.store.queries.common import among
from models.store.tables import CHECK_TEXT, QUESTION


def sha256_text(text: str) -> str:
    """64 hex digits over the UTF-8 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


class Writing(Snapshot):
    """A writer's base: it can read like any snapshot."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        super().__init__(connection)
        self._clock = clock
        self._check_ids: dict[str, int] = {}

    def _now(self) -> str:
        return stamp(self._clock)

    def _question_id(self, key: str) -> int:
        found = self._connection.scalar(select(QUESTION.c.id).where(QUESTION.c.key == key))
        if found is None:
            raise UnknownRow(f"no question {key!r}")
        return int(found)

    def _check_text_ids(self, checks: Iterable[tuple[Kind, str]]) -> list[int]:
        """Ids of the check texts in the order given; those not seen before are stored."""
        keys = [(check_key(kind, text), kind, text) for kind, text in checks]
        new = {key: (kind, text) for key, kind, text in keys if key not in self._check_ids}
        if new:
            rows = [{"key": key, "kind": Kind(kind).value, "text": text} for key, (kind, text) in new.items()]
            self._connection.execute(insert(CHECK_TEXT).on_conflict_do_nothing(index_elements=["key"]), rows)
            found = self._connection.execute(
                select(CHECK_TEXT.c.key, CHECK_TEXT.c.id).where(among(CHECK_TEXT.c.key, new))
            )
            self._check_ids.update((key, id_) for key, id_ in found)
        return [self._check_ids[key] for key, _, _ in keys]
