"""Making a new file and bringing an older one up to date: both are the same numbered migrations.

A migration runs alone on the file, with foreign keys off, in one transaction, after a backup beside the file; if it
fails, the file holds what it held before. Alembic is imported only when there is something to run.
"""

import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from models.store.connect import WRITABLE, connect_plain, migrating_engine, pragma
from models.store.errors import BackupFailed, NewerProject, OpenElsewhere, UpgradeFailed
from models.store.files import beside, publish_new
from models.store.recognise import APPLICATION_ID, recognise
from models.store.tables.guards import GUARDS
from models.store.translate import is_busy, told, translating

_ALEMBIC = threading.Lock()  # its context is a module global


@dataclass(frozen=True, slots=True)
class Migrations:
    """A folder of scripts named NNNN_what.py, each of which leads from the schema before it to NNNN."""

    folder: Path

    @property
    def schema(self) -> int:
        """The number that the last script leads to."""
        return max(int(script.name[:4]) for script in self.folder.glob("[0-9][0-9][0-9][0-9]_*.py*"))


HOME = Path(__file__).with_name("migrations")
SHIPPED = Migrations(HOME / "versions")


class OrphanRows(Exception):
    """A migration left rows that refer to nothing: a bug in it."""


def build(path: Path, migrations: Migrations, fill: Callable[[Connection], None]) -> None:
    """Make an empty project of the newest schema at `path`, which must not exist; `fill` writes its first rows."""
    with closing(sqlite3.connect(path)):
        pass
    _migrate(path, migrations, 5000, fill)


def bring_up_to_date(path: Path, found: int, migrations: Migrations, busy_timeout_ms: int) -> Path:
    """Upgrade the file at `path` from schema `found`; returns the backup made before.

    Raises NewerProject, OpenElsewhere, BackupFailed, UpgradeFailed, or what SQLite met (a full disk).
    """
    if found > migrations.schema:
        raise NewerProject(path, found, migrations.schema)
    with translating(path):
        _settle_journal(path, busy_timeout_ms)
    backup = _back_up(path, found, busy_timeout_ms)
    before = recognise(path).change_counter
    try:
        _migrate(path, migrations, busy_timeout_ms, lambda connection: None)
    except Exception as error:
        _put_back(path, backup, before, busy_timeout_ms)
        raise told(error, path) or UpgradeFailed(path, backup) from error
    return backup


def _settle_journal(path: Path, busy_timeout_ms: int) -> None:
    """Everything into the one file; SQLite grants that only where nobody else has it open."""
    with closing(connect_plain(path, WRITABLE, busy_timeout_ms)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError as error:
            if is_busy(error):
                raise OpenElsewhere(path, "upgraded") from error
            raise


def _back_up(path: Path, found: int, busy_timeout_ms: int) -> Path:
    first = path.with_name(f"{path.name}.backup-{found:04d}")
    try:
        with beside(first) as made:
            with (
                closing(connect_plain(path, WRITABLE, busy_timeout_ms)) as source,
                closing(sqlite3.connect(made)) as copy,
            ):
                source.backup(copy)
            shutil.copymode(path, made)
            return _publish_numbered(made, first)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(path, str(error).lower()) from error


def _publish_numbered(made: Path, first: Path) -> Path:
    """The first free name of first, first-2, first-3 ...: an older backup is never overwritten."""
    name, n = first, 1
    while True:
        try:
            publish_new(made, name)
        except FileExistsError:
            n += 1
            name = first.with_name(f"{first.name}-{n}")
        else:
            return name


def _put_back(path: Path, backup: Path, before: int, busy_timeout_ms: int) -> None:
    """The transaction was rolled back; only a script that committed by itself has left anything to undo."""
    if recognise(path).change_counter == before:
        return
    with closing(sqlite3.connect(backup)) as source, closing(connect_plain(path, WRITABLE, busy_timeout_ms)) as target:
        source.backup(target)


def _migrate(path: Path, migrations: Migrations, busy_timeout_ms: int, fill: Callable[[Connection], None]) -> None:
    engine = migrating_engine(path, busy_timeout_ms)
    try:
        with engine.connect() as connection, connection.begin():
            for guard in _guards_present(connection):
                connection.exec_driver_sql(f"DROP TRIGGER {guard}")
            _run_scripts(connection, migrations)
            for statement in GUARDS.values():
                connection.exec_driver_sql(statement)
            fill(connection)
            orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
            if orphans:
                raise OrphanRows(f"{len(orphans)} rows refer to nothing, the first: {orphans[0]!r}")
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.exec_driver_sql(f"PRAGMA user_version = {migrations.schema}")
    finally:
        engine.dispose()


def _guards_present(connection: Connection) -> list[str]:
    return list(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").scalars())


def missing_guards(connection: Connection) -> list[str]:
    """Names of the triggers that should keep history and are not in the file."""
    return sorted(GUARDS.keys() - set(_guards_present(connection)))


def _run_scripts(connection: Connection, migrations: Migrations) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", _escaped(HOME))
    config.set_main_option("version_locations", _escaped(migrations.folder))
    config.set_main_option("path_separator", "newline")
    config.attributes["connection"] = connection
    with _ALEMBIC:
        command.upgrade(config, "head")


def _escaped(path: Path) -> str:
    return str(path).replace("%", "%%")


def schema_of(connection: Connection) -> int:
    """The number of the schema that the open file says it has."""
    return int(pragma(connection, "user_version"))
