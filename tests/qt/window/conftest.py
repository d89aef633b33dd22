"""A window on a small project, and the sample made once for all tests."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamut_desktop.main_window import MainWindow
from gamut_desktop.usecases.sample import make_sample
from tests.qt.window.driving import small_project, window_on


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A project of two questions with a short answer each."""
    return small_project(tmp_path)


@pytest.fixture
def window(strict: None, qtbot, small: Path) -> Iterator[MainWindow]:
    """A window on the small project."""
    with window_on(qtbot, small) as made:
        yield made


@pytest.fixture(scope="session")
def the_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample project, not graded; made once."""
    path = tmp_path_factory.mktemp("sample") / "sample.gamut"
    make_sample(path)
    return path


@pytest.fixture
def sample(the_sample: Path, tmp_path: Path) -> Path:
    """A sample project of this test's own."""
    return Path(shutil.copy(the_sample, tmp_path / "sample.gamut"))
