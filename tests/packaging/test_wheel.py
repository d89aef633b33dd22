"""What a wheel holds: everything of ours and nothing else, and it works where there is no tree."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.packaging.install_check import PACKAGES, TREE, build_wheel

SAMPLE = ("01-coffee.yaml", "06-astronaut.yaml", "coffee.jpg", "responses.jsonl", "CREDITS.md")
NEEDED = [
    "models/store/migrations/env.py",
    "models/store/migrations/script.py.mako",
    "models/store/migrations/versions/0001_first_schema.py",
    "models/store/migrations/versions/0002_rationales.py",
    "models/exchange/sheet.html",
    "judge_local/prompts/judge_3.py",
    *(f"resources/sample/{name}" for name in SAMPLE),
    "resources/icons/grade.svg",
    "resources/icons/controls/check-dark.svg",
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.parametrize("name", NEEDED)
def test_a_wheel_holds_what_the_app_reads(names: set[str], name: str):
    assert name in names


def test_a_wheel_holds_every_file_of_the_packages_and_no_other(names: set[str]):
    in_tree = {
        path.relative_to(TREE).as_posix()
        for package in PACKAGES
        for path in (TREE / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    in_wheel = {name for name in names if ".dist-info/" not in name}
    assert in_wheel == in_tree


def test_a_wheel_starts_gamut_and_names_its_extras(wheel: Path, names: set[str]):
    with zipfile.ZipFile(wheel) as archive:
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        (starts,) = (name for name in names if name.endswith(".dist-info/entry_points.txt"))
        assert "gamut = gamut_desktop.__main__:main" in archive.read(starts).decode()
        extras = [line for line in archive.read(about).decode().splitlines() if line.startswith("Provides-Extra")]
    assert {"Provides-Extra: judge", "Provides-Extra: demo"} <= set(extras)


def test_an_unpacked_wheel_makes_grades_and_exports_the_sample_without_the_tree(wheel: Path, tmp_path: Path):
    unpacked, elsewhere = tmp_path / "unpacked", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    program = (
        "import sys, models, resources; from gamut_desktop.cli.app import code_of;"
        "print(models.__file__, resources.__path__[0], sep='\\n', file=sys.stderr);"
        "steps = [['new', 's.gamut'], ['import', 's.gamut', sys.argv[1]], ['grade', 's.gamut', '--judge', 'keyword'],"
        " ['export', 's.gamut', 's.html', '--format', 'sheet'], ['report', 's.gamut']];"
        "sys.exit(max(code_of(step) for step in steps))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(unpacked / "resources" / "sample")],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(unpacked), "GAMUT_HOME": str(tmp_path / "home")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[:2] == [str(unpacked / "models" / "__init__.py"), str(unpacked / "resources")]
    assert "complete" in done.stdout
    assert (elsewhere / "s.html").stat().st_size > 100_000
