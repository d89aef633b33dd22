"""The one place where SQLite's and the system's errors become sentences.

Only what the environment can cause is translated, by SQLite's own error codes and never by the words of a message (but
for one that Python gives no code); everything else is a bug and passes through untouched, traceback and all.
"""

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from models.store.errors import (
    CannotRead,
    CorruptProject,
    DiskFailed,
    DiskFull,
    FolderNotFound,
    FolderNotWritable,
    ProjectLocked,
    ProjectNotFound,
    ReadOnlyProject,
    StoreError,
    UnstorableText,
)

PRIMARY_CODE = 0xFF
NOT_UTF8 = "Could not decode to UTF-8"
_BY_CODE: dict[int, Callable[[Path], StoreError]] = {
    sqlite3.SQLITE_FULL: DiskFull,
    sqlite3.SQLITE_READONLY: ReadOnlyProject,
    sqlite3.SQLITE_IOERR: DiskFailed,
    sqlite3.SQLITE_PERM: CannotRead,
}
_BY_ERRNO: dict[int, Callable[[Path], StoreError]] = {
    errno.ENOSPC: DiskFull,
    errno.EDQUOT: DiskFull,
    errno.EIO: DiskFailed,
}


def sqlite_code(error: BaseException) -> int | None:
    """SQLite's primary result code behind an error, through SQLAlchemy's wrapping; None if it is none of SQLite's."""
    original = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(original, "sqlite_errorcode", None) if isinstance(original, sqlite3.Error) else None
    return None if code is None else int(code) & PRIMARY_CODE


def is_damage(error: BaseException) -> bool:
    """Whether the bytes of the file make no sense any more."""
    original = error.orig if isinstance(error, DBAPIError) else error
    undecodable = isinstance(original, sqlite3.OperationalError) and str(original).startswith(NOT_UTF8)
    return undecodable or sqlite_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_busy(error: BaseException) -> bool:
    """Whether another connection's lock is the cause."""
    return sqlite_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def told(error: Exception, path: Path, holder: Callable[[], str | None] = lambda: None) -> StoreError | None:
    """The sentence for an error of the environment about the file at `path`; None for a bug.

    `holder` is asked who is writing, only when the file is locked.
    """
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        return UnstorableText()
    if isinstance(error, OSError):
        return _told_os(error, path)
    if is_busy(error):
        return ProjectLocked(path, holder())
    if is_damage(error):
        return CorruptProject(path)
    code = sqlite_code(error)
    if code == sqlite3.SQLITE_CANTOPEN:
        return _told_unopened(path)
    make = _BY_CODE.get(code) if code is not None else None
    return make(path) if make else None


def _told_os(error: OSError, path: Path) -> StoreError | None:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return _told_unopened(path)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return ReadOnlyProject(path) if path.exists() else FolderNotWritable(path.parent)
    make = _BY_ERRNO.get(error.errno or 0)
    return make(path) if make else None


def _told_unopened(path: Path) -> StoreError:
    if not path.parent.is_dir():
        return FolderNotFound(path.parent)
    return ReadOnlyProject(path) if path.exists() else ProjectNotFound(path)


@contextmanager
def translating(path: Path, holder: Callable[[], str | None] = lambda: None, *, files: bool = False) -> Iterator[None]:
    """What the database raises inside comes out as its sentence, if it has one.

    files: what the file system raises too. Not where a caller's code runs inside, whose files are none of ours.
    """
    ours = (DBAPIError, sqlite3.Error, UnicodeEncodeError, OSError if files else sqlite3.Error)
    try:
        yield
    except ours as error:
        sentence = told(error, path, holder)
        if sentence is None:
            raise
        raise sentence from error
