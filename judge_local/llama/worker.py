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
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from judge_local import reasoning
from judge_local.engine import Aborted, Engine
from judge_local.llama.machine import of_machine
from judge_local.llama.messages import (
    Answered,
    Ask,
    Cancel,
    Done,
    Fact,
    LocalSettings,
    Measure,
    NotReady,
    Ready,
    Started,
)
from judge_local.manner import Manner
from judge_local.parking import Parking
from judge_local.port import JudgeError, Remark
from judge_local.prompt import PROMPT_VERSION, PromptBuilder
from judge_local.prompts import judge_3 as words
from judge_local.prompts.templates import ChatShape, chat_shape
from judge_local.reading import MIN_LABEL_MASS

PACK = 32  # leaves of one packed pass


def main(connection: Connection, settings: LocalSettings, log_path: Path | None) -> None:
    """The process's whole life. Anything unexpected is a traceback in the log and exit code 1."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer: it ends this process
    _redirect_output(log_path)
    faulthandler.enable()
    wait_passively()
    inbox = _Inbox(connection)
    try:
        engine, ready = _load(settings, inbox)
    except JudgeError as error:
        connection.send(NotReady(error.sentence, error.next_step))
        return
    connection.send(ready)
    while True:
        _serve(inbox.next(), engine, inbox, connection)


class _Inbox:
    """Reads the pipe in a thread of its own, so that a cancel is heard during a computation, and a dead parent too."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._asks: queue.SimpleQueue[Ask | Measure] = queue.SimpleQueue()
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

    def next(self) -> Ask | Measure:
        ask = self._asks.get()
        self._current = ask.number
        return ask

    def cancelled(self) -> bool:
        """llama.cpp calls this many times a second, from inside a computation."""
        return self._current <= self._cancelled


def _serve(ask: Ask | Measure, engine: Engine, inbox: _Inbox, connection: Connection) -> None:
    before = engine.evaluated
    deviation = None
    try:
        if isinstance(ask, Measure):
            deviation = engine.deviation(ask.asking, ask.wanted)
            ask = replace(ask, wanted=())
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
    connection.send(Done(ask.number, engine.evaluated - before, deviation))


def _load(settings: LocalSettings, inbox: _Inbox) -> tuple[Engine, Ready]:
    try:
        from judge_local.llama.binding import Binding, build_facts
    except (ImportError, OSError, RuntimeError) as error:
        raise JudgeError(
            f"llama.cpp could not be loaded: {error}.", 'Reinstall it with: pip install "gamut-desktop[judge]"'
        ) from error
    binding = Binding(of_machine(settings, PACK if settings.packed else 0), inbox.cancelled)
    template = binding.chat_template
    shape = chat_shape(
        template,
        binding.special_text("bos"),
        binding.special_text("eos"),
        binding.wants_bos,
        lambda mark: len(binding.tokenize(mark, True)) == 1,
    )
    manner = Manner(
        settings.style, settings.prior, settings.orders, settings.rationale, settings.margin, settings.packed
    )
    engine = Engine(binding, PromptBuilder(shape, settings.seed), manner, Parking(settings.spill))
    facts = {**binding.facts(), **build_facts(), **_prompt_facts(settings, template, shape)}
    remarks = [*binding.remarks, *([Remark(shape.note)] if shape.note else [])]
    return engine, Ready(tuple(sorted(facts.items())), tuple(remarks))


def _prompt_facts(settings: LocalSettings, template: str | None, shape: ChatShape) -> dict[str, Fact]:
    """What of the ruler is the prompt's and the reading's. A fact that says nothing in this manner is None."""
    sees = settings.projector is not None and settings.sight
    reasons = settings.style != "direct"
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
        "packed": PACK if settings.packed else False,
        "sampler": "greedy within a grammar" if reasons else None,
        "reasoning_effort": f"{reasoning.MOST_TOKENS} tokens" if reasons else None,
        "margin": settings.margin if settings.style == "adaptive" else None,
        "rationale": settings.rationale,
        "sight": "picture" if sees else "none",
        "image_preprocessing": "mtmd" if sees else None,
    }


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
