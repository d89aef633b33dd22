"""What a parent process sees and leaves behind: a quiet terminal, no llama.cpp in it, no worker that outlives it."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.judge.askings import CHECKS

PARENT = """
import sys
from pathlib import Path
from judge_local.llama.messages import LocalSettings
from judge_local.supervisor import Supervisor
from tests.judge.askings import asking

if __name__ == "__main__":
    supervisor = Supervisor(LocalSettings(Path(sys.argv[1]), threads=2, context=2048, prior=False))
    if sys.argv[2] == "answer":
        print(len(list(supervisor.ask(asking(), lambda: False))), "llama_cpp" in sys.modules)
        supervisor.close()
    else:
        supervisor.facts()
        print(supervisor.worker_pid, flush=True)
        list(supervisor.ask(asking("milk " * 1300), lambda: False))
"""
TREE = Path(__file__).parents[2]


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    path = tmp_path / "parent.py"
    path.write_text(PARENT, encoding="utf-8")
    return path


def command(parent: Path, model_path: Path, what: str) -> list[str]:
    run = f"import sys, runpy; sys.path.insert(0, {str(TREE)!r}); sys.argv = sys.argv[1:]; "
    return [
        sys.executable,
        "-c",
        run + "runpy.run_path(sys.argv[0], run_name='__main__')",
        str(parent),
        str(model_path),
        what,
    ]


def test_a_worker_writes_nothing_to_the_parents_terminal(parent: Path, model_path: Path) -> None:
    done = subprocess.run(command(parent, model_path, "answer"), capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == (f"{len(CHECKS)} False\n", "")


def test_a_worker_ends_soon_after_its_parent_was_killed(parent: Path, model_path: Path) -> None:
    running = subprocess.Popen(command(parent, model_path, "wait"), stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    worker = psutil.Process(int(running.stdout.readline()))
    running.kill()
    running.wait()
    running.stdout.close()
    _gone, alive = psutil.wait_procs([worker], timeout=5)
    assert not alive
