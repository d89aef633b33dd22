"""Writing questions, their versions and drafts, and the images they show.

A version is added only when the document's content differs from the current one; nothing is ever replaced. Which images
a document shows is the caller's to say, so that `compact` knows what is still needed.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Table, delete, func, insert, select, update

from models.store.errors import UnknownRow
from models.store.queries.common import among
from models.store.records import CommittedDraft, PutQuestion
from models.store.tables import DRAFT, DRAFT_IMAGE, IMAGE, QUESTION, VERSION, VERSION_IMAGE
from models.store.writing.base import Writing, sha256_text


class QuestionWrites(Writing):
    """Questions, versions, drafts, order."""

    def put_question(
        self, key: str, doc: str, *, author: str, note: str | None = None, images: Sequence[str] = ()
    ) -> PutQuestion:
        """Add a question, or make `doc` the current version of the one with this key; brings it back from the trash.

        images: sha256 of the images the document shows, which must be stored already (UnknownRow otherwise).
        """
        found = self._connection.execute(
            select(QUESTION.c.id, QUESTION.c.trashed_at).where(QUESTION.c.key == key)
        ).one_or_none()
        if found is None:
            self._new_version(self._insert_question(key), 1, doc, author, note, images)
            return PutQuestion(key, 1, "added")
        restored = found.trashed_at is not None
        if restored:
            self.restore_question(key)
        number, created = self._version_if_different(found.id, doc, author, note, images)
        return PutQuestion(key, number, "replaced" if created else "unchanged", restored)

    def save_draft(self, key: str, doc: str, *, author: str, images: Sequence[str] = ()) -> None:
        """Keep `doc` as the question's draft. The version it is based on is the current one when it was first saved."""
        question_id = self._question_id(key)
        base = self._connection.scalar(select(DRAFT.c.base_version).where(DRAFT.c.question_id == question_id))
        if base is None:
            base = self._current(question_id).number
        self._drop_draft(question_id)
        self._connection.execute(
            insert(DRAFT).values(
                question_id=question_id,
                base_version=base,
                sha256=sha256_text(doc),
                author=author,
                updated_at=self._now(),
                doc=doc,
            )
        )
        self._refer(DRAFT_IMAGE, "question_id", question_id, images)

    def discard_draft(self, key: str) -> bool:
        """Forget the draft; False if there was none."""
        return self._drop_draft(self._question_id(key))

    def commit_draft(self, key: str, *, author: str, note: str | None = None) -> CommittedDraft:
        """Make the draft the current version. Raises UnknownRow if there is no draft."""
        question_id = self._question_id(key)
        draft = self._connection.execute(select(DRAFT).where(DRAFT.c.question_id == question_id)).one_or_none()
        if draft is None:
            raise UnknownRow(f"question {key!r} has no draft")
        images = self._connection.scalars(
            select(DRAFT_IMAGE.c.image_sha256)
            .where(DRAFT_IMAGE.c.question_id == question_id)
            .order_by(DRAFT_IMAGE.c.position)
        ).all()
        newest = self._current(question_id).number
        number, created = self._version_if_different(question_id, draft.doc, author, note, images)
        self._drop_draft(question_id)
        return CommittedDraft(number, created, tuple(range(draft.base_version + 1, newest + 1)))

    def reorder(self, keys: Sequence[str]) -> None:
        """Put the questions outside the trash in this order. Raises ValueError unless `keys` names each once."""
        live = set(self._connection.scalars(select(QUESTION.c.key).where(QUESTION.c.trashed_at.is_(None))))
        if len(keys) != len(live) or set(keys) != live:
            raise ValueError("an order names every question outside the trash exactly once")
        for position, key in enumerate(keys):
            self._connection.execute(update(QUESTION).where(QUESTION.c.key == key).values(position=position))

    def trash_question(self, key: str) -> bool:
        """Put a question, and all that hangs on it, in the trash; False if it is there already."""
        return self._set_trashed(key, self._now(), QUESTION.c.trashed_at.is_(None))

    def restore_question(self, key: str) -> bool:
        """Take a question out of the trash; False if it was not in there."""
        return self._set_trashed(key, None, QUESTION.c.trashed_at.is_not(None))

    def add_image(
        self, data: bytes, *, mime: str, width: int, height: int, thumbnail: bytes, pixel_hash: str | None = None
    ) -> str:
        """Store an image's original bytes once; returns their sha256, by which it is found. Sizes are upright."""
        sha256 = hashlib.sha256(data).hexdigest()
        if self._connection.scalar(select(IMAGE.c.sha256).where(IMAGE.c.sha256 == sha256)) is None:
            self._connection.execute(
                insert(IMAGE).values(
                    sha256=sha256,
                    mime=mime,
                    width=width,
                    height=height,
                    pixel_hash=pixel_hash,
                    thumbnail=thumbnail,
                    data=data,
                )
            )
        return sha256

    def _insert_question(self, key: str) -> int:
        last = self._connection.scalar(select(func.max(QUESTION.c.position)))
        row = {"key": key, "position": 0 if last is None else last + 1, "created_at": self._now()}
        done = self._connection.execute(insert(QUESTION).values(row))
        return done.lastrowid

    def _current(self, question_id: int) -> Row[Any, Any]:
        return self._connection.execute(
            select(VERSION.c.number, VERSION.c.sha256)
            .where(VERSION.c.question_id == question_id)
            .order_by(VERSION.c.number.desc())
            .limit(1)
        ).one()

    def _version_if_different(
        self, question_id: int, doc: str, author: str, note: str | None, images: Sequence[str]
    ) -> tuple[int, bool]:
        current = self._current(question_id)
        if current.sha256 == sha256_text(doc):
            return int(current.number), False
        self._new_version(question_id, current.number + 1, doc, author, note, images)
        return int(current.number) + 1, True

    def _new_version(
        self, question_id: int, number: int, doc: str, author: str, note: str | None, images: Sequence[str]
    ) -> None:
        done = self._connection.execute(
            insert(VERSION).values(
                question_id=question_id,
                number=number,
                sha256=sha256_text(doc),
                author=author,
                note=note,
                created_at=self._now(),
                doc=doc,
            )
        )
        self._refer(VERSION_IMAGE, "version_id", done.lastrowid, images)

    def _refer(self, table: Table, owner: str, owner_id: int, images: Sequence[str]) -> None:
        if not images:
            return
        known = set(self._connection.scalars(select(IMAGE.c.sha256).where(among(IMAGE.c.sha256, images))))
        unknown = [sha256 for sha256 in images if sha256 not in known]
        if unknown:
            raise UnknownRow(f"no image {unknown[0]}")
        rows = [{owner: owner_id, "position": n, "image_sha256": sha256} for n, sha256 in enumerate(images)]
        self._connection.execute(insert(table), rows)

    def _drop_draft(self, question_id: int) -> bool:
        self._connection.execute(delete(DRAFT_IMAGE).where(DRAFT_IMAGE.c.question_id == question_id))
        return self._connection.execute(delete(DRAFT).where(DRAFT.c.question_id == question_id)).rowcount > 0

    def _set_trashed(self, key: str, when: str | None, only: Any) -> bool:
        question_id = self._question_id(key)
        done = self._connection.execute(
            update(QUESTION).where(QUESTION.c.id == question_id, only).values(trashed_at=when)
        )
        return done.rowcount > 0
