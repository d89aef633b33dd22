"""Proves the install: a wheel built from the tree, a new environment elsewhere, the demo from it in an empty folder.

Run by `make install-check`. Nothing of the tree is used after the wheel is built; the versions are those of the lock.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
NEEDED = ("complete (smollm2)", "coffee-01", "keyword")


def main() -> int:
    """Build, install, run; returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="gamut-install-") as folder:
        base = Path(folder)
        _run(sys.executable, "-m", "build", "--wheel", "--outdir", str(base / "wheel"), str(TREE), cwd=base)
        (wheel,) = (base / "wheel").glob("*.whl")
        venv.create(base / "env", with_pip=True)
        scripts = base / "env" / ("Scripts" if os.name == "nt" else "bin")
        python = scripts / ("python.exe" if os.name == "nt" else "python")
        lock = str(TREE / "requirements.lock")
        _run(str(python), "-m", "pip", "install", "-q", "-c", lock, f"{wheel}[judge,demo]", cwd=base)
        empty = base / "somewhere else"
        empty.mkdir()
        gamut = str(scripts / "gamut")
        shown = _run(gamut, "demo", "--fresh", cwd=empty, home=base / "home")
        print(shown)
        missing = [word for word in NEEDED if word not in shown]
        if missing:
            print(f"gamut demo from the wheel did not print {missing}.")
            return 1
        print(_run(gamut, "--self-check", cwd=empty, home=base / "home"))
    print("The wheel installs and its demo runs.")
    return 0


def _run(*command: str, cwd: Path, home: Path | None = None) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    if home is not None:
        environment["GAMUT_HOME"] = str(home)
    done = subprocess.run(command, cwd=cwd, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(done.stdout)
        raise SystemExit(f"{' '.join(command[:4])} ended with {done.returncode}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
