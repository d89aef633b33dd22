"""Runs, leases, settings."""

import pytest

from models.store import queries
from models.store.errors import LeaseHeld, UnknownRow
from models.store.processes import ProcessMark, this_process
from models.store.project import Project
from models.store.records import RunStatus
from tests.unit.store.parts import RULER, Child

HOLDS_A_LEASE = """
import sys
from models.store.project import Project
project = Project.open(sys.argv[1])
with project.write() as w:
    w.acquire_lease("grade", "The command line")
    w.start_run("keyword")
print("held", flush=True)
sys.stdin.readline()
with project.write() as w:
    w.release_lease("grade")
print("released", flush=True)
sys.stdin.readline()
"""


def test_a_run_is_noted_from_its_start_to_its_end(project: Project) -> None:
    with project.write() as writer:
        run = writer.start_run("keyword", manifest='{"seed":1}')
        (row,) = queries.runs(writer)
        me = this_process()
        assert (row.judge, row.status, row.pid, row.host, row.ruler_id, row.finished_at) == (
            "keyword", RunStatus.RUNNING, me.pid, me.host, None, None,
        )  # fmt: skip
        ruler = writer.ensure_ruler(RULER)
        writer.finish_run(run, RunStatus.DONE, ruler_id=ruler, manifest='{"seed":1,"checks":4}')
        done = queries.run(writer, run)
        assert done is not None
        assert (done.status, done.ruler_id, done.manifest) == (RunStatus.DONE, ruler, '{"seed":1,"checks":4}')
        assert done.finished_at is not None
        assert done.started_at < done.finished_at
        assert queries.runs(writer, judge="other") == ()
        with pytest.raises(UnknownRow, match="no run 99"):
            writer.finish_run(99, RunStatus.DONE)


def test_a_lease_is_held_by_a_living_process_and_named_in_the_refusal(project: Project) -> None:
    with Child(HOLDS_A_LEASE, project.path) as child:
        assert child.line() == "held"
        with pytest.raises(LeaseHeld) as refused, project.write() as writer:
            writer.acquire_lease("grade", "The window")
        with project.read() as snapshot:
            (lease,) = queries.leases(snapshot)
        assert refused.value.sentence == (
            f"The command line is at work on this project (process {child.process.pid}, since {lease.since})."
        )
        assert refused.value.next_step == "Wait until it is done, or stop it."
        with project.write() as writer:
            writer.acquire_lease("import", "The window")  # other work is free
            assert not writer.release_lease("grade")  # not ours to give back
            assert writer.mark_crashed_runs() == ()
        child.go_on()
        assert child.line() == "released"
        with project.write() as writer:
            writer.acquire_lease("grade", "The window")


def test_the_lease_and_the_run_of_a_killed_process_are_taken_care_of(project: Project) -> None:
    with Child(HOLDS_A_LEASE, project.path) as child:
        assert child.line() == "held"
        child.kill()
    with project.write() as writer:
        writer.acquire_lease("grade", "The window")
        assert [(lease.holder, lease.pid) for lease in queries.leases(writer)] == [("The window", this_process().pid)]
        mine = writer.start_run("keyword")
        assert writer.mark_crashed_runs() == (1,)
        assert [(run.id, run.status) for run in queries.runs(writer)] == [
            (1, RunStatus.CRASHED),
            (mine, RunStatus.RUNNING),
        ]


def test_a_process_does_not_take_its_own_lease_twice(project: Project) -> None:
    with project.write() as writer:
        writer.acquire_lease("grade", "The window")
        with pytest.raises(LeaseHeld, match="The window is at work"):
            writer.acquire_lease("grade", "The window")
        assert writer.release_lease("grade")
        writer.acquire_lease("grade", "The window")


def test_a_lease_from_another_computer_is_taken_over_only_on_request(project: Project) -> None:
    with project.write() as writer:
        writer._me = lambda: ProcessMark(1, 0.0, "attic")
        writer.acquire_lease("grade", "The window")
    with project.write() as writer:
        with pytest.raises(LeaseHeld) as refused:
            writer.acquire_lease("grade", "The command line")
        assert "(process 1 on attic, since 2025-01-01T00:00:01.000Z)" in refused.value.sentence
        assert refused.value.next_step == "Stop it there; if that computer is gone, take the work over."
        assert writer.mark_crashed_runs() == ()
        writer.acquire_lease("grade", "The command line", take_over=True)
        assert [lease.holder for lease in queries.leases(writer)] == ["The command line"]


def test_a_reused_pid_is_told_apart_by_its_birth() -> None:
    me = this_process()
    assert me.is_alive
    assert me.is_me
    assert not ProcessMark(me.pid, me.created - 60, me.host).is_alive


def test_settings_hold_json_values_and_none_removes_one(project: Project) -> None:
    with project.write() as writer:
        writer.set_setting("judge", {"id": "keyword", "seeds": [1, 2.5, None, "ä"]})
        writer.set_setting("theme", "dark")
        writer.set_setting("theme", "light")
        assert queries.settings(writer) == {
            "judge": {"id": "keyword", "seeds": [1, 2.5, None, "ä"]},
            "theme": "light",
        }
        writer.set_setting("theme", None)
        assert queries.setting(writer, "theme") is None
        assert queries.setting(writer, "theme", "system") == "system"


def test_a_project_can_be_renamed(project: Project) -> None:
    with project.write() as writer:
        assert queries.project_info(writer).name == "Kitchen"
        writer.rename_project("Küche")
        assert queries.project_info(writer).name == "Küche"
