"""Reading images: what is known of them, and their bytes one at a time."""

from sqlalchemy import func, select

from models.store.connect import Snapshot
from models.store.queries.common import connection_of
from models.store.records import ImageRow
from models.store.tables import IMAGE


def images(snapshot: Snapshot) -> tuple[ImageRow, ...]:
    """Every stored image, without bytes, in the order of their hashes."""
    c = IMAGE.c
    statement = select(c.sha256, c.mime, c.width, c.height, func.length(c.data), c.pixel_hash).order_by(c.sha256)
    return tuple(ImageRow(*row) for row in connection_of(snapshot).execute(statement))


def image_bytes(snapshot: Snapshot, sha256: str) -> bytes | None:
    """The original bytes; None if the project has no such image."""
    return connection_of(snapshot).scalar(select(IMAGE.c.data).where(IMAGE.c.sha256 == sha256))


def image_thumbnail(snapshot: Snapshot, sha256: str) -> bytes | None:
    """The thumbnail's bytes; None if the project has no such image."""
    return connection_of(snapshot).scalar(select(IMAGE.c.thumbnail).where(IMAGE.c.sha256 == sha256))
