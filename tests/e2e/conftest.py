"""The real command line in an isolated home; in this process where that is enough, else in one of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gamut_desktop.cli.app import code_of
from tests.models_on_disk import Q8_CACHE

REPO = Path(__file__).parents[2]
SAMPLE = REPO / "resources" / "sample"


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


Gamut = Callable[..., Done]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """GAMUT_HOME of this test, with the requantized bundled model of all tests in it."""
    folder = tmp_path / "home"
    (folder / "cache").mkdir(parents=True)
    Q8_CACHE.mkdir(parents=True, exist_ok=True)
    (folder / "cache" / "models").symlink_to(Q8_CACHE, target_is_directory=True)
    monkeypatch.setenv("GAMUT_HOME", str(folder))
    return folder


@pytest.fixture
def gamut(home: Path, capfd: pytest.CaptureFixture[str]) -> Gamut:
    """Run a command in this process."""

    def run(*arguments: object) -> Done:
        capfd.readouterr()
        code = code_of([str(a) for a in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return Done(code, out, err)

    return run


def start(*arguments: object, cwd: Path | None = None, **environment: str) -> "subprocess.Popen[str]":
    """Start a command in a process of its own."""
    command = [sys.executable, "-m", "gamut_desktop", *(str(a) for a in arguments)]
    return subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@pytest.fixture
def process(home: Path) -> Gamut:
    """Run a command in a process of its own."""

    def run(*arguments: object, cwd: Path | None = None, **environment: str) -> Done:
        with start(*arguments, cwd=cwd, **environment) as child:
            out, err = child.communicate(timeout=300)
        return Done(child.returncode, out, err)

    return run


@pytest.fixture
def sample(gamut: Gamut, tmp_path: Path) -> Path:
    """The sample as a new project, not graded."""
    path = tmp_path / "sample.gamut"
    assert gamut("new", path).code == 0
    assert gamut("import", path, SAMPLE).code == 0
    return path
