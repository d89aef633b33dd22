"""A project's life in a window: opened once at a time, with its holder named; what a crash left behind is found.

The lease is a row of the project. A living holder is named in a sentence; a dead one means that the last window did not
close properly, and what it had kept is offered.
"""

from dataclasses import dataclass
from pathlib import Path

from models.store.processes import ProcessMark
from models.store.project import Project
from models.store.queries.questions import drafts
from models.store.queries.work import leases

LEASE = "window"


@dataclass(frozen=True, slots=True)
class Opened:
    """A project that this window holds.

    crashed: the last window ended without closing. drafts: questions with edits that were kept. cut_off: grading runs
    that ended with their process.
    """

    project: Project
    crashed: bool
    drafts: tuple[str, ...]
    cut_off: int


def open_project(path: Path, holder: str) -> Opened:
    """Open and hold a project; raises StoreError (LeaseHeld names who has it)."""
    project = Project.open(path)
    try:
        if project.read_only:
            return Opened(project, False, (), 0)
        with project.write() as writer:
            crashed = any(
                lease.name == LEASE and not ProcessMark(lease.pid, lease.process_created, lease.host).is_alive
                for lease in leases(writer)
            )
            writer.acquire_lease(LEASE, holder)
            cut_off = len(writer.mark_crashed_runs())
        with project.read() as snapshot:
            kept = tuple(row.question for row in drafts(snapshot))
    except BaseException:
        project.close()
        raise
    return Opened(project, crashed, kept, cut_off)


def close_project(project: Project) -> None:
    """Give the project back and close it."""
    if not project.read_only:
        with project.write() as writer:
            writer.release_lease(LEASE)
    project.close()
