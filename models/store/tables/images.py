"""Images, found by the sha256 of their original bytes. Large columns come last: lists need not read them."""

from sqlmodel import Field

from models.store.tables.base import Base


class Image(Base, table=True):
    """The original bytes, a thumbnail, and what is known of them. Width and height are upright."""

    __tablename__ = "image"

    sha256: str = Field(primary_key=True)
    mime: str
    width: int
    height: int
    pixel_hash: str | None = None
    thumbnail: bytes
    data: bytes
