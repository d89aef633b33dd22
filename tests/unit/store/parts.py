"""What the store's tests build with: a clock that ticks, small projects, child processes that speak line by line."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from models.provenance import Ruler
from models.rubric.checklist import Kind
from models.store.project import Project
from models.store.records import NewLabel, NewResponse, NewVerdict
from models.store.writer import Writer
from models.verdicts import Outcome, Verdict

ROOT = Path(__file__).parents[3]
RULER = Ruler.of("keyword", version=1)
FACT = "States: water boils at 100 °C"


class TickingClock:
    """One second later at each look."""

    def __init__(self) -> None:
        self.now = datetime(2025, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def answer(response_id: int, ruler_id: int, text: str = FACT, *, key: str = "k", **more: object) -> NewVerdict:
    """A verdict of "meets", unless `more` says otherwise."""
    values: dict[str, object] = {"outcome": Outcome.VERDICT, "verdict": Verdict.MEETS, **more}
    return NewVerdict(response_id, Kind.PRESENCE, text, ruler_id, key, **values)  # type: ignore[arg-type]


def fill(writer: Writer, question: str = "q1", model: str = "m1") -> tuple[int, int]:
    """One question with an image, a response, a verdict, an override and a label; ids of response and ruler."""
    image = writer.add_image(f"image of {question}".encode(), mime="image/png", width=4, height=3, thumbnail=b"small")
    writer.put_question(question, f'{{"id":"{question}"}}', author="ada", images=(image,))
    response = writer.add_response(NewResponse(question, model, "Water boils.")).id
    ruler = writer.ensure_ruler(RULER)
    writer.add_verdicts([answer(response, ruler, log_probabilities=(-0.1, -2.0, -3.0, -4.0, -5.0), label_mass=0.98)])
    writer.override_verdict(response, Kind.PRESENCE, FACT, judge="keyword", verdict=Verdict.MISSING, author="ada")
    writer.add_label(NewLabel(response, Kind.PRESENCE, FACT, "bob", Verdict.PARTIALLY_MEETS))
    return response, ruler


def filled(path: Path) -> Path:
    """A closed project with one of everything."""
    path.write_bytes(_filled())
    return path


@cache
def _filled() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "filled.gamut")
        with Project.create(path) as project, project.write() as writer:
            fill(writer)
        return path.read_bytes()


class Child:
    """A Python process that runs `code`; it prints lines, and waits for ours."""

    def __init__(self, code: str, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"},
            text=True,
            encoding="utf-8",
        )

    def line(self) -> str:
        """The next line it prints; empty once it is gone."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def go_on(self) -> None:
        """Send it a line."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        self.process.kill()
        self.process.wait()

    def end(self) -> str:
        """Close its input, wait for it, return the rest of what it printed."""
        rest, _ = self.process.communicate()
        assert self.process.returncode == 0
        return rest

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None and not stream.closed:
                stream.close()


AS_NOBODY = """
import os, sys
from pathlib import Path
from models.errors import GamutError
from models.store import queries, upgrade
from models.store.project import Project
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
def told(act):
    try:
        act()
    except GamutError as error:
        print(type(error).__name__, error, sep="|")
    else:
        print("no error")
path = Path(sys.argv[1])
"""
"""Start of a child whose user owns nothing: modes of files and folders mean something to it, even if root runs us."""


@contextmanager
def public_folder() -> Iterator[Path]:
    """A folder that every user can reach (pytest's own cannot be by others)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)
