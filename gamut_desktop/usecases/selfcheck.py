"""The self-check: every part of an installation tried once, for real, in a folder that is thrown away.

It is the same for a working tree, a wheel and a frozen program. What could bring a process down (Qt without a screen,
llama.cpp on a strange processor) runs in a process of its own, so that a crash is a sentence too. Qt-free: the window's
part is handed in. Only the requantized model is kept, where every judge looks for it.
"""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from gamut_desktop.settings import Places, Settings
from gamut_desktop.usecases.grading import grade
from gamut_desktop.usecases.importing import import_path
from gamut_desktop.usecases.reporting import report
from gamut_desktop.usecases.sample import make_sample
from gamut_desktop.wiring import BUNDLED, KEYWORD, Wiring
from judge_local.bundled import require_llama_cpp
from judge_local.runs.plan import Selection
from models.errors import GamutError
from models.store.project import Project

SECONDS = 120.0
_AGAIN = "Install Gamut Desktop again."
_RUBRIC = """\
gamut: 1
id: self-check
question: What is a flat white?
rubric:
  - {type: simple_knowledge, tier: answer_critical, fact: A flat white is a coffee drink}
  - {type: strict_list, tier: valuable, name: ingredients of a flat white, items: [espresso, steamed milk]}
"""
_ANSWER = '{"question_id": "self-check", "model": "one", "response": "A coffee drink: espresso with steamed milk."}\n'


@dataclass(frozen=True, slots=True)
class Part:
    """One part and how it fared."""

    name: str
    ok: bool
    told: str


class PartFailed(GamutError):
    """A part of the installation does not work."""


def self_check(window: Callable[[Path], str]) -> Iterator[Part]:
    """Try each part once; every one is reported, none stops the rest. `window` tries the window in a given folder."""
    with tempfile.TemporaryDirectory(prefix="gamut-self-check-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        yield _try("settings", lambda: f"read for {Settings.load(Places.of_user()).author}")
        yield _try("project file", lambda: _store(folder / "sample.gamut"))
        yield _try("window", lambda: window(folder))
        yield _try("keyword judge", lambda: _keyword(folder))
        yield _try("judge process", lambda: _judge_process(folder))
        yield _try("bundled judge", lambda: _bundled(folder))


def in_process_of_its_own(work: Callable[[Path], str], folder: Path, what: str, seconds: float = SECONDS) -> str:
    """What `work(folder)` returns, run in a spawned process that must also end well.

    work: importable by its name. what: begins the sentence about a process that crashed or did not end. Raises
    PartFailed.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    log = folder / f"{work.__name__}.log"
    process = context.Process(target=_in_process, args=(theirs, work, folder, log), name="gamut-check", daemon=True)
    process.start()
    theirs.close()
    told: str | PartFailed | None = None
    try:
        if ours.poll(seconds):
            with suppress(EOFError):  # it died, and its exit code says how
                told = ours.recv()
            process.join(seconds)
        ended = not process.is_alive()
    finally:
        process.kill()
        process.join()
        ours.close()
    if isinstance(told, PartFailed):
        raise told
    if not ended:
        raise PartFailed(f"{what} did not end within {seconds:.0f} seconds.", "Try again with fewer programs open.")
    if told is None or process.exitcode:
        raise PartFailed(f"{what} crashed (exit code {process.exitcode}).{_last_words(log)}", _AGAIN)
    return told


def _in_process(connection: Connection, work: Callable[[Path], str], folder: Path, log: Path) -> None:
    """The other process: its output goes to a file, its answer through the pipe."""
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(target, 1)
    os.dup2(target, 2)
    os.close(target)
    connection.send(_outcome(lambda: work(folder)))
    connection.close()


def _last_words(log: Path) -> str:
    with suppress(OSError):
        lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
        if said := " ".join([line for line in lines if line][-3:]):
            return f" Its last words: {said[-500:]}"
    return ""


def _try(name: str, part: Callable[[], str]) -> Part:
    outcome = _outcome(part)
    return Part(name, isinstance(outcome, str), str(outcome))


def _outcome(part: Callable[[], str]) -> str | PartFailed:
    try:
        return part()
    except GamutError as error:
        return PartFailed(error.sentence, error.next_step)
    except Exception as error:  # noqa: BLE001  a broken installation fails in any way, and finding out is the purpose
        return PartFailed(f"{type(error).__name__}: {error}.", _AGAIN)


def _store(path: Path) -> str:
    done = make_sample(path)
    with Project.open(path) as project:
        problems = project.verify()
    if problems:
        raise PartFailed(problems[0], _AGAIN)
    return f"{len(done.added)} questions, {done.pictures} pictures and {done.responses} responses stored and verified"


def _wiring(folder: Path) -> Wiring:
    """The person's settings where they can be read, and their requantized model; everything else in the folder."""
    of_user = Places.of_user()
    settings = Settings()
    with suppress(GamutError):  # a part of its own says so
        settings = Settings.load(of_user)
    return Wiring(replace(of_user, data=folder, config=folder, logs=folder), settings, lambda _: None)


def _keyword(folder: Path) -> str:
    return _judged(folder / "keyword.gamut", _wiring(folder), KEYWORD)


def _bundled(folder: Path) -> str:
    return _judged(folder / "bundled.gamut", _wiring(folder), BUNDLED)


def _judged(path: Path, wiring: Wiring, judge_id: str) -> str:
    """One small question of three checks through the whole way: import, compile, judge, store, score."""
    material = path.with_suffix("")
    material.mkdir()
    (material / "rubric.yaml").write_text(_RUBRIC, encoding="utf-8")
    (material / "answers.jsonl").write_text(_ANSWER, encoding="utf-8")
    with Project.create(path) as project:
        import_path(project, material, author="Gamut Desktop")
        with wiring.judge(judge_id) as judge:
            done = grade(project, judge, selection=Selection(), text_only=True)
        if done.ended.error is not None:
            raise done.ended.error
        scores = [one["gamut"] for one in report(project).questions() if one["judge"] == judge_id]
    if not done.complete or not scores or scores[0] is None:
        raise PartFailed(f"{judge_id} answered {done.ended.answered} of {done.ended.asked} checks.", _AGAIN)
    return f"one response graded, {done.ended.answered} checks, score {scores[0] * 100:.1f}"


def _judge_process(folder: Path) -> str:
    require_llama_cpp()
    return in_process_of_its_own(_load_llama_cpp, folder, "The judge process")


def _load_llama_cpp(_: Path) -> str:
    """In a process started as the judge's is: load what the judge loads, and see that no Qt came along."""
    from judge_local.llama import binding, worker

    worker.wait_passively()
    facts = binding.build_facts()
    if any(name.split(".")[0] in ("PySide6", "shiboken6") for name in sys.modules):
        raise PartFailed("The judge process has loaded Qt, which it must not.", _AGAIN)
    return f"llama.cpp {facts['llama_cpp']} (llama-cpp-python {facts['llama_cpp_python']}) loads, without Qt beside it"
