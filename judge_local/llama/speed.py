"""How fast this machine reads with a model file, and of which kind the file is: found out in a process of its own.

The caller's process never loads llama.cpp, so that a file which brings it down is a sentence. Speed is measured as a
judge spends its time: on reading a prompt, not on writing.
"""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from judge_local.llama.machine import default_threads
from judge_local.llama.modelfile import check_model_file
from judge_local.llama.worker import wait_passively
from judge_local.port import JudgeError

if TYPE_CHECKING:
    from judge_local.llama.binding import Binding

TOKENS = 256
PASSES = 5
_WARM_UP = 32  # tokens: enough to have the file in memory
_POLL_SECONDS = 0.1
_TEXT = "The judge reads an answer and one check at a time, and says how the one stands to the other. "


@dataclass(frozen=True, slots=True)
class Pace:
    """Tokens a second of each pass over the same prompt of TOKENS tokens, in the order they ran."""

    passes: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.passes)

    @property
    def low(self) -> float:
        return min(self.passes)

    @property
    def high(self) -> float:
        return max(self.passes)


def quantization(path: Path, stop: Callable[[], bool] = lambda: False) -> str:
    """What llama.cpp calls the kind of that file's weights ("Q4_1", "F16", ...). Raises JudgeError."""
    check_model_file(path)
    return str(_in_child(_quantization, (path,), path, stop))


def compare(paths: Sequence[Path], threads: int | None = None, stop: Callable[[], bool] = lambda: False) -> list[Pace]:
    """The pace of each of these files: PASSES each after a short one to warm up. They take turns, so that what else
    runs on the machine slows all alike. threads: None for as many as a judge takes by itself. Raises JudgeError.
    """
    for path in paths:
        check_model_file(path)
    found = _in_child(_paces, (tuple(paths), threads or default_threads()), paths[0], stop)
    return [Pace(tuple(passes)) for passes in found]


def _in_child(work: Callable[..., Any], arguments: tuple[Any, ...], path: Path, stop: Callable[[], bool]) -> Any:
    """What `work` returns in a spawned process that dies with this one, or when `stop` is true."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(theirs, work, arguments), name="gamut-speed", daemon=True)
    try:
        process.start()
        theirs.close()
        while not ours.poll(_POLL_SECONDS):
            if stop():
                raise JudgeError("Measuring was stopped.", "Ask for it again whenever you like.")
        result = ours.recv()
    except EOFError:
        process.join()
        raise JudgeError(
            f"The process that tried {path.name} ended without an answer (exit code {process.exitcode}).",
            "The file may be damaged, or need more memory than there is.",
        ) from None
    finally:
        if process.pid is not None:
            process.kill()
            process.join()
        ours.close()
    if isinstance(result, _Refused):
        raise JudgeError(result.sentence, result.next_step)
    return result


@dataclass(frozen=True, slots=True)
class _Refused:
    """A JudgeError on its way through a pipe."""

    sentence: str
    next_step: str


def _run(connection: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """The other process: silent, and deaf to Ctrl-C, which its parent answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    wait_passively()
    try:
        connection.send(work(*arguments))
    except JudgeError as error:
        connection.send(_Refused(error.sentence, error.next_step))


def _quantization(path: Path) -> str:
    from judge_local.llama.binding import Binding, LoadOptions

    binding = Binding(LoadOptions(path, threads=1, context=64))
    kind = str(binding.facts()["quantization"])
    binding.close()
    return kind


def _paces(paths: tuple[Path, ...], threads: int) -> list[list[float]]:
    from judge_local.llama.binding import Binding, LoadOptions

    bindings = [Binding(LoadOptions(path, threads, context=2 * TOKENS, batch=TOKENS)) for path in paths]
    prompts = [binding.tokenize(_TEXT * TOKENS, False)[:TOKENS] for binding in bindings]
    found: list[list[float]] = [[] for _ in paths]
    for binding, prompt in zip(bindings, prompts, strict=True):
        _read(binding, prompt[:_WARM_UP])
    for _ in range(PASSES):
        for binding, prompt, paces in zip(bindings, prompts, found, strict=True):
            began = time.perf_counter()
            _read(binding, prompt)
            paces.append(len(prompt) / (time.perf_counter() - began))
    for binding in bindings:
        binding.close()
    return found


def _read(binding: "Binding", tokens: tuple[int, ...]) -> None:
    binding.clear()
    binding.evaluate(tokens, 0, want_logits=True)
    binding.logits()  # llama.cpp may still be computing until it is asked
