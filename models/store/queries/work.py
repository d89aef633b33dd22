"""Reading rulers, runs and leases."""

from sqlalchemy import ColumnElement, select

from models.store.connect import Snapshot
from models.store.queries.common import connection_of
from models.store.records import LeaseRow, RulerRow, RunRow, RunStatus
from models.store.tables import LEASE, RULER, RUN


def rulers(snapshot: Snapshot, *, judge: str | None = None) -> tuple[RulerRow, ...]:
    """Rulers, newest last."""
    c = RULER.c
    statement = select(c.id, c.judge, c.digest, c.manifest).order_by(c.id)
    if judge is not None:
        statement = statement.where(c.judge == judge)
    return tuple(RulerRow(*row) for row in connection_of(snapshot).execute(statement))


def runs(snapshot: Snapshot, *, judge: str | None = None) -> tuple[RunRow, ...]:
    """Runs, newest last."""
    return _runs(snapshot, *(() if judge is None else (RUN.c.judge == judge,)))


def run(snapshot: Snapshot, run_id: int) -> RunRow | None:
    """The run with this id."""
    return next(iter(_runs(snapshot, RUN.c.id == run_id)), None)


def leases(snapshot: Snapshot) -> tuple[LeaseRow, ...]:
    """Who holds what, by name; a holder may be gone (see `processes.ProcessMark`)."""
    c = LEASE.c
    statement = select(c.name, c.holder, c.pid, c.process_created, c.host, c.since).order_by(c.name)
    return tuple(LeaseRow(*row) for row in connection_of(snapshot).execute(statement))


def _runs(snapshot: Snapshot, *where: ColumnElement[bool]) -> tuple[RunRow, ...]:
    c = RUN.c
    statement = (
        select(c.id, c.judge, c.ruler_id, c.status, c.started_at, c.finished_at, c.pid, c.host, c.manifest)
        .where(*where)
        .order_by(c.id)
    )
    return tuple(
        RunRow(id_, judge, ruler_id, RunStatus(status), *rest)
        for id_, judge, ruler_id, status, *rest in connection_of(snapshot).execute(statement)
    )
