"""A project is one SQLite file: made, opened, read, written, copied and closed here.

While it is open it is in write-ahead mode, so that a window reads while a worker writes and a second process may hold
it too; after the last close the one file is the whole project again.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine, insert
from sqlalchemy.exc import DBAPIError, NoResultFound

from models.store import maintenance
from models.store.clock import Clock, stamp, utc_now
from models.store.connect import (
    IMMUTABLE,
    READ_ONLY,
    WRITABLE,
    Snapshot,
    connect_plain,
    connect_writer,
    pragma,
    reading_engine,
    writing_engine,
)
from models.store.errors import (
    CorruptProject,
    FolderNotFound,
    IsAFolder,
    NewerProject,
    OlderReadOnlyProject,
    ProjectExists,
    ReadOnlyProject,
    UnfinishedElsewhere,
)
from models.store.files import beside, publish_new
from models.store.processes import ProcessMark
from models.store.queries.status import project_info
from models.store.recognise import SIDECARS, recognise, sidecar, unfinished
from models.store.records import Compacted
from models.store.tables import PROJECT
from models.store.translate import is_busy, sqlite_code, translating
from models.store.upgrade import SHIPPED, Migrations, bring_up_to_date, build
from models.store.writer import Writer

BUSY_TIMEOUT_MS = 5000
CANNOT_WRITE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


class Project:
    """An open project. Reading and writing are safe from any thread; use `create` or `open` to get one.

    path: the file. read_only: it cannot be written, because of where it lies or because that was asked for.
    backup: the copy that was made because opening it upgraded its format; None if it did not.
    """

    def __init__(
        self, path: Path, mode: str, *, busy_timeout_ms: int, clock: Clock, schema: int, backup: Path | None
    ) -> None:
        self.path = path
        self.read_only = mode != WRITABLE
        self.backup = backup
        self._mode = mode
        self._busy_timeout_ms = busy_timeout_ms
        self._clock = clock
        self._schema = schema
        self._closed = False
        self._lock = threading.Lock()
        self._writing_thread: int | None = None
        # The writing connection does not count its own commits as changes, so it is the one that watches for others'.
        self._watch: sqlite3.Connection
        self._writing: Engine | None = None
        if self.read_only:
            self._watch = connect_plain(path, mode, busy_timeout_ms)
        else:
            self._watch = connect_writer(path, busy_timeout_ms)
            self._writing = writing_engine(self._watch)
        self._reading = reading_engine(path, mode, busy_timeout_ms)
        try:
            self._seen: int = pragma(self._watch, "data_version")
            self._look()
        except BaseException:
            self._let_go()
            raise

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        name: str | None = None,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        clock: Clock = utc_now,
        migrations: Migrations = SHIPPED,
    ) -> Self:
        """Make a new, empty project and open it. `name` is the file's name without its ending unless given.

        Raises ProjectExists, IsAFolder, FolderNotFound, FolderNotWritable, DiskFull. Nothing is left behind on failure.
        """
        target = Path(path)
        if target.is_dir():
            raise IsAFolder(target)
        if target.exists():
            raise ProjectExists(target)
        if not target.parent.is_dir():
            raise FolderNotFound(target.parent)
        row = {"id": 1, "name": target.stem if name is None else name, "created_at": stamp(clock)}

        def fill(connection: Connection) -> None:
            connection.execute(insert(PROJECT), row)

        with translating(target, files=True), beside(target) as made:
            build(made, migrations, fill)
            for end in (*SIDECARS, "-shm"):  # of an older file of this name; SQLite would replay them into this one
                sidecar(target, end).unlink(missing_ok=True)
            try:
                publish_new(made, target)
            except FileExistsError as error:
                raise ProjectExists(target) from error
        return cls.open(target, busy_timeout_ms=busy_timeout_ms, clock=clock, migrations=migrations)

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        read_only: bool = False,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        clock: Clock = utc_now,
        migrations: Migrations = SHIPPED,
    ) -> Self:
        """Open a project; an older format is upgraded first, after a backup beside the file.

        In a place that cannot be written it opens for reading, and `read_only` says so. Raises the StoreErrors of
        `recognise`, NewerProject, OlderReadOnlyProject, BackupFailed, UpgradeFailed, OpenElsewhere, ProjectLocked,
        UnfinishedElsewhere.
        """
        file = Path(path)
        found, schema = recognise(file).schema, migrations.schema
        if found > schema:
            raise NewerProject(file, found, schema)
        mode = _mode(file, read_only)
        backup = None
        if found < schema:
            if mode != WRITABLE:
                raise OlderReadOnlyProject(file, found, schema)
            backup = bring_up_to_date(file, found, migrations, busy_timeout_ms)
        with translating(file, lambda: _holder(file)):
            try:
                return cls(file, mode, busy_timeout_ms=busy_timeout_ms, clock=clock, schema=schema, backup=backup)
            except (sqlite3.Error, DBAPIError) as error:
                if sqlite_code(error) not in CANNOT_WRITE:
                    raise
                if unfinished(file):
                    raise UnfinishedElsewhere(file) from error
                return cls(file, IMMUTABLE, busy_timeout_ms=busy_timeout_ms, clock=clock, schema=schema, backup=backup)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def read(self) -> Iterator[Snapshot]:
        """A consistent view for the functions of `queries`; keep the block short. Writers go on meanwhile."""
        self._require_open()
        with translating(self.path, self._who), self._reading.connect() as connection:
            connection.begin()  # and never committed: there is nothing to commit
            snapshot = Snapshot(connection)
            try:
                yield snapshot
            finally:
                snapshot._end()

    @contextmanager
    def write(self) -> Iterator[Writer]:
        """The writer; what is done in the block is stored whole at its end, or not at all if it raises.

        Threads of this process wait for each other. Raises ProjectLocked if another process keeps the lock too long,
        ReadOnlyProject, DiskFull.
        """
        self._require_open()
        if self._writing is None:
            raise ReadOnlyProject(self.path)
        with (
            self._alone(),
            translating(self.path, self._who),
            self._writing.connect() as connection,
            connection.begin(),
        ):
            writer = Writer(connection, self._clock)
            try:
                yield writer
            finally:
                writer._end()

    def changed_elsewhere(self) -> bool:
        """Whether another process has changed the project since this was last asked (or since it was opened).

        Never waits: while a thread of this process is writing it says False, and the change is told the next time.
        """
        self._require_open()
        if not self._lock.acquire(blocking=False):
            return False
        try:
            with translating(self.path, self._who):
                now: int = pragma(self._watch, "data_version")
        finally:
            self._lock.release()
        changed, self._seen = now != self._seen, now
        return changed

    def save_copy(self, path: str | os.PathLike[str]) -> None:
        """Write the whole project to another file, which appears, or replaces one, only when it is complete.

        Raises OpenElsewhere if that file is this project or is open somewhere, FolderNotFound, IsAFolder, DiskFull.
        """
        self._require_open()
        maintenance.save_copy(
            self.path, lambda: connect_plain(self.path, self._mode, self._busy_timeout_ms), Path(path)
        )

    def compact(self) -> Compacted:
        """Remove images that no version and no draft shows, and give the room of all that was removed back."""
        before = maintenance.size_with_log(self.path)
        with self.write() as writer:
            removed = maintenance.remove_unused_images(writer)
        with self._alone(), translating(self.path, self._who):
            maintenance.vacuum(self._watch)
        return Compacted(before, maintenance.size_with_log(self.path), removed)

    def verify(self) -> list[str]:
        """Sentences about everything in the file that is not as it should be; empty if all is well. Reads all of it."""
        with self.read() as snapshot:
            return maintenance.verify(self.path, snapshot, self._schema)

    def close(self) -> None:
        """Let the file go. If nobody else has it open, it holds everything by itself from then on."""
        if self._closed:
            return
        with self._alone(), translating(self.path):
            self._closed = True
            self._let_go()
            if self.read_only:
                return
            with closing(connect_plain(self.path, WRITABLE, 0)) as last:
                try:
                    last.execute("PRAGMA journal_mode = DELETE")
                except sqlite3.OperationalError as error:
                    if not is_busy(error):  # another process has it open, and will do this when it closes
                        raise

    def _look(self) -> None:
        """Touch the file, so that damage is met at opening and not later."""
        try:
            with self._reading.connect() as connection:
                connection.begin()
                project_info(Snapshot(connection))
        except (NoResultFound, DBAPIError) as error:
            if isinstance(error, NoResultFound) or sqlite_code(error) == sqlite3.SQLITE_ERROR:
                raise CorruptProject(self.path) from error
            raise

    def _let_go(self) -> None:
        self._reading.dispose()
        if self._writing is not None:
            self._writing.dispose()
        self._watch.close()

    def _require_open(self) -> None:
        if self._closed:
            raise RuntimeError(f"{self.path} is used after it was closed.")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        me = threading.get_ident()
        if self._writing_thread == me:
            raise RuntimeError("A thread cannot begin to write, or close the project, while it is writing.")
        with self._lock:
            self._require_open()  # it may have been closed while we waited
            self._writing_thread = me
            try:
                yield
            finally:
                self._writing_thread = None

    def _who(self) -> str | None:
        return _holder(self.path)


def _mode(path: Path, read_only: bool) -> str:
    """How to open: to write; for reading where others may write; or as a file that cannot change."""
    if os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK):
        return READ_ONLY if read_only else WRITABLE
    return READ_ONLY if unfinished(path) else IMMUTABLE


def _holder(path: Path) -> str | None:
    """Who, according to the leases, is at work on the project; None if they do not tell."""
    try:
        with closing(connect_plain(path, READ_ONLY, 0)) as connection:
            rows = connection.execute("SELECT holder, pid, process_created, host FROM lease ORDER BY since").fetchall()
    except sqlite3.Error:
        return None
    for holder, pid, created, host in rows:
        mark = ProcessMark(pid, created, host)
        if mark.is_alive and not mark.is_me:
            return f"{holder} (process {pid})"
    return None
