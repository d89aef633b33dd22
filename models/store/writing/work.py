"""Writing what goes on around verdicts: runs, leases and settings.

A lease says that one process does a piece of work; one whose process is gone is taken over without a question.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from models.provenance import canonical_json
from models.store.clock import Clock
from models.store.errors import LeaseHeld, UnknownRow
from models.store.processes import ProcessMark, this_process
from models.store.records import RunStatus
from models.store.tables import LEASE, PROJECT, RUN, SETTING
from models.store.writing.base import Writing


class WorkWrites(Writing):
    """Runs, leases, settings, the project's name."""

    def __init__(self, connection: Connection, clock: Clock, me: Callable[[], ProcessMark] = this_process) -> None:
        super().__init__(connection, clock)
        self._me = me

    def start_run(self, judge: str, *, ruler_id: int | None = None, manifest: str = "{}") -> int:
        """Note that this process begins a run; returns its id."""
        me = self._me()
        done = self._connection.execute(
            insert(RUN).values(
                judge=judge,
                ruler_id=ruler_id,
                status=RunStatus.RUNNING.value,
                started_at=self._now(),
                pid=me.pid,
                process_created=me.created,
                host=me.host,
                manifest=manifest,
            )
        )
        return done.lastrowid

    def finish_run(
        self, run_id: int, status: RunStatus, *, ruler_id: int | None = None, manifest: str | None = None
    ) -> None:
        """Note how a run ended, and what became known on the way. Raises UnknownRow."""
        values: dict[str, Any] = {"status": status.value, "finished_at": self._now()}
        if ruler_id is not None:
            values["ruler_id"] = ruler_id
        if manifest is not None:
            values["manifest"] = manifest
        if not self._connection.execute(update(RUN).where(RUN.c.id == run_id).values(values)).rowcount:
            raise UnknownRow(f"no run {run_id}")

    def mark_crashed_runs(self) -> tuple[int, ...]:
        """Mark runs that say "running" but whose process on this computer is gone; returns their ids."""
        running = self._connection.execute(
            select(RUN.c.id, RUN.c.pid, RUN.c.process_created, RUN.c.host).where(
                RUN.c.status == RunStatus.RUNNING.value
            )
        ).all()
        dead = tuple(id_ for id_, pid, created, host in running if not ProcessMark(pid, created, host).is_alive)
        for id_ in dead:
            self.finish_run(id_, RunStatus.CRASHED)
        return dead

    def acquire_lease(self, name: str, holder: str, *, take_over: bool = False) -> None:
        """Hold a piece of work, e.g. "grade". `holder` says who, as a sentence begins: "The window on Ada's laptop".

        Raises LeaseHeld while a living process, this one included, holds it. take_over: take it even so, for a holder
        on another computer that nobody here can look at.
        """
        held = self._connection.execute(select(LEASE).where(LEASE.c.name == name)).one_or_none()
        if held is not None:
            mark = ProcessMark(held.pid, held.process_created, held.host)
            if mark.is_alive and not take_over:
                raise LeaseHeld(held.holder, held.pid, held.host, held.since, here=mark.is_here)
            self._connection.execute(delete(LEASE).where(LEASE.c.name == name))
        me = self._me()
        self._connection.execute(
            insert(LEASE).values(
                name=name,
                holder=holder,
                pid=me.pid,
                process_created=me.created,
                host=me.host,
                since=self._now(),
            )
        )

    def release_lease(self, name: str) -> bool:
        """Give a piece of work back; False if this process does not hold it (any more)."""
        me = self._me()
        mine = (LEASE.c.name == name, LEASE.c.pid == me.pid, LEASE.c.host == me.host)
        return self._connection.execute(delete(LEASE).where(*mine)).rowcount > 0

    def set_setting(self, name: str, value: Any) -> None:
        """Store a JSON value under a name; None removes it."""
        if value is None:
            self._connection.execute(delete(SETTING).where(SETTING.c.name == name))
            return
        row = {"name": name, "value": canonical_json(value)}
        statement = sqlite_insert(SETTING).values(row)
        self._connection.execute(
            statement.on_conflict_do_update(index_elements=["name"], set_={"value": statement.excluded.value})
        )

    def rename_project(self, name: str) -> None:
        """Change the project's own name (not its file's)."""
        self._connection.execute(update(PROJECT).values(name=name))
