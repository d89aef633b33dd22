"""Proves the install: a wheel built from the tree, a new environment elsewhere, the demo from it in an empty folder.

Run by `make install-check`. Nothing of the tree is used after the wheel is built; the versions are those of the lock.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
PACKAGES = ("gamut_desktop", "judge_local", "models", "resources")
NEEDED = ("complete (smollm2)", "smollm2 says", "coffee-01", "keyword")
WHERE = f"import {', '.join(PACKAGES)}; print({', '.join(f'{name}.__file__' for name in PACKAGES)}, sep=chr(10))"


def main() -> int:
    """Build, install, run; returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="gamut-install-") as folder:
        base = Path(folder).resolve()
        wheel = build_wheel(base)
        venv.create(base / "env", with_pip=True)
        scripts = base / "env" / ("Scripts" if os.name == "nt" else "bin")
        python, gamut = (str(scripts / (name + (".exe" if os.name == "nt" else ""))) for name in ("python", "gamut"))
        shutil.copy(TREE / "requirements.lock", base)
        _run(python, "-m", "pip", "install", "-q", "-c", "requirements.lock", f"{wheel}[judge,demo]", cwd=base)
        empty = base / "somewhere else"
        empty.mkdir()
        places = _run(python, "-c", WHERE, cwd=empty).split()
        if outside := [place for place in places if not Path(place).is_relative_to(base / "env")]:
            raise SystemExit(f"Packages come from outside the new environment: {outside}")
        home = {"GAMUT_HOME": str(base / "home")}
        shown = _run(gamut, "demo", "--fresh", cwd=empty, more=home)
        print(shown)
        if missing := [words for words in NEEDED if words not in shown]:
            raise SystemExit(f"gamut demo from the wheel did not print {missing}.")
        print(_run(gamut, "--self-check", cwd=empty, more=home))
        if left := sorted(path.name for path in empty.iterdir()):
            raise SystemExit(f"The demo left files in the folder it was called from: {left}")
    print("The wheel installs and its demo runs.")
    return 0


def build_wheel(base: Path) -> Path:
    """A wheel of what the tree holds now, built under `base`: in the tree, setuptools would take up old leftovers."""
    source = base / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(TREE / name, source)
    for name in PACKAGES:
        shutil.copytree(TREE / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    _run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--wheel-dir",
        str(base / "wheel"),
        str(source),
        cwd=base,
    )
    (wheel,) = (base / "wheel").glob("*.whl")
    return wheel


def _run(*command: str, cwd: Path, more: Mapping[str, str] | None = None) -> str:
    """What a command prints, with nothing of the calling environment on its path."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    environment |= {"PYTHONUTF8": "1", **(more or {})}
    done = subprocess.run(command, cwd=cwd, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode:
        print(done.stdout)
        raise SystemExit(f"{' '.join(command[:4])} ended with {done.returncode}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
