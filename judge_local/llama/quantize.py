"""Requantizing a model once, for speed: in a process of its own, under a lock, its final name given when it is whole.

llama.cpp does the work (`llama_model_quantize`); the caller's process never loads it. A plain GGUF file comes out.
"""

import ctypes
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from judge_local.llama.modelfile import check_model_file
from judge_local.port import JudgeError

Quantization = Literal["Q8_0", "Q4_0"]
_POLL_SECONDS = 0.1


def requantized_path(source: Path, folder: Path, target: Quantization) -> Path:
    """Where the requantized file of that source lies in that folder: `Name.Q4_1.gguf` becomes `Name.Q8_0.gguf`."""
    return folder / f"{source.stem.rpartition('.')[0] or source.stem}.{target}.gguf"


def requantize(
    source: Path,
    folder: Path,
    target: Quantization = "Q8_0",
    say: Callable[[str], None] = lambda sentence: None,
    stop: Callable[[], bool] = lambda: False,
) -> Path:
    """The requantized file, made now if it is not there yet. Two processes that ask at once make it once.

    say: told one sentence about what takes a while. Raises JudgeError.
    """
    ready = requantized_path(source, folder, target)
    if ready.exists():
        return ready
    check_model_file(source)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = _locked(ready, say, stop)
    except OSError as error:
        raise JudgeError(
            f"{folder} cannot be written: {error.strerror or error}.",
            "Free some space there, or change its permissions.",
        ) from error
    with lock:
        if not ready.exists():
            say(f"Requantizing {source.name} to {target}, once, for speed: {ready}")
            _make(source, ready, target, stop)
    return ready


def _locked(ready: Path, say: Callable[[str], None], stop: Callable[[], bool]) -> FileLock:
    """The lock, held; the operating system frees it if its holder dies."""
    lock = FileLock(ready.with_suffix(".lock"), timeout=_POLL_SECONDS)
    told = False
    while True:
        try:
            lock.acquire()
            return lock
        except Timeout:
            _raise_if(stop)
            if not told:
                say(f"Waiting: another process is making {ready.name}.")
                told = True


def _make(source: Path, ready: Path, target: Quantization, stop: Callable[[], bool]) -> None:
    part = ready.with_suffix(".part")  # left from a process that died, it is overwritten: the lock is ours
    process = multiprocessing.get_context("spawn").Process(
        target=_quantize, args=(source, part, target), name="gamut-quantize", daemon=True
    )
    try:
        process.start()
        while process.is_alive():
            process.join(_POLL_SECONDS)
            _raise_if(stop)
        if process.exitcode != 0:
            raise JudgeError(
                f"{source.name} could not be requantized to {target} (exit code {process.exitcode}).",
                f"See that {ready.parent} has as much free space as the model is large, and that the file is whole.",
            )
        part.replace(ready)
    finally:
        if process.pid is not None:  # stopped before it was started
            process.kill()
            process.join()
        part.unlink(missing_ok=True)


def _raise_if(stop: Callable[[], bool]) -> None:
    if stop():
        raise JudgeError("Requantizing was stopped.", "It starts anew when the judge is next wanted.")


def _quantize(source: Path, part: Path, target: Quantization) -> None:
    """The other process: silent, its exit code says how it went."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    from llama_cpp import llama_cpp as low

    types = {"Q8_0": low.LLAMA_FTYPE_MOSTLY_Q8_0, "Q4_0": low.LLAMA_FTYPE_MOSTLY_Q4_0}
    params = low.llama_model_quantize_default_params()
    params.ftype = types[target]
    params.allow_requantize = True
    code = low.llama_model_quantize(str(source).encode(), str(part).encode(), ctypes.byref(params))
    raise SystemExit(int(code != 0))
