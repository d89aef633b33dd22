"""A judge that runs on this machine: the port's promises over a supervised llama.cpp process.

It adds what the process cannot say of itself to the ruler (the weights' hash) and leaves all judging to the engine.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from judge_local.bundled import require_llama_cpp
from judge_local.llama.messages import LocalSettings
from judge_local.llama.modelfile import check_model_file
from judge_local.port import Answer, Asking, Remark
from judge_local.supervisor import Supervisor
from models.provenance import Ruler

__all__ = ["LocalJudge", "LocalSettings", "weights_sha256"]


class LocalJudge:
    """A Judge (see port.py) of one model file. Nothing is loaded before the first ruler or asking.

    cache: a folder for the hashes of model files; None: they are computed anew by each process. log_path: where the
    judge process's own output goes; None: nowhere.
    """

    def __init__(
        self, judge_id: str, settings: LocalSettings, cache: Path | None = None, log_path: Path | None = None
    ) -> None:
        self._id = judge_id
        self._settings = settings
        self._cache = cache
        self._supervisor = Supervisor(settings, log_path)
        self._ruler: Ruler | None = None

    @property
    def id(self) -> str:
        return self._id

    @property
    def sees_images(self) -> bool:
        return self._settings.projector is not None and self._settings.sight

    @property
    def evaluated(self) -> int:
        """Tokens computed so far, for all askings that came to their end."""
        return self._supervisor.evaluated

    @property
    def worker_pid(self) -> int | None:
        """The process id of the judge process; None while there is none."""
        return self._supervisor.worker_pid

    def ruler(self) -> Ruler:
        if self._ruler is None:
            self._require()
            weights = weights_sha256(self._settings.model_path, self._cache)
            projector = self._settings.projector if self.sees_images else None
            self._ruler = Ruler.of(
                self._id,
                weights_sha256=weights,
                projector_sha256=weights_sha256(projector, self._cache) if projector else None,
                **self._supervisor.facts(),
            )
        return self._ruler

    def judge(self, asking: Asking, stop: Callable[[], bool]) -> Iterator[tuple[int, Answer]]:
        self._require()
        yield from self._supervisor.ask(asking, stop)

    def deviation(self, asking: Asking, stop: Callable[[], bool] = lambda: False) -> float | None:
        """The largest difference of a label's probability between shared and empty memory over these checks, 0..1."""
        self._require()
        return self._supervisor.deviation(asking, stop)

    def remarks(self) -> tuple[Remark, ...]:
        return self._supervisor.remarks

    def close(self) -> None:
        self._supervisor.close()

    def _require(self) -> None:
        require_llama_cpp()
        check_model_file(self._settings.model_path)
        if self.sees_images and self._settings.projector is not None:
            check_model_file(self._settings.projector)


def weights_sha256(path: Path, cache: Path | None = None) -> str:
    """64 hex digits over the file; looked up in `cache` by path, size and time of change, computed once otherwise."""
    stat = path.stat()
    key = f"{path.resolve()}|{stat.st_size}|{stat.st_mtime_ns}"
    if (known := _HASHES.get(key)) is not None:
        return known
    store = cache / "weights.json" if cache else None
    hashes = _read(store) if store else {}
    if key not in hashes:
        with path.open("rb") as file:
            hashes[key] = hashlib.file_digest(file, "sha256").hexdigest()
        if store:
            store.parent.mkdir(parents=True, exist_ok=True)
            part = store.with_suffix(".part")
            part.write_text(json.dumps(hashes, indent=1), encoding="utf-8")
            part.replace(store)
    _HASHES[key] = hashes[key]
    return hashes[key]


_HASHES: dict[str, str] = {}


def _read(store: Path) -> dict[str, str]:
    """What is in the cache; nothing if it is missing or damaged: it can always be computed again."""
    try:
        kept = json.loads(store.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}
