"""Projects of every earlier schema open: backed up as they were, brought up to date, with everything in them kept."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from models.store import queries
from models.store.project import Project
from models.store.upgrade import SHIPPED
from models.verdicts import Outcome, Verdict
from tests.upgrade.write_dump import FACT, HERE

DUMPS = sorted(HERE.glob("schema-*.sql"))


def restored(dump: Path, folder: Path) -> Path:
    """The project file that the dump was made of."""
    path = folder / "kettle.gamut"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    return path


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}


def without(found: dict[str, list[Any]], names: Iterable[str]) -> dict[str, list[Any]]:
    return {name: rows for name, rows in found.items() if name not in set(names)}


def test_every_schema_before_this_one_has_its_dump() -> None:
    assert [int(dump.stem[-4:]) for dump in DUMPS] == list(range(1, SHIPPED.schema))


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_an_older_project_opens_is_backed_up_and_keeps_everything(dump: Path, tmp_path: Path) -> None:
    path = restored(dump, tmp_path)
    before = tables(path)
    with Project.open(path) as project:
        backup = project.backup
        assert backup == path.with_name(f"kettle.gamut.backup-{dump.stem[-4:]}")
        assert project.verify() == []
        with project.read() as snapshot:
            assert queries.project_info(snapshot).schema == SHIPPED.schema
            said = {row.check.text: row for row in queries.verdicts(snapshot)}
            assert said[FACT].verdict is None
            assert said[FACT].outcome is Outcome.FAILED
            (meets, *_) = queries.verdicts(snapshot)
            assert (meets.verdict, meets.rationale, meets.evidence) == (Verdict.MEETS, "It says so.", "Water boils")
            assert meets.log_probabilities == (-0.1, -2.5, -3.0, -4.0, -5.0)
            assert [row.verdict for row in queries.overrides(snapshot)] == [Verdict.MISSING]
            assert [row.note for row in queries.labels(snapshot)] == ["half"]
            assert queries.draft(snapshot, "kettle") is not None
            assert len(queries.version_history(snapshot, "kettle")) == 2
            assert [row.key for row in queries.trash_contents(snapshot).questions] == ["gone"]
    now = tables(path)
    new = now.keys() - before.keys()
    changed = {"alembic_version", "sqlite_sequence"}
    assert without(now, {*new, *changed}) == without(before, changed)
    assert backup is not None
    assert tables(backup) == before


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_an_upgraded_project_is_like_a_new_one(dump: Path, tmp_path: Path) -> None:
    path = restored(dump, tmp_path)
    Project.open(path).close()
    Project.create(tmp_path / "new.gamut").close()

    def made(file: Path) -> list[Any]:
        with closing(sqlite3.connect(file)) as connection:
            return sorted(
                connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall(), key=repr
            )

    assert made(path) == made(tmp_path / "new.gamut")


def test_a_verdict_of_the_first_schema_can_be_explained_now(tmp_path: Path) -> None:
    with Project.open(restored(HERE / "schema-0001.sql", tmp_path)) as project:
        with project.write() as writer:
            row = next(row for row in queries.verdicts(writer) if row.rationale is None and row.verdict is not None)
            writer.add_rationale(row.id, "Nothing about heat.")
        with project.read() as snapshot:
            (row,) = queries.verdicts(snapshot, ids=[row.id])
        assert row.rationale == "Nothing about heat."
        assert project.verify() == []
