"""Fixtures of the store's tests. A project is made once and copied: making one runs the migrations."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from models.store.project import Project
from tests.unit.store.parts import TickingClock


@pytest.fixture(scope="session")
def empty_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "empty.gamut"
    Project.create(path, name="Kitchen").close()
    return path


@pytest.fixture
def path(tmp_path: Path, empty_project: Path) -> Path:
    """A closed, empty project of the test's own."""
    return Path(shutil.copy(empty_project, tmp_path / "kitchen.gamut"))


@pytest.fixture
def project(path: Path) -> Iterator[Project]:
    """The same, open."""
    with Project.open(path, clock=TickingClock()) as opened:
        yield opened
