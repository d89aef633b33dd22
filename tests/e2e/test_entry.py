"""Starting the app: from a folder full of other people's modules, and without loading what a command does not need."""

import subprocess
import sys
from pathlib import Path

from tests.e2e.conftest import SAMPLE, Gamut


def _foreign_modules(folder: Path) -> None:
    for name in ("models", "resources", "judge_local", "gamut_desktop"):
        (folder / f"{name}.py").write_text("raise SystemExit('the wrong module was imported')\n")


def test_python_m_works_from_a_folder_with_a_models_py(process: Gamut, tmp_path: Path):
    """`python -m` finds gamut_desktop itself through the path, so only names below it can be hidden."""
    _foreign_modules(tmp_path)
    (tmp_path / "gamut_desktop.py").unlink()
    done = process("compile", SAMPLE / "01-coffee.yaml", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")


def test_the_script_works_from_a_folder_with_a_models_py(home: Path, tmp_path: Path):
    _foreign_modules(tmp_path)
    script = Path(sys.executable).with_name("gamut")
    done = subprocess.run(
        [script, "compile", SAMPLE / "01-coffee.yaml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_loads_neither_qt_nor_llama(home: Path):
    program = (
        "import sys; from gamut_desktop.cli.app import code_of;"
        f"code_of(['compile', {str(SAMPLE / '01-coffee.yaml')!r}, '--json']);"
        "print([m for m in ('PySide6', 'llama_cpp', 'alembic', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_importing_the_entry_point_imports_nothing_else(home: Path):
    program = (
        "import sys; import gamut_desktop.__main__;"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('typer', 'pydantic', 'models', 'judge_local')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
