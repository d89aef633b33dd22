"""What kind of file a path names, from its first hundred bytes and before SQLite touches it.

SQLite alone would make a missing file, call a text file "not a database", and open another program's data.
"""

import os
import struct
from dataclasses import dataclass
from pathlib import Path

from models.store.errors import (
    CannotRead,
    CorruptProject,
    EmptyFile,
    IsAFolder,
    NotAProject,
    ProjectNotFound,
)

MAGIC = b"SQLite format 3\0"
APPLICATION_ID = 0x47414D54
"""The letters GAMT, in the header of every project."""
HEADER_BYTES = 100
SIDECARS = ("-wal", "-journal")


@dataclass(frozen=True, slots=True)
class Header:
    """What the header says: the number of the schema, and a counter that every committed change moves on."""

    schema: int
    change_counter: int


def recognise(path: Path) -> Header:
    """The header of the project at `path`.

    Raises ProjectNotFound, IsAFolder, CannotRead, EmptyFile, NotAProject, or CorruptProject where the file is shorter
    than it says.
    """
    try:
        if path.is_dir():
            raise IsAFolder(path)
        with path.open("rb") as file:
            head = file.read(HEADER_BYTES)
            size = os.fstat(file.fileno()).st_size
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ProjectNotFound(path) from error
    except PermissionError as error:
        raise CannotRead(path) from error
    if not head:
        raise EmptyFile(path)
    if not head.startswith(MAGIC):
        raise NotAProject(path)
    if len(head) < HEADER_BYTES:
        raise CorruptProject(path)
    page, counter, pages = struct.unpack(">H", head[16:18])[0], *struct.unpack(">II", head[24:32])
    schema, application = struct.unpack(">I", head[60:64])[0], struct.unpack(">I", head[68:72])[0]
    if application != APPLICATION_ID:
        raise NotAProject(path, database=True)
    if size < pages * (65536 if page == 1 else page) and not unfinished(path):
        raise CorruptProject(path)
    return Header(schema, counter)


def unfinished(path: Path) -> bool:
    """Whether a journal with something in it lies beside the file: it is open somewhere, or was left by a crash."""
    return any(_size(sidecar(path, end)) for end in SIDECARS)


def sidecar(path: Path, end: str) -> Path:
    """The file that SQLite keeps beside `path`."""
    return path.with_name(path.name + end)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
