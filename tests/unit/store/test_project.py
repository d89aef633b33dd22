"""A project as a file: made, opened, closed, copied, compacted, verified."""

import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from models.store import queries
from models.store.errors import FolderNotFound, OpenElsewhere, ProjectExists, ReadOnlyProject
from models.store.project import Project
from models.store.recognise import APPLICATION_ID
from models.store.records import NewResponse, RunStatus
from models.store.tables.guards import GUARDS
from models.store.upgrade import SHIPPED
from tests.unit.store.parts import Child, TickingClock, fill, filled


def everything(project: Project) -> list[object]:
    with project.read() as snapshot:
        return [
            queries.questions(snapshot, trash="all"),
            queries.current_versions(snapshot, trash="all"),
            queries.images(snapshot),
            queries.responses(snapshot, trash="all"),
            queries.verdicts(snapshot, trash="all"),
            queries.overrides(snapshot, trash="all"),
            queries.labels(snapshot, trash="all"),
            queries.rulers(snapshot),
            queries.settings(snapshot),
        ]


@pytest.mark.parametrize("name", ["ünï 問題 & co.gamut", "per%cent #1?.gamut", "plain.gamut", "no ending"])
def test_a_project_opens_again_with_what_was_stored_whatever_its_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "my folder ä" / name
    path.parent.mkdir()
    with Project.create(path, clock=TickingClock()) as project:
        with project.write() as writer:
            fill(writer, question="frage-ä 中")
        stored = everything(project)
    with Project.open(path) as project:
        assert everything(project) == stored
        assert project.verify() == []


def test_the_closed_file_alone_is_the_whole_project(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.gamut")
    assert [file.name for file in tmp_path.iterdir()] == ["a.gamut"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with Project.open(path) as first, Project.open(shutil.copy(path, elsewhere)) as second:
        assert everything(first) == everything(second)


def test_a_file_says_what_it_is_in_its_header(path: Path) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA user_version").fetchone() == (SHIPPED.schema,)
    connection.close()
    assert APPLICATION_ID.to_bytes(4, "big") == b"GAMT"


def test_a_new_project_is_named_after_its_file_unless_told_otherwise(tmp_path: Path) -> None:
    for given, name in ((None, "tea"), ("Tea and coffee", "Tea and coffee")):
        with Project.create(tmp_path / "tea.gamut", name=given) as project, project.read() as snapshot:
            assert queries.project_info(snapshot).name == name
        (tmp_path / "tea.gamut").unlink()


def test_a_new_project_takes_no_file_s_place_and_leaves_nothing_behind(tmp_path: Path, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(ProjectExists):
        Project.create(path)
    assert path.read_bytes() == before
    with pytest.raises(FolderNotFound):
        Project.create(tmp_path / "not" / "there.gamut")
    assert list(tmp_path.iterdir()) == [path]


def test_a_log_left_by_an_older_file_of_the_same_name_does_not_reach_a_new_project(tmp_path: Path) -> None:
    path = tmp_path / "a.gamut"
    with Project.create(path) as old:
        with old.write() as writer:
            fill(writer)
        log = (tmp_path / "a.gamut-wal").read_bytes()
    path.unlink()
    (tmp_path / "a.gamut-wal").write_bytes(log)
    with Project.create(path) as project, project.read() as snapshot:
        assert queries.questions(snapshot) == ()


def test_connections_keep_foreign_keys_and_the_write_ahead_log(project: Project) -> None:
    pragmas = {
        name: project._watch.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("foreign_keys", "journal_mode", "synchronous", "busy_timeout", "recursive_triggers")
    }
    assert pragmas == {
        "foreign_keys": 1,
        "journal_mode": "wal",
        "synchronous": 1,
        "busy_timeout": 5000,
        "recursive_triggers": 1,
    }


def test_what_fails_midway_leaves_nothing(project: Project) -> None:
    def break_off() -> None:
        with project.write() as writer:
            fill(writer)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    with project.read() as snapshot:
        assert queries.questions(snapshot) == ()
        assert queries.images(snapshot) == ()


def test_a_snapshot_stays_as_it_was_while_a_writer_goes_on(project: Project) -> None:
    with project.read() as snapshot:
        assert queries.questions(snapshot) == ()
        with project.write() as writer:
            fill(writer)
        assert queries.questions(snapshot) == ()
    with project.read() as later:
        assert len(queries.questions(later)) == 1


def test_a_reader_does_not_wait_for_a_writer(project: Project) -> None:
    with project.write() as writer:
        fill(writer)
        with project.read() as snapshot:
            assert queries.questions(snapshot) == ()
        assert len(queries.questions(writer)) == 1


def test_snapshots_and_writers_are_of_no_use_after_their_block(project: Project) -> None:
    with project.read() as snapshot:
        pass
    with project.write() as writer:
        pass
    for stale in (snapshot, writer):
        with pytest.raises(RuntimeError, match="after its `with` block ended"):
            queries.questions(stale)
    with project.write() as writer:  # the lock is free
        fill(writer)


def test_writing_inside_writing_and_use_after_closing_are_bugs_and_say_so(path: Path) -> None:
    project = Project.open(path)
    with project.write(), pytest.raises(RuntimeError, match="while it is writing"), project.write():
        pass
    project.close()
    project.close()
    with pytest.raises(RuntimeError, match="after it was closed"), project.read():
        pass


def test_two_threads_write_without_losing_anything(project: Project) -> None:
    def put(prefix: str) -> None:
        for n in range(20):
            with project.write() as writer:
                writer.put_question(f"{prefix}{n}", "{}", author=prefix)

    threads = [threading.Thread(target=put, args=(prefix,)) for prefix in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with project.read() as snapshot:
        rows = queries.questions(snapshot)
    assert {row.key for row in rows} == {f"{prefix}{n}" for prefix in "ab" for n in range(20)}
    assert [row.position for row in rows] == list(range(40))


def test_opened_for_reading_it_reads_and_does_not_write(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.gamut")
    before = path.read_bytes()
    with Project.open(path, read_only=True) as project:
        assert project.read_only
        assert len(everything(project)[0]) == 1  # type: ignore[arg-type]
        with pytest.raises(ReadOnlyProject), project.write():
            pass
    assert path.read_bytes() == before


def test_opened_for_reading_it_still_sees_what_another_process_writes(project: Project) -> None:
    with Project.open(project.path, read_only=True) as reader:
        assert not reader.changed_elsewhere()
        with project.write() as writer:
            fill(writer)
        assert reader.changed_elsewhere()
        with reader.read() as snapshot:
            assert len(queries.questions(snapshot)) == 1


def test_a_copy_holds_everything_and_nobody_is_at_work_in_it(tmp_path: Path, project: Project) -> None:
    with project.write() as writer:
        fill(writer)
        writer.acquire_lease("grade", "The window")
        run = writer.start_run("keyword")
    copy = tmp_path / "copy.gamut"
    copy.write_text("an older file")
    project.save_copy(copy)
    assert not (tmp_path / "copy.gamut-wal").exists()
    with Project.open(copy) as other:
        assert everything(other) == everything(project)
        with other.write() as writer:
            writer.acquire_lease("grade", "Another window")
            assert queries.run(writer, run).status is RunStatus.STOPPED  # type: ignore[union-attr]
    with project.read() as snapshot:
        assert queries.run(snapshot, run).status is RunStatus.RUNNING  # type: ignore[union-attr]


def test_a_copy_never_replaces_a_project_that_is_open(tmp_path: Path, project: Project) -> None:
    with pytest.raises(OpenElsewhere):
        project.save_copy(project.path)
    other = filled(tmp_path / "other.gamut")
    with Project.open(other) as opened:
        with opened.write() as writer:
            writer.set_setting("touched", 1)
        with pytest.raises(OpenElsewhere):
            project.save_copy(other)
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.startswith(".")) == []


def test_compacting_removes_images_that_nothing_shows_and_makes_the_file_smaller(project: Project) -> None:
    with project.write() as writer:
        kept = [
            writer.add_image(bytes([n]) * 50_000, mime="image/png", width=1, height=1, thumbnail=b"t") for n in range(3)
        ]
        writer.add_image(b"x" * 400_000, mime="image/png", width=1, height=1, thumbnail=b"t")
        writer.put_question("q", "{1}", author="ada", images=kept[:1])
        writer.put_question("q", "{2}", author="ada", images=kept[1:2])
        writer.save_draft("q", "{3}", author="ada", images=kept[2:])
    done = project.compact()
    assert done.images_removed == 1
    assert done.bytes_after < done.bytes_before - 400_000
    with project.read() as snapshot:
        assert {image.sha256 for image in queries.images(snapshot)} == set(kept)
    assert project.verify() == []


def test_images_of_a_question_go_once_it_has_left_the_trash(project: Project) -> None:
    with project.write() as writer:
        fill(writer)
        writer.trash_question("q1")
    assert project.compact().images_removed == 0
    with project.write() as writer:
        writer.empty_trash()
    assert project.compact().images_removed == 1


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("UPDATE image SET data = x'00'", "are not those it was stored with."),
        ("UPDATE response SET text = 'x'", "The text of response 1 (model m1) is not the one it was stored with."),
        ("UPDATE check_text SET text = 'x'", "The text of check 1 does not go with its key."),
        ("UPDATE ruler SET manifest = '{}'", "The manifest of ruler 1 does not go with its digest."),
        ("UPDATE question_version SET doc = 'x'", "Version 1 of question q1 is not the document it was stored with."),
        ("UPDATE question_draft SET doc = 'x'", "The draft of question q1 is not the document it was stored with."),
        ("DELETE FROM ruler", "Row 1 of verdict refers to a row of ruler that is not there."),
        (
            "INSERT INTO verdict (response_id, check_text_id, ruler_id, input_key, outcome, created_at)"
            " VALUES (1, 1, 1, 'k', 'failed', '');"
            " INSERT INTO rationale (verdict_id, text, created_at) VALUES (2, 'x', '')",
            "Rationale 1 explains row 2 of verdict, where the judge gave none.",
        ),
        ("INSERT INTO rationale (verdict_id, text, created_at) VALUES (9, 'x', '')", "Row 1 of rationale refers to"),
        ("PRAGMA user_version = 0", f"The schema number is 0, not {SHIPPED.schema}."),
        ("UPDATE response SET text = CAST(x'ff' AS TEXT)", "is damaged: part of it is missing or was overwritten."),
        ("SELECT 1", "The trigger verdict_stays_as_it_is, which keeps history as it is, is missing."),
    ],
)
def test_verify_names_what_is_wrong(project: Project, damage: str, sentence: str) -> None:
    with project.write() as writer:
        fill(writer)
        writer.save_draft("q1", "{}", author="ada")
    assert project.verify() == []
    outsider = sqlite3.connect(project.path, isolation_level=None)
    for guard in GUARDS:
        outsider.execute(f"DROP TRIGGER {guard}")
    outsider.executescript(damage)
    if damage != "SELECT 1":
        for statement in GUARDS.values():
            outsider.execute(statement)
    outsider.close()
    problems = project.verify()
    assert any(sentence in problem for problem in problems), problems
    assert damage == "SELECT 1" or len(problems) == 1


WRITES_UNTIL_KILLED = """
import sys
from models.store.project import Project
from models.store.records import NewResponse
project = Project.open(sys.argv[1])
n = 0
while True:
    n += 1
    with project.write() as w:
        w.put_question(f"q{n}", "{}" * 500, author="child")
        if n == int(sys.argv[2]):
            print("middle", flush=True)
            sys.stdin.readline()
        w.add_responses([NewResponse(f"q{n}", f"m{k}", "text " * 200) for k in range(3)])
    print(n, flush=True)
"""


@pytest.mark.parametrize(("stop_inside", "kill_after"), [(4, "middle"), (0, "1"), (0, "30")])
def test_a_killed_process_leaves_whole_transactions_only(path: Path, stop_inside: int, kill_after: str) -> None:
    with Child(WRITES_UNTIL_KILLED, path, stop_inside) as child:
        while (line := child.line()) != kill_after:
            assert line
        child.kill()
    with Project.open(path) as project:
        assert project.verify() == []
        with project.read() as snapshot:
            keys = [row.key for row in queries.questions(snapshot)]
            counts = {key: len(queries.responses(snapshot, question=key)) for key in keys}
    done = stop_inside - 1 if stop_inside else int(kill_after)
    assert len(keys) == done if stop_inside else len(keys) >= done
    assert set(counts.values()) == {3}
    assert [file.name for file in path.parent.iterdir()] == [path.name]


WRITES_WHEN_TOLD = """
import sys
from models.store.project import Project
project = Project.open(sys.argv[1])
print("open", flush=True)
for turn, _ in enumerate(sys.stdin):
    with project.write() as w:
        w.set_setting("turn", turn)
    print("written", flush=True)
project.close()
"""


def test_two_processes_hold_one_project_and_each_sees_the_other_s_changes(project: Project) -> None:
    with Child(WRITES_WHEN_TOLD, project.path) as child:
        assert child.line() == "open"
        with project.write() as writer:
            fill(writer)
        assert not project.changed_elsewhere()  # its own change is none
        child.go_on()
        assert child.line() == "written"
        assert project.changed_elsewhere()
        assert not project.changed_elsewhere()
        with project.read() as snapshot:
            assert queries.setting(snapshot, "turn") == 0
        child.go_on()
        assert child.line() == "written"
        with project.write() as writer:  # writing in between does not swallow the news
            writer.add_response(NewResponse("q1", "m2", "text"))
            assert not project.changed_elsewhere()
        assert project.changed_elsewhere()
        child.end()
    assert project.path.with_name("kitchen.gamut-wal").exists()  # the child was not the last to close
    project.close()
    assert [file.name for file in project.path.parent.iterdir()] == ["kitchen.gamut"]
