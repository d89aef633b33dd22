"""Every sentence of `models.store.errors`, met in a real file, a real process, a real shortage of room."""

import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from models.errors import GamutError
from models.store import errors, queries
from models.store.project import Project
from models.store.records import NewResponse
from models.store.upgrade import SHIPPED
from tests.unit.store.parts import AS_NOBODY, Child, fill, filled, public_folder

LONG = "word " * 200_000


def told(path: Path) -> tuple[type[GamutError], str]:
    with pytest.raises(GamutError) as caught:
        Project.open(path, busy_timeout_ms=10)
    return type(caught.value), str(caught.value)


def test_a_missing_file(tmp_path: Path) -> None:
    for path in (tmp_path / "no.gamut", tmp_path / "no folder" / "no.gamut"):
        assert told(path) == (
            errors.ProjectNotFound,
            f"There is no project at {path}. Check the name, or make one with `gamut new`.",
        )
    assert list(tmp_path.iterdir()) == []


def test_a_file_where_a_folder_should_be(path: Path) -> None:
    assert told(path / "x.gamut")[0] is errors.ProjectNotFound


def test_a_file_that_exists_already(path: Path) -> None:
    with pytest.raises(errors.ProjectExists) as caught:
        Project.create(path)
    assert str(caught.value) == f"{path} already exists. Open it, or choose another name."


def test_a_folder(tmp_path: Path, project: Project) -> None:
    sentence = f"{tmp_path} is a folder, not a project. Choose the .gamut file inside it."
    assert told(tmp_path) == (errors.IsAFolder, sentence)
    for act in (Project.create, project.save_copy):
        with pytest.raises(errors.IsAFolder) as caught:
            act(tmp_path)
        assert str(caught.value) == sentence


def test_a_folder_that_is_not_there(tmp_path: Path, project: Project) -> None:
    for act in (Project.create, project.save_copy):
        with pytest.raises(errors.FolderNotFound) as caught:
            act(tmp_path / "no" / "a.gamut")
        assert (
            str(caught.value)
            == f"There is no folder {tmp_path / 'no'}. Make the folder first, or choose another place."
        )


@pytest.mark.parametrize("content", [b"id: coffee-01\n", b"\x89PNG\r\n", b"x", b"SQLite format 2" * 20])
def test_any_other_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.gamut"
    path.write_bytes(content)
    assert told(path) == (
        errors.NotAProject,
        f"{path} is not a Gamut project. Choose a .gamut file; other files come in with `gamut import`.",
    )
    assert path.read_bytes() == content


def test_another_program_s_database(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE project (name)")
    before = path.read_bytes()
    assert told(path) == (
        errors.NotAProject,
        f"{path} is another program's database, not a Gamut project."
        " Choose a .gamut file; other files come in with `gamut import`.",
    )
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["places.sqlite"]


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.gamut"
    path.touch()
    assert told(path) == (
        errors.EmptyFile,
        f"{path} is empty. Copy it again from where it came, or delete it and start a new project.",
    )


def damaged(path: Path) -> tuple[type[GamutError], str]:
    return (
        errors.CorruptProject,
        f"{path} is damaged: part of it is missing or was overwritten."
        " Go back to a copy or to a .backup file beside it; `sqlite3 FILE .recover` may save the rest.",
    )


@pytest.mark.parametrize("keep", [50, 100, 4096, 4096 * 5 + 7, -1])
def test_a_truncated_file(path: Path, keep: int) -> None:
    path.write_bytes(path.read_bytes()[:keep])
    assert told(path) == damaged(path)


@pytest.mark.parametrize(("start", "end"), [(100, 4096), (16, 24), (100, None)])
def test_a_garbled_file(path: Path, start: int, end: int | None) -> None:
    data = bytearray(path.read_bytes())
    data[start:end] = b"\xa5" * len(data[start:end])
    if start == 16:
        struct.pack_into(">II", data, 24, 1, 1)
    path.write_bytes(data)
    assert told(path) == damaged(path)


def test_a_project_without_its_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE project")
    assert told(path) == damaged(path)


def test_damage_met_later_is_the_same_sentence(path: Path) -> None:
    with Project.open(path) as project, project.write() as writer:
        fill(writer)
        writer.add_response(NewResponse("q1", "m2", LONG))
    data = bytearray(path.read_bytes())
    page = (data.index(b"word word") // 4096 + 40) * 4096
    data[page : page + 5 * 4096] = b"\xff" * (5 * 4096)
    path.write_bytes(data)
    with Project.open(path) as project:
        with pytest.raises(errors.CorruptProject) as caught, project.read() as snapshot:
            queries.responses(snapshot)
        assert (type(caught.value), str(caught.value)) == damaged(path)
        assert any(problem.startswith(("SQLite reports: ", f"{path} is damaged")) for problem in project.verify())


HOLDS_THE_LOCK = """
import sqlite3, sys
from models.store.project import Project
project = Project.open(sys.argv[1])
if sys.argv[2]:
    with project.write() as w:
        w.acquire_lease("grade", sys.argv[2])
with project.write() as w:
    print("locked", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.parametrize("holder", ["", "The command line, grading"])
def test_a_writer_that_another_process_keeps_waiting(path: Path, holder: str) -> None:
    with Child(HOLDS_THE_LOCK, path, holder) as child:
        assert child.line() == "locked"
        with Project.open(path, busy_timeout_ms=10) as project:
            with pytest.raises(errors.ProjectLocked) as caught, project.write():
                pass
            with project.read() as snapshot:  # reading goes on
                assert queries.questions(snapshot) == ()
        who = f"{holder} (process {child.process.pid})" if holder else "another program"
        assert str(caught.value) == (
            f"{path} is locked: {who} is writing to it. Try again when that is done, or close it."
        )


def test_a_full_disk(project: Project) -> None:
    with project.write() as writer:
        fill(writer)
    pages = project._watch.execute("PRAGMA page_count").fetchone()[0]
    project._watch.execute(f"PRAGMA max_page_count = {pages + 20}")

    def write_much() -> None:
        with project.write() as writer:
            writer.put_question("q2", "{}", author="x")
            writer.add_response(NewResponse("q2", "m", LONG))

    with pytest.raises(errors.DiskFull) as caught:
        write_much()
    assert str(caught.value) == (
        f"There is no room left on the disk of {project.path}; nothing of the last change was stored."
        " Free some space and try again."
    )
    with project.read() as snapshot:
        assert [row.key for row in queries.questions(snapshot)] == ["q1"]
    with project.write() as writer:  # a small change still fits
        writer.set_setting("a", 1)
    assert project.verify() == []


def test_text_with_half_a_character(project: Project) -> None:
    with project.write() as writer:
        fill(writer)
    with pytest.raises(errors.UnstorableText) as caught, project.write() as writer:
        writer.add_response(NewResponse("q1", "m2", "cut \ud83d"))
    assert str(caught.value) == (
        "A text contains half a character (a lone surrogate) and cannot be stored."
        " Repair the file it comes from; it was cut in the middle of a character."
    )


def test_a_bug_keeps_its_own_exception(project: Project) -> None:
    with pytest.raises(OperationalError, match="no such table"), project.write() as writer:
        writer._connection.exec_driver_sql("SELECT * FROM nowhere")


def test_a_caller_s_own_missing_file_is_not_taken_for_the_project(tmp_path: Path, project: Project) -> None:
    with pytest.raises(FileNotFoundError), project.write():
        (tmp_path / "picture.png").read_bytes()


# What only a user without rights meets. The child gives up root's, if it has them.

READ_ONLY_PLACE = """
with Project.open(path) as project:
    print(project.read_only, project._mode)
    with project.read() as snapshot:
        print(len(queries.questions(snapshot)), project.changed_elsewhere(), project.verify())
    def write():
        with project.write():
            pass
    told(write)
"""


@pytest.mark.parametrize("protect", ["file", "folder"])
def test_a_place_that_can_only_be_read_opens_for_reading_and_says_so(protect: str) -> None:
    with public_folder() as folder:
        path = filled(folder / "a.gamut")
        path.chmod(0o444 if protect == "file" else 0o666)
        folder.chmod(0o777 if protect == "file" else 0o555)
        with Child(AS_NOBODY + READ_ONLY_PLACE, path) as child:
            assert child.end().splitlines() == [
                "True mode=ro&immutable=1",
                "1 False []",
                f"ReadOnlyProject|{path} can only be read: the file or its folder is write-protected, or it was opened"
                " for reading. Save a copy to a folder of your own and work in that.",
            ]
        assert [file.name for file in folder.iterdir()] == ["a.gamut"]


def test_a_read_only_project_can_be_copied_to_a_place_where_it_is_not(tmp_path: Path) -> None:
    with public_folder() as folder, public_folder() as own:
        path = filled(folder / "a.gamut")
        path.chmod(0o444)
        own.chmod(0o777)
        folder.chmod(0o555)
        code = "Project.open(path).save_copy(sys.argv[2]); print(Project.open(sys.argv[2]).read_only)"
        with Child(AS_NOBODY + code, path, own / "mine.gamut") as child:
            assert child.end() == "False\n"


def test_a_file_that_may_not_be_read() -> None:
    with public_folder() as folder:
        path = filled(folder / "a.gamut")
        path.chmod(0)
        with Child(AS_NOBODY + "told(lambda: Project.open(path))", path) as child:
            assert child.end() == (
                f"CannotRead|You are not allowed to read {path}. Ask its owner for access, or copy it as that user.\n"
            )


def test_a_folder_that_takes_no_new_files() -> None:
    with public_folder() as folder:
        path = filled(folder / "a.gamut")
        folder.chmod(0o555)
        code = "told(lambda: Project.create(path)); told(lambda: Project.open(sys.argv[2]).save_copy(path))"
        with Child(AS_NOBODY + code, folder / "new.gamut", path) as child:
            line = f"FolderNotWritable|You are not allowed to write in {folder}. Choose a folder of your own."
            assert child.end().splitlines() == [line, line]


def crashed(path: Path) -> None:
    """Leave a write-ahead log beside the file, as a killed process does."""
    with Child(HOLDS_THE_LOCK, path, "The window") as child:
        assert child.line() == "locked"
        child.kill()


def test_changes_left_in_a_journal_are_not_silently_left_out() -> None:
    with public_folder() as folder:
        path = filled(folder / "a.gamut")
        crashed(path)
        path.with_name("a.gamut-shm").unlink()
        folder.chmod(0o555)
        with Child(AS_NOBODY + "told(lambda: Project.open(path))", path) as child:
            assert child.end() == (
                f"UnfinishedElsewhere|The latest changes to {path} are still in a journal file beside it, in a place"
                " that can only be read. Copy the file together with its -wal or -journal file to a folder of your own"
                " and open it there.\n"
            )
        folder.chmod(0o755)
        own = folder / "own"
        own.mkdir()
        for file in (path, path.with_name("a.gamut-wal")):
            shutil.copy(file, own)
        with Project.open(own / "a.gamut") as project, project.read() as snapshot:
            assert [lease.holder for lease in queries.leases(snapshot)] == ["The window"]


def test_an_older_project_in_a_place_that_can_only_be_read() -> None:
    with public_folder() as folder:
        path = filled(folder / "a.gamut")
        later = folder / "later"
        later.mkdir()
        (later / f"{SHIPPED.schema + 1:04d}_step.py").touch()
        path.chmod(0o444)
        code = "told(lambda: Project.open(path, migrations=upgrade.Migrations(Path(sys.argv[2]))))"
        with Child(AS_NOBODY + code, path, later) as child:
            assert child.end() == (
                f"OlderReadOnlyProject|{path} has an older format ({SHIPPED.schema}; now {SHIPPED.schema + 1})"
                " and cannot be upgraded where it is, for reading only. Copy it to a folder of your own and open the"
                " copy.\n"
            )


LIMITED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
"""


def test_a_backup_that_cannot_be_made_stops_the_upgrade() -> None:
    with public_folder() as folder:
        path = filled(folder / "a.gamut")
        before = path.read_bytes()
        path.chmod(0o666)
        folder.chmod(0o777)
        later = folder / "later"
        later.mkdir()
        (later / f"{SHIPPED.schema + 1:04d}_step.py").touch()
        code = LIMITED + "told(lambda: Project.open(path, migrations=upgrade.Migrations(Path(sys.argv[2]))))"
        with Child(AS_NOBODY + code, path, later, 40_000) as child:
            assert child.end() == (
                f"BackupFailed|No backup of {path} could be made before upgrading it (disk i/o error), so it was left"
                " as it is. Make room or allow writing in its folder, and open it again.\n"
            )
        assert path.read_bytes() == before
        assert sorted(file.name for file in folder.iterdir()) == ["a.gamut", "later"]


def test_a_disk_that_does_not_write() -> None:
    with public_folder() as folder:
        path = filled(folder / "a.gamut")
        path.chmod(0o666)
        folder.chmod(0o777)
        code = (
            LIMITED
            + """
project = Project.open(path)
def write():
    with project.write() as w:
        w.set_setting("long", "word " * 1_000_000)
told(write)
"""
        )
        with Child(AS_NOBODY + code, path, "", 400_000) as child:
            assert child.end() == (
                f"DiskFailed|The disk of {path} could not be read or written."
                " Check that the drive is connected and healthy; a project should lie on a local disk.\n"
            )
        with Project.open(path) as project:
            assert project.verify() == []


def test_no_sentence_is_without_a_test() -> None:
    here = Path(__file__).parent
    tests = "".join(file.read_text(encoding="utf-8") for file in here.glob("test_*.py"))
    sentences = [
        name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, errors.StoreError)
    ]
    assert [name for name in sentences if name not in tests] == []
