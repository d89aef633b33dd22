"""What a model is given of this machine, and why: threads, cells of memory, branches. Sentences go with the choices."""

import os

import psutil

from judge_local.llama.messages import LocalSettings
from judge_local.llama.options import LoadOptions
from judge_local.port import Remark

MOST_THREADS = 8
_SHARE_OF_FREE_MEMORY = 0.8


def of_machine(settings: LocalSettings, packs: int = 0) -> LoadOptions:
    """How to load a model with these settings here, as far as that is known before it is loaded."""
    return LoadOptions(
        path=settings.model_path,
        threads=settings.threads or default_threads(),
        context=settings.context,
        batch=settings.batch,
        gpu_layers=settings.gpu_layers,
        flash_attention=settings.flash_attention,
        projector=settings.projector if settings.sight else None,
        sequences=1 if packs else settings.sequences,
        packs=packs,
        memory=int(psutil.virtual_memory().available * _SHARE_OF_FREE_MEMORY),
        threads_chosen=settings.threads is None,
    )


def default_threads() -> int:
    """Physical cores that this process may use, at most eight: more threads than that wait for memory."""
    allowed = _allowed_cores()
    return max(1, min(psutil.cpu_count(logical=False) or allowed, allowed, MOST_THREADS))


def threads_remark(threads: int, chosen: bool) -> Remark:
    """Why so many threads."""
    if not chosen:
        return Remark(f"{_count(threads, 'thread')}, as set.")
    if threads == MOST_THREADS:
        return Remark(f"{threads} threads: more would wait for memory.")
    return Remark(f"{_count(threads, 'thread')}: as many as this process has cores.")


def _allowed_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
