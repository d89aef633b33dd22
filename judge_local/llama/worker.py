"""The judge process: loads a model, answers what the pipe asks, and ends with its parent.

It is spawned, imports llama.cpp only once it runs, and writes nothing to its parent's terminal: file descriptors 1 and
2 go to a log file, or nowhere.
"""

import faulthandler
import hashlib
import os
import queue
import signal
import threading
from multiprocessing.connection import Connection
from pathlib import Path

import psutil

from judge_local.engine import Aborted, Engine
from judge_local.llama.messages import Answered, Ask, Cancel, Done, Fact, LocalSettings, NotReady, Ready, Started
from judge_local.port import JudgeError
from judge_local.prompt import PROMPT_VERSION, PromptBuilder
from judge_local.prompts import judge_1 as words
from judge_local.prompts.templates import ChatShape, chat_shape
from judge_local.reading import MIN_LABEL_MASS

_MOST_THREADS = 8


def main(connection: Connection, settings: LocalSettings, log_path: Path | None) -> None:
    """The process's whole life. Anything unexpected is a traceback in the log and exit code 1."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer: it ends this process
    _redirect_output(log_path)
    faulthandler.enable()
    wait_passively()
    inbox = _Inbox(connection)
    try:
        engine, facts = _load(settings, inbox)
    except JudgeError as error:
        connection.send(NotReady(error.sentence, error.next_step))
        return
    connection.send(Ready(facts))
    while True:
        _serve(inbox.next(), engine, inbox, connection)


class _Inbox:
    """Reads the pipe in a thread of its own, so that a cancel is heard during a computation, and a dead parent too."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._asks: queue.SimpleQueue[Ask] = queue.SimpleQueue()
        self._cancelled = -1
        self._current = 0
        threading.Thread(target=self._listen, name="judge-inbox", daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                message = self._connection.recv()
            except (EOFError, OSError):
                os._exit(0)  # the parent is gone, and a computation that nobody waits for must not go on
            if isinstance(message, Cancel):
                self._cancelled = max(self._cancelled, message.number)
            else:
                self._asks.put(message)

    def next(self) -> Ask:
        ask = self._asks.get()
        self._current = ask.number
        return ask

    def cancelled(self) -> bool:
        """llama.cpp calls this many times a second, from inside a computation."""
        return self._current <= self._cancelled


def _serve(ask: Ask, engine: Engine, inbox: _Inbox, connection: Connection) -> None:
    before = engine.evaluated
    try:
        for index, answer in engine.judge(
            ask.asking, ask.wanted, started=lambda index: connection.send(Started(ask.number, index))
        ):
            connection.send(Answered(ask.number, index, answer))
            if inbox.cancelled():
                break
    except Aborted:
        pass  # what was answered is answered; the rest was not wanted any more
    except BrokenPipeError:
        os._exit(0)
    connection.send(Done(ask.number, engine.evaluated - before))


def _load(settings: LocalSettings, inbox: _Inbox) -> tuple[Engine, tuple[tuple[str, Fact], ...]]:
    try:
        from judge_local.llama.binding import Binding, LoadOptions, build_facts
    except (ImportError, OSError, RuntimeError) as error:
        raise JudgeError(
            f"llama.cpp could not be loaded: {error}.", 'Reinstall it with: pip install "gamut-desktop[judge]"'
        ) from error
    threads = settings.threads or default_threads()
    binding = Binding(
        LoadOptions(
            settings.model_path,
            threads,
            settings.context,
            settings.batch,
            settings.gpu_layers,
            settings.flash_attention,
        ),
        inbox.cancelled,
    )
    template = binding.chat_template
    shape = chat_shape(
        template,
        binding.special_text("bos"),
        binding.special_text("eos"),
        binding.wants_bos,
        lambda mark: len(binding.tokenize(mark, True)) == 1,
    )
    engine = Engine(binding, PromptBuilder(shape, settings.seed), settings.prior, settings.orders)
    facts = {**binding.facts(), **build_facts(), **_prompt_facts(settings, template, shape)}
    return engine, tuple(sorted(facts.items()))


def _prompt_facts(settings: LocalSettings, template: str | None, shape: ChatShape) -> dict[str, Fact]:
    """What of the ruler is the prompt's and the reading's. Facts that images will bring are named now, as none."""
    return {
        "prompt": PROMPT_VERSION,
        "verdict_meanings": words.MEANINGS_OF,
        "chat_template_sha256": _sha256(template) if template is not None else None,
        "chat_shape_sha256": _sha256("\0".join((shape.head, shape.between, shape.tail))),
        "template_note": shape.note,
        "style": settings.style,
        "labels": "".join(words.LETTERS),
        "orders": settings.orders,
        "seed": settings.seed,
        "prior": settings.prior,
        "min_label_mass": MIN_LABEL_MASS,
        "packed": False,
        "sampler": None,
        "reasoning_effort": None,
        "sight": "none",
        "image_preprocessing": None,
        "projector_sha256": None,
    }


def default_threads() -> int:
    """Physical cores that this process may use, at most eight: more threads than that wait for memory."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(psutil.cpu_count(logical=False) or allowed, allowed, _MOST_THREADS))


def wait_passively() -> None:
    """Have OpenMP's threads sleep where they wait for each other; to be called before llama.cpp is loaded.

    By default they spin. In three trials on two busy cores (load not controlled) sleeping was 2 to 10 times as fast;
    what it costs on a free machine was not measured.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def _redirect_output(log_path: Path | None) -> None:
    target = os.open(log_path or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for descriptor in (1, 2):
        os.dup2(target, descriptor)
    os.close(target)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
