"""The judge process: killed, frozen, cancelled, orphaned and closed, each for real and by its process id."""

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from judge_local.llama.messages import LocalSettings
from judge_local.port import Answer, Asking, JudgeError
from judge_local.supervisor import Supervisor, WorkerEnd
from models.rubric.checklist import CheckText, Kind
from models.verdicts import Outcome
from tests.judge.askings import CHECKS, asking, long_check

pytestmark = pytest.mark.skipif(os.name != "posix", reason="these tests kill by signal")
MANY = tuple(CheckText(Kind.PRESENCE, f"States: fact number {number} about coffee") for number in range(6))


@pytest.fixture
def supervisor(settings: LocalSettings) -> Iterator[Supervisor]:
    made = Supervisor(settings)
    yield made
    made.close()


def never() -> bool:
    return False


def pid_of(supervisor: Supervisor) -> int:
    assert supervisor.worker_pid is not None
    return supervisor.worker_pid


class Killer:
    """A `stop` that kills the worker at random polls, once at most between two answers."""

    def __init__(self, supervisor: Supervisor, seed: int) -> None:
        self._supervisor, self._random = supervisor, random.Random(seed)
        self.kills = 0
        self.rest()

    def rest(self) -> None:
        self._polls_left = self._random.randint(1, 14)

    def __call__(self) -> bool:
        self._polls_left -= 1
        pid = self._supervisor.worker_pid
        if self._polls_left == 0 and pid is not None:
            os.kill(pid, self._random.choice([signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT]))
            self.kills += 1
        return False


def kill_it(settings: LocalSettings, times: int) -> None:
    seed = int(os.environ.get("GAMUT_SEED") or random.randrange(1 << 32))
    print(f"killing {times} times, seed {seed}")
    supervisor = Supervisor(settings)
    plain = dict(supervisor.ask(asking(checks=MANY), never))
    killer = Killer(supervisor, seed)
    while killer.kills < times:
        got: dict[int, Answer] = {}
        for index, answer in supervisor.ask(asking(checks=MANY), killer):
            assert index not in got, f"answered twice (seed {seed})"
            got[index] = answer
            killer.rest()
        assert got == plain, f"seed {seed}"
    supervisor.close()


def test_a_worker_killed_at_random_moments_loses_and_repeats_nothing(settings: LocalSettings) -> None:
    kill_it(settings, 10)


@pytest.mark.soak
@pytest.mark.skipif(os.environ.get("GAMUT_SOAK") != "1", reason="the long form: GAMUT_SOAK=1")
def test_a_worker_killed_a_hundred_times_loses_and_repeats_nothing(settings: LocalSettings) -> None:
    kill_it(settings, 100)


def computed(pid: int) -> float:
    """Processor seconds of that process so far."""
    try:
        used = psutil.Process(pid).cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(used.user + used.system)


def test_a_check_that_kills_the_worker_twice_is_left_and_the_rest_goes_on(supervisor: Supervisor) -> None:
    seen: dict[int, float] = {}
    got: dict[int, Answer] = {}

    def kill_at_the_long_check() -> bool:
        """Two seconds of computing after the first answer or the start, which is past loading and far from the end."""
        pid = supervisor.worker_pid
        if 0 in got and pid and len(seen) <= 2 and computed(pid) > seen.setdefault(pid, computed(pid)) + 2:
            os.kill(pid, signal.SIGKILL)
            seen[pid] = float("inf")
        return False

    checks = (CHECKS[0], long_check(1200), CHECKS[1])
    for index, answer in supervisor.ask(asking(checks=checks), kill_at_the_long_check):
        got[index] = answer
    assert [got[i].outcome for i in range(3)] == [Outcome.VERDICT, Outcome.FAILED, Outcome.VERDICT]
    assert got[1].note == (
        "The judge process was killed (signal 9), perhaps because memory ran out,"
        " and it was the second time that it died at this check."
    )


def test_three_deaths_in_a_row_stop_it_with_a_sentence_and_it_can_be_started_again(supervisor: Supervisor) -> None:
    seen: list[int] = []

    def kill_on_sight() -> bool:
        pid = supervisor.worker_pid
        if pid and pid not in seen:
            seen.append(pid)
            os.kill(pid, signal.SIGKILL)
        return False

    with pytest.raises(JudgeError) as caught:
        list(supervisor.ask(asking(), kill_on_sight))
    assert len(seen) == 3
    assert caught.value.sentence == (
        "The judge stopped: its process died 3 times without an answer."
        " It last was killed (signal 9), perhaps because memory ran out."
    )
    assert "what is answered stands" in caught.value.next_step
    assert len(list(supervisor.ask(asking(), never))) == len(CHECKS)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (-9, "The judge process was killed (signal 9), perhaps because memory ran out."),
        (-11, "The judge process crashed (signal 11), perhaps over a damaged model file."),
        (-6, "The judge process stopped itself (signal 6), as llama.cpp does when its own rules are broken."),
        (-15, "The judge process was ended from outside (signal 15)."),
        (-8, "The judge process was ended by signal 8."),
        (1, "The judge process ended unexpectedly (exit code 1)."),
    ],
)
def test_every_end_has_its_sentence(code: int, sentence: str) -> None:
    assert str(WorkerEnd(code)) == sentence


def stop_after(seconds: float) -> Callable[[], bool]:
    """True once so much time has passed since the first poll."""
    began: list[float] = []

    def stop() -> bool:
        began.append(time.monotonic())
        return began[-1] - began[0] > seconds

    return stop


def test_a_stop_is_heard_in_the_middle_of_a_long_evaluation(supervisor: Supervisor) -> None:
    supervisor.facts()
    pid = pid_of(supervisor)
    stop = stop_after(0.5)
    began = time.monotonic()
    assert list(supervisor.ask(asking("milk " * 1300), stop)) == []
    assert time.monotonic() - began < 0.5 + 1
    assert supervisor.worker_pid == pid, "asked to stop, not killed"
    assert len(list(supervisor.ask(asking(), never))) == len(CHECKS)


def test_a_frozen_worker_is_ended_when_it_does_not_hear_a_stop(supervisor: Supervisor) -> None:
    supervisor.facts()
    pid = pid_of(supervisor)
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    assert list(supervisor.ask(asking(), stop_after(0.1))) == []
    assert time.monotonic() - began < 3
    assert not psutil.pid_exists(pid)
    assert len(list(supervisor.ask(asking(), never))) == len(CHECKS)


def test_an_asking_that_is_left_half_way_does_not_disturb_the_next(supervisor: Supervisor) -> None:
    plain = dict(supervisor.ask(asking(), never))
    answers = supervisor.ask(asking(checks=MANY), never)
    next(answers)
    answers.close()
    assert dict(supervisor.ask(asking(), never)) == plain


def test_nothing_of_a_closed_judge_is_left(settings: LocalSettings) -> None:
    threads = threading.enumerate()
    supervisor = Supervisor(settings)
    supervisor.facts()
    pid = pid_of(supervisor)
    supervisor.close()
    assert not psutil.pid_exists(pid), "not even a zombie"
    assert threading.enumerate() == threads
    assert supervisor.worker_pid is None
    with pytest.raises(JudgeError, match="The judge was closed"):
        list(supervisor.ask(asking(), never))
    supervisor.close()


def test_a_judge_closed_from_another_thread_ends_the_asking(settings: LocalSettings) -> None:
    supervisor = Supervisor(settings)
    ended: list[str] = []

    def drive(asked: Asking) -> None:
        try:
            list(supervisor.ask(asked, never))
        except JudgeError as error:
            ended.append(error.sentence)

    supervisor.facts()
    pid = pid_of(supervisor)
    driver = threading.Thread(target=drive, args=(asking("milk " * 1300),))
    driver.start()
    supervisor.close()
    driver.join(10)
    assert not driver.is_alive()
    assert ended == ["The judge was closed."]
    assert not psutil.pid_exists(pid)


def test_a_damaged_model_is_refused_once_and_not_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "noise.gguf"
    path.write_bytes(b"GGUF" + bytes(range(256)) * 9)
    supervisor = Supervisor(LocalSettings(path, threads=1))
    with pytest.raises(JudgeError, match=r"noise\.gguf is damaged"):
        supervisor.facts()
    assert supervisor.worker_pid is None
    supervisor.close()


def test_the_worker_has_no_qt_and_its_parent_no_llama_cpp(supervisor: Supervisor) -> None:
    import PySide6.QtCore  # noqa: F401 - as in the window's process

    supervisor.facts()
    mapped = Path(f"/proc/{pid_of(supervisor)}/maps")
    if not mapped.exists():
        pytest.skip("no /proc here")
    assert "libllama" in mapped.read_text()
    assert "PySide6" not in mapped.read_text()
