"""`gamut --self-check`: every part tried for real, a broken one told in a sentence, nothing left behind."""

import os
import subprocess
import sys
import time
from multiprocessing.util import Finalize
from pathlib import Path

import pytest

from gamut_desktop.usecases.selfcheck import PartFailed, in_process_of_its_own
from gamut_desktop.window_check import choose_platform
from models.errors import GamutError
from tests.models_on_disk import Q8_CACHE

PARTS = ["settings", "project file", "window", "keyword judge", "judge process", "bundled judge"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """GAMUT_HOME with the requantized bundled model of all tests in it."""
    folder = tmp_path / "home"
    (folder / "cache").mkdir(parents=True)
    Q8_CACHE.mkdir(parents=True, exist_ok=True)
    (folder / "cache" / "models").symlink_to(Q8_CACHE, target_is_directory=True)
    (tmp_path / "temporary").mkdir()
    return folder


def _check(home: Path, **environment: str) -> tuple[int, list[str]]:
    """The exit code, and a line a part."""
    places = {"GAMUT_HOME": str(home), "TMPDIR": str(home.parent / "temporary")}
    done = subprocess.run(
        [sys.executable, "-m", "gamut_desktop", "--self-check"],
        env={**os.environ, **places, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_every_part_is_well_and_nothing_is_left_but_the_cache(home: Path):
    code, lines = _check(home)
    assert [line[:8] + line[8:].partition(":")[0] for line in lines] == [f"ok      {part}" for part in PARTS]
    assert code == 0
    assert "shown on" in lines[2]
    assert "6 questions of the sample, and closed again" in lines[2]
    assert lines[4].endswith("without Qt beside it")
    assert "3 checks, score" in lines[5]
    assert {path.relative_to(home).as_posix() for path in home.rglob("*")} >= {"cache/weights.json"}
    assert [path.name for path in home.iterdir()] == ["cache"]
    assert list((home.parent / "temporary").iterdir()) == []


def test_broken_parts_say_their_sentence_and_the_others_are_still_tried(home: Path):
    (home / "config").mkdir()
    (home / "config" / "settings.toml").write_text("[judge]\nthreads = 0\n")
    code, lines = _check(home, QT_QPA_PLATFORM="nonsense")
    assert code == 1
    assert [line.split(maxsplit=1)[0] for line in lines] == ["FAILED", "ok", "FAILED", "ok", "ok", "ok"]
    assert "judge.threads is not usable" in lines[0]
    assert "The window's process crashed (exit code -6)" in lines[2]
    assert 'Could not find the Qt platform plugin "nonsense"' in lines[2]
    assert list((home.parent / "temporary").iterdir()) == []


# In a process of its own ---------------------------------------------------------------------------------------------


def _well(folder: Path) -> str:
    print("this goes to a file, not to the terminal")
    return f"looked at {folder.name}, parent {os.getppid()}"


def _fails(folder: Path) -> str:
    raise GamutError("It is broken.", "Mend it.")


def _misses(folder: Path) -> str:
    raise ImportError("libEGL.so.1: cannot open shared object file")


def _aborts(folder: Path) -> str:
    os.write(2, b"no screen here\n")
    os.abort()


def _ends_badly(folder: Path) -> str:
    Finalize(None, os._exit, args=(9,), exitpriority=1)  # as a library that crashes while it is unloaded
    return "all well, it says"


def _hangs(folder: Path) -> str:
    time.sleep(600)
    return "never"


def test_a_part_answers_from_another_process(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    assert in_process_of_its_own(_well, tmp_path, "It") == f"looked at {tmp_path.name}, parent {os.getpid()}"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (_fails, "It is broken. Mend it."),
        (_misses, "ImportError: libEGL.so.1: cannot open shared object file. Install Gamut Desktop again."),
        (_aborts, "It crashed (exit code -6). Its last words: no screen here Install Gamut Desktop again."),
        (_ends_badly, "It crashed (exit code 9). Install Gamut Desktop again."),
        (_hangs, "It did not end within 2 seconds. Try again with fewer programs open."),
    ],
)
def test_a_part_that_fails_crashes_or_hangs_is_a_sentence(tmp_path: Path, work, told: str):
    with pytest.raises(PartFailed) as caught:
        in_process_of_its_own(work, tmp_path, "It", seconds=2 if work is _hangs else 60)
    assert str(caught.value) == told


# Where the window is drawn -------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
@pytest.mark.parametrize(
    ("environment", "chosen"),
    [
        ({}, "offscreen"),
        ({"DISPLAY": ":0"}, None),
        ({"WAYLAND_DISPLAY": "wayland-0"}, None),
        ({"QT_QPA_PLATFORM": "minimal"}, "minimal"),
    ],
)
def test_without_a_display_the_window_is_drawn_into_memory(monkeypatch: pytest.MonkeyPatch, environment, chosen):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    choose_platform()
    assert os.environ.get("QT_QPA_PLATFORM") == chosen
