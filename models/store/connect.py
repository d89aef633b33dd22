"""Connections to a project file: how SQLite is opened and what every connection is told.

Transactions are begun by us, not by the driver: BEGIN IMMEDIATE for the writer, so that a lock is met at once and not
in the middle; a plain BEGIN for readers. `Snapshot` is the opaque handle that queries read through.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool, Pool, QueuePool, StaticPool

WRITABLE = "mode=rw"
READ_ONLY = "mode=ro"
IMMUTABLE = "mode=ro&immutable=1"
PRAGMAS = ("foreign_keys = ON", "synchronous = NORMAL", "recursive_triggers = ON", "secure_delete = ON")


class Snapshot:
    """One consistent view of the project, good until the `with` block that gave it ends."""

    def __init__(self, connection: Connection) -> None:
        self._open: Connection | None = connection

    @property
    def _connection(self) -> Connection:
        if self._open is None:
            raise RuntimeError("This snapshot or writer is used after its `with` block ended.")
        return self._open

    def _end(self) -> None:
        self._open = None


def uri(path: Path, mode: str) -> str:
    """SQLite's file URI for any path: blanks, `?`, non-ASCII letters, drive letters and network shares."""
    text = path.absolute().as_posix()
    return f"file://{quote(text if text.startswith('/') else '/' + text)}?{mode}"


def connect_plain(path: Path, mode: str, busy_timeout_ms: int) -> sqlite3.Connection:
    """A bare connection without a transaction begun by the driver, usable from any one thread at a time."""
    return sqlite3.connect(
        uri(path, mode),
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=busy_timeout_ms / 1000,
    )


def connect(path: Path, mode: str, busy_timeout_ms: int, *pragmas: str) -> sqlite3.Connection:
    """A bare connection that was told these pragmas."""
    connection = connect_plain(path, mode, busy_timeout_ms)
    try:
        for one in pragmas:
            connection.execute(f"PRAGMA {one}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def connect_writer(path: Path, busy_timeout_ms: int) -> sqlite3.Connection:
    """The one connection that writes, in write-ahead mode."""
    return connect(path, WRITABLE, busy_timeout_ms, "journal_mode = WAL", *PRAGMAS)


def writing_engine(writer: sqlite3.Connection) -> Engine:
    """Transactions over the one writing connection, which take the write lock at their start."""
    return _engine(lambda: writer, StaticPool, "BEGIN IMMEDIATE")


def reading_engine(path: Path, mode: str, busy_timeout_ms: int) -> Engine:
    """Pooled connections that cannot write, one for each thread that reads at the moment."""
    pragmas = (*PRAGMAS, "query_only = ON")
    return _engine(lambda: connect(path, mode, busy_timeout_ms, *pragmas), QueuePool, "BEGIN")


def migrating_engine(path: Path, busy_timeout_ms: int) -> Engine:
    """A connection that has the file to itself, foreign keys off: a rebuilt table must not take its children along."""
    pragmas = ("foreign_keys = OFF", "synchronous = FULL")
    return _engine(lambda: connect(path, WRITABLE, busy_timeout_ms, *pragmas), NullPool, "BEGIN EXCLUSIVE")


def _engine(creator: Callable[[], sqlite3.Connection], pool: type[Pool], begin: str) -> Engine:
    engine = create_engine("sqlite://", creator=creator, poolclass=pool)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def pragma(connection: Connection | sqlite3.Connection, name: str) -> Any:
    """The value of a pragma."""
    cursor: Any
    if isinstance(connection, Connection):
        cursor = connection.exec_driver_sql(f"PRAGMA {name}")
    else:
        cursor = connection.execute(f"PRAGMA {name}")
    row = cursor.fetchone()
    return None if row is None else row[0]
