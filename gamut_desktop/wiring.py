"""The one place that wires: from a judge's id and the person's settings to a judge that works. Qt-free.

Everything here is cheap until a judge is really asked for: llama.cpp lives in a child process and loads there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gamut_desktop.settings import Places, Settings
from judge_local.bundled import bundled_model, bundled_source, require_llama_cpp
from judge_local.keyword import KeywordJudge
from judge_local.local import LocalJudge, LocalSettings
from judge_local.port import Judge
from models.errors import GamutError

KEYWORD, BUNDLED, FILE = "keyword", "smollm2", "file:"


class UnknownName(GamutError):
    """The person named a judge or format that does not exist."""


@dataclass(frozen=True, slots=True)
class JudgeInfo:
    """One judge as lists show it. `why_not`: what is missing, as a sentence with a next step."""

    id: str
    kind: str
    ready: bool
    why_not: str | None
    sees_images: bool
    preflight: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The stable shape of `gamut judges list --json`."""
        return {
            "id": self.id,
            "kind": self.kind,
            "ready": self.ready,
            "why_not": self.why_not,
            "sees_images": self.sees_images,
            "preflight": self.preflight,
        }


@dataclass(frozen=True)
class Wiring:
    """Judges and use cases for one user. `say` receives sentences about what takes time or was chosen."""

    places: Places
    settings: Settings
    say: Callable[[str], None]

    @classmethod
    def of_user(cls, say: Callable[[str], None]) -> "Wiring":
        """Wire for the current user; raises SettingsError."""
        places = Places.of_user()
        return cls(places, Settings.load(places), say)

    def judges(self) -> list[JudgeInfo]:
        """Every judge that can be named without more, and whether it is ready."""
        missing = _why_not(require_llama_cpp) or _why_not(bundled_source)
        return [
            JudgeInfo(KEYWORD, "baseline", True, None, False),
            JudgeInfo(BUNDLED, "bundled", missing is None, missing, False),
        ]

    def require(self, judge_id: str) -> None:
        """Raises UnknownName unless the id names a judge."""
        if judge_id not in (KEYWORD, BUNDLED) and not judge_id.removeprefix(FILE) != judge_id:
            raise UnknownName(
                f"There is no judge '{judge_id}'.", f"Use {KEYWORD}, {BUNDLED} or {FILE}PATH; see gamut judges list."
            )

    def needs_consent(self, judge_id: str) -> bool:
        """Whether grading pictures by text alone must be asked for; the baseline is about words by design."""
        return judge_id != KEYWORD

    @contextmanager
    def judge(self, judge_id: str) -> Iterator[Judge]:
        """The judge of that id, closed at the end. Raises UnknownName, JudgeUnavailable."""
        self.require(judge_id)
        made = KeywordJudge() if judge_id == KEYWORD else self._local(judge_id)
        try:
            yield made
        finally:
            made.close()

    def _local(self, judge_id: str) -> LocalJudge:
        require_llama_cpp()
        if judge_id == BUNDLED:
            path = bundled_model(self.places.cache / "models", self.say)
        else:
            path = Path(judge_id.removeprefix(FILE)).expanduser()
        chosen = self.settings.judge
        return LocalJudge(
            judge_id,
            LocalSettings(
                model_path=path,
                threads=chosen.threads,
                context=chosen.context,
                seed=chosen.seed,
                orders=chosen.orders,
                prior=chosen.subtract_prior,
            ),
            cache=self.places.cache,
            log_path=self._log("judge.log"),
        )

    def _log(self, name: str) -> Path | None:
        """Where a log goes; nowhere if its folder cannot be made, which is no reason not to work."""
        try:
            self.places.logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            return None
        return self.places.logs / name


def _why_not(need: Callable[[], object]) -> str | None:
    try:
        need()
    except GamutError as error:
        return str(error)
    return None
