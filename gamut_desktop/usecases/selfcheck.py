"""The self-check: every part of an installation tried once, for real, in a folder that is thrown away."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gamut_desktop.settings import Places
from gamut_desktop.usecases.grading import grade
from gamut_desktop.usecases.reporting import report
from gamut_desktop.usecases.sample import make_sample
from gamut_desktop.wiring import BUNDLED, KEYWORD, Wiring
from judge_local.runs.plan import Selection
from models.errors import GamutError
from models.store.project import Project


@dataclass(frozen=True, slots=True)
class Part:
    """One part and how it fared."""

    name: str
    ok: bool
    told: str


class PartFailed(GamutError):
    """A part of the installation does not work."""


def self_check() -> Iterator[Part]:
    """Try settings, resources, store, and each judge on one response; every part is reported, none stops the rest."""
    with tempfile.TemporaryDirectory(prefix="gamut-self-check-") as folder:
        path = Path(folder) / "sample.gamut"
        yield _try("settings", lambda: f"read for {Wiring.of_user(_silent).settings.author}")
        yield _try("project file", lambda: _store(path))
        yield _try("keyword judge", lambda: _judge(path, KEYWORD))
        yield _try("bundled judge", lambda: _judge(path, BUNDLED))


def _silent(_: str) -> None:
    """Self-check has its own lines."""


def _try(name: str, part: Callable[[], str]) -> Part:
    try:
        return Part(name, True, part())
    except GamutError as error:
        return Part(name, False, str(error))


def _store(path: Path) -> str:
    done = make_sample(path)
    with Project.open(path) as project:
        problems = project.verify()
    if problems:
        raise PartFailed(problems[0], "Install Gamut Desktop again.")
    return f"{len(done.added)} questions, {done.pictures} pictures and {done.responses} responses stored and verified"


def _judge(path: Path, judge_id: str) -> str:
    wiring = Wiring(Places.of_user(), Wiring.of_user(_silent).settings, _silent)
    with Project.open(path) as project:
        with wiring.judge(judge_id) as judge:
            done = grade(project, judge, selection=Selection(model="complete", limit=1), text_only=True)
        if done.ended.error is not None:
            raise done.ended.error
        scores = [one["gamut"] for one in report(project).questions() if one["judge"] == judge_id]
    if not scores or scores[0] is None:
        raise PartFailed(f"{judge_id} gave no verdict.", "Install Gamut Desktop again.")
    return f"{done.ended.answered} checks judged, score {scores[0] * 100:.1f}"
