"""Migrations: a new file, an older file, a migration that breaks. The later schemas are the tests' own."""

import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from models.store import queries
from models.store.errors import NewerProject, OpenElsewhere, ProjectLocked, UpgradeFailed
from models.store.project import Project
from models.store.tables import metadata
from models.store.tables.guards import GUARDS
from models.store.upgrade import SHIPPED, Migrations
from tests.unit.store.parts import ROOT, Child, fill, filled

HEAD = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "{revision}", "{down}"
def upgrade():
"""
ADDS_A_COLUMN = """
    with op.batch_alter_table("response", recreate="always") as batch:
        batch.add_column(sa.Column("language", sa.String()))
    op.execute("UPDATE response SET language = 'en', text = text || '!', sha256 = 'x'")
"""
BREAKS_MIDWAY = """
    op.execute("UPDATE verdict SET note = 'touched'")
    op.add_column("response", sa.Column("half", sa.String()))
    op.execute("SELECT * FROM nowhere")
"""
COMMITS_AND_BREAKS = """
    op.execute("UPDATE verdict SET note = 'touched'")
    op.execute("COMMIT")
    raise ValueError("no")
"""
LEAVES_ORPHANS = """
    op.execute("DELETE FROM response")
"""


NOW = SHIPPED.schema


def later(folder: Path, *steps: str) -> Migrations:
    """The shipped migrations and `steps` after them."""
    folder.mkdir()
    for script in SHIPPED.folder.glob("0*.py"):
        shutil.copy(script, folder)
    for n, step in enumerate(steps, SHIPPED.schema + 1):
        head = HEAD.format(revision=f"{n:04d}", down=f"{n - 1:04d}")
        (folder / f"{n:04d}_step.py").write_text(head + step)
    return Migrations(folder)


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump(), str(connection.execute("PRAGMA user_version").fetchone())]


def test_the_migrations_make_exactly_the_tables_of_the_models(path: Path) -> None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_constraints_have_the_names_of_the_convention_in_file_and_models(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        made = " ".join(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table'"))
    for table in metadata.tables.values():
        for constraint in table.constraints - {table.primary_key}:
            assert f"CONSTRAINT {constraint.name} " in made


def test_an_older_project_is_backed_up_and_upgraded(tmp_path: Path) -> None:
    path = filled(tmp_path / "a b.gamut")
    path.chmod(0o640)
    before = dump(path)
    with Project.open(path, migrations=later(tmp_path / "later", ADDS_A_COLUMN)) as project:
        backup = project.backup
        assert backup == tmp_path / f"a b.gamut.backup-{NOW:04d}"
        with project.read() as snapshot:
            assert queries.project_info(snapshot).schema == NOW + 1
            (response,) = queries.responses(snapshot)
            assert response.text == "Water boils.!"
            # the rebuilt table took none of its children along
            assert len(queries.verdicts(snapshot)) == len(queries.labels(snapshot)) == 1
        with closing(sqlite3.connect(path)) as outsider:
            assert outsider.execute("SELECT language FROM response").fetchall() == [("en",)]
            assert {name for (name,) in outsider.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")} == (
                GUARDS.keys()
            )
    assert backup is not None
    assert dump(backup) == before
    assert stat.S_IMODE(backup.stat().st_mode) == 0o640
    with Project.open(backup) as old:
        assert old.verify() == []
        assert old.backup is None


def test_an_older_backup_is_never_overwritten(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.gamut")
    first = f"a.gamut.backup-{NOW:04d}"
    for name in (first, f"{first}-2"):
        (tmp_path / name).write_text(name)
    with Project.open(path, migrations=later(tmp_path / "later", ADDS_A_COLUMN)) as project:
        assert project.backup == tmp_path / f"{first}-3"
    for name in (first, f"{first}-2"):
        assert (tmp_path / name).read_text() == name


def test_several_steps_are_one_upgrade_and_opening_again_does_nothing(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.gamut")
    migrations = later(tmp_path / "100% later, ü", ADDS_A_COLUMN, '    op.execute("DELETE FROM setting")')
    with Project.open(path, migrations=migrations) as project, project.read() as snapshot:
        assert queries.project_info(snapshot).schema == NOW + 2
    with Project.open(path, migrations=migrations) as project:
        assert project.backup is None
    with Project.create(tmp_path / "new.gamut", migrations=migrations) as project, project.read() as snapshot:
        assert queries.project_info(snapshot).schema == NOW + 2


@pytest.mark.parametrize("step", [BREAKS_MIDWAY, COMMITS_AND_BREAKS, LEAVES_ORPHANS])
@pytest.mark.parametrize("first", [(), (ADDS_A_COLUMN,)])
def test_a_migration_that_breaks_leaves_the_file_as_it_was(tmp_path: Path, first: tuple[str, ...], step: str) -> None:
    path = filled(tmp_path / "a.gamut")
    before, bytes_before = dump(path), path.read_bytes()
    with pytest.raises(UpgradeFailed) as failed:
        Project.open(path, migrations=later(tmp_path / "later", *first, step))
    assert failed.value.sentence == f"{path} could not be upgraded and was left as it was."
    assert failed.value.next_step == (
        f"Go on with the older Gamut, and report this; a backup lies in a.gamut.backup-{NOW:04d}."
    )
    assert failed.value.__cause__ is not None  # the bug keeps its traceback
    assert dump(path) == before
    if step is not COMMITS_AND_BREAKS:  # what was committed is put back row by row, not byte by byte
        assert path.read_bytes() == bytes_before
    with Project.open(path) as project:
        assert project.verify() == []


def test_a_newer_project_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.gamut")
    Project.open(path, migrations=later(tmp_path / "later", ADDS_A_COLUMN)).close()
    before = path.read_bytes()
    with pytest.raises(NewerProject) as refused:
        Project.open(path)
    assert str(refused.value) == (
        f"{path} was written by a newer Gamut (format {NOW + 1}; this one knows up to {NOW})."
        " Update Gamut to open it; the file was not touched."
    )
    assert path.read_bytes() == before


def test_a_project_that_is_open_elsewhere_is_not_upgraded(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.gamut")
    migrations = later(tmp_path / "later", ADDS_A_COLUMN)
    with Project.open(path) as held:
        with held.write() as writer:
            writer.set_setting("a", 1)
        with pytest.raises(OpenElsewhere) as refused:
            Project.open(path, migrations=migrations, busy_timeout_ms=10)
    assert str(refused.value) == (
        f"{path} is open in another program and cannot be upgraded. Close it there and try again."
    )
    assert not list(tmp_path.glob("*backup*"))
    Project.open(path, migrations=migrations).close()


def test_the_log_of_a_crashed_process_is_part_of_what_is_backed_up_and_upgraded(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.gamut")
    code = """
import sys
from models.store.project import Project
project = Project.open(sys.argv[1])
with project.write() as w:
    w.set_setting("last", "words")
print("written", flush=True)
sys.stdin.readline()
"""
    with Child(code, path) as child:
        assert child.line() == "written"
        child.kill()
    with Project.open(path, migrations=later(tmp_path / "later", ADDS_A_COLUMN)) as project:
        assert project.backup is not None
        for one in (project, Project.open(project.backup)):
            with one.read() as snapshot:
                assert queries.setting(snapshot, "last") == "words"
            one.close()


def test_a_project_locked_while_it_is_opened_says_so(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ProjectLocked, match="another program is writing to it"):
            Project.open(path, busy_timeout_ms=10)


def test_opening_a_current_project_does_not_import_alembic(path: Path) -> None:
    code = (
        "import sys; from models.store.project import Project; Project.open(sys.argv[1]).close();"
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-B", "-c", code, path], cwd=ROOT, check=False).returncode == 0


def test_writing_goes_on_after_an_upgrade(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.gamut")
    with Project.open(path, migrations=later(tmp_path / "later", '    op.execute("DELETE FROM setting")')) as project:
        with project.write() as writer:
            fill(writer, "q2")
        assert project.verify() == []
