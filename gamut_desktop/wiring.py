"""The one place that wires: from a judge's id and the person's settings to a judge that works. Qt-free.

Everything here is cheap until a judge is really asked for: llama.cpp lives in a child process and loads there.
"""

import importlib.metadata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gamut_desktop.settings import Places, Settings
from judge_local.bundled import bundled_model, bundled_source, require_llama_cpp
from judge_local.counting import CountingJudge
from judge_local.keyword import KeywordJudge
from judge_local.llama.modelfile import ModelFileError, check_model_file
from judge_local.local import LocalJudge, LocalSettings
from judge_local.port import Judge, JudgeUnavailable
from judge_local.preflight.canned import FINGERPRINT
from judge_local.prompt import PROMPT_VERSION
from judge_local.shelf.registry import Registry, setup_digest
from models.errors import GamutError

KEYWORD, BUNDLED, FILE = "keyword", "smollm2", "file:"


class UnknownName(GamutError):
    """The person named a judge or format that does not exist."""


@dataclass(frozen=True, slots=True)
class PreflightMark:
    """A judge's last preflight as lists show it. accuracy: 0..1, None without a verdict. stale: of another set-up."""

    accuracy: float | None
    worse_than_keyword: bool
    date: str
    stale: bool

    def as_json(self) -> dict[str, Any]:
        """Part of `gamut judges list --json`."""
        return {
            "accuracy": self.accuracy,
            "worse_than_keyword": self.worse_than_keyword,
            "date": self.date,
            "stale": self.stale,
        }


@dataclass(frozen=True, slots=True)
class JudgeInfo:
    """One judge as lists show it. `why_not`: what is missing, as a sentence with a next step."""

    id: str
    kind: str
    ready: bool
    why_not: str | None
    sees_images: bool
    preflight: PreflightMark | None = None

    def as_json(self) -> dict[str, Any]:
        """The stable shape of `gamut judges list --json`."""
        return {
            "id": self.id,
            "kind": self.kind,
            "ready": self.ready,
            "why_not": self.why_not,
            "sees_images": self.sees_images,
            "preflight": None if self.preflight is None else self.preflight.as_json(),
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

    def with_settings(self, settings: Settings) -> "Wiring":
        """The same with other settings; judges that are made already keep theirs."""
        return replace(self, settings=settings)

    def judges(self) -> list[JudgeInfo]:
        """Every judge that can be named without more, those that were added from files too, and whether it is ready."""
        return [self.info(judge_id) for judge_id in dict.fromkeys((KEYWORD, BUNDLED, *self.settings.judges))]

    def info(self, judge_id: str) -> JudgeInfo:
        """One judge as lists show it."""
        if judge_id == KEYWORD:
            return JudgeInfo(KEYWORD, "baseline", True, None, False, self.mark(KEYWORD))
        kind, need = ("bundled", bundled_source) if judge_id == BUNDLED else ("file", partial(_usable, judge_id))
        missing = _why_not(require_llama_cpp) or _why_not(need)
        return JudgeInfo(judge_id, kind, missing is None, missing, self.can_see(judge_id), self.mark(judge_id))

    def can_see(self, judge_id: str) -> bool:
        """Whether the judge has what it takes to see pictures; the settings may still say not to look."""
        return judge_id.startswith(FILE) and len(_files(judge_id)) == 2

    def sees(self, judge_id: str, *, text_only: bool = False) -> bool:
        """Whether the judge of `judge(judge_id, text_only=text_only)` is shown pictures."""
        return self.can_see(judge_id) and self.settings.judge.look_at_pictures and not text_only

    @property
    def registry(self) -> Registry:
        """What is kept with each judge."""
        return Registry(self.places.data / "judges")

    def setup(self, judge_id: str) -> str | None:
        """What can be known of a judge without starting it, hashed: files, settings, versions; None if it is gone."""
        if judge_id == KEYWORD:
            return KeywordJudge().ruler().digest
        try:
            files = [bundled_source()] if judge_id == BUNDLED else _files(judge_id)
            binding = importlib.metadata.version("llama-cpp-python")
        except (GamutError, importlib.metadata.PackageNotFoundError):
            return None
        return setup_digest(
            files, prompt=PROMPT_VERSION, binding=binding, **self.settings.judge.model_dump(mode="json")
        )

    def mark(self, judge_id: str) -> PreflightMark | None:
        """The judge's last preflight for lists, and whether it still speaks of the judge as it is."""
        if (last := self.registry.last(judge_id)) is None:
            return None
        stale = last.items != FINGERPRINT or last.setup is None or last.setup != self.setup(judge_id)
        return PreflightMark(last.accuracy, last.worse_than_keyword, last.date, stale)

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
    def judge(self, judge_id: str, seed: int | None = None, *, text_only: bool = False) -> Iterator[Judge]:
        """The judge of that id, closed at the end; `seed`: another than the settings say; text_only: shown no picture.

        Raises UnknownName, JudgeUnavailable.
        """
        self.require(judge_id)
        made = KeywordJudge() if judge_id == KEYWORD else self._local(judge_id, seed, text_only)
        try:
            yield made
        finally:
            made.close()

    def _local(self, judge_id: str, seed: int | None, text_only: bool) -> Judge:
        require_llama_cpp()
        if judge_id == BUNDLED:
            path, projector = bundled_model(self.places.cache / "models", self.say), None
        else:
            path, projector = _pair(judge_id)
        chosen = self.settings.judge
        made = LocalJudge(
            judge_id,
            LocalSettings(
                model_path=path,
                projector=projector,
                sight=chosen.look_at_pictures and not text_only,
                threads=chosen.threads,
                context=chosen.context,
                gpu_layers=chosen.gpu_layers,
                seed=chosen.seed if seed is None else seed,
                style=chosen.style,
                margin=chosen.margin,
                rationale=chosen.rationale,
                orders=chosen.orders,
                # Only the bundled model gains by it: a good judge is right to call a content-free response missing, and
                # taking that off would push absent facts towards "meets".
                prior=judge_id == BUNDLED if chosen.subtract_prior is None else chosen.subtract_prior,
                packed=chosen.packed,
                spill=self.places.cache / "spill",
            ),
            cache=self.places.cache,
            log_path=self._log("judge.log"),
        )
        return CountingJudge(made, spans=chosen.style == "reasoned") if chosen.count_by_code else made

    def _log(self, name: str) -> Path | None:
        """Where a log goes; nowhere if its folder cannot be made, which is no reason not to work."""
        try:
            self.places.logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            return None
        return self.places.logs / name


def judge_name(judge_id: str) -> str:
    """A judge's id, short: of a file judge the model file's name without its ending."""
    return _files(judge_id)[0].name.removesuffix(".gguf") if judge_id.startswith(FILE) else judge_id


def file_judge(model: Path, projector: Path | None = None) -> str:
    """The id of the judge that these files are. Raises ModelFileError unless each starts like a GGUF file."""
    files = [file.expanduser().absolute() for file in (model, projector) if file is not None]
    for file in files:
        check_model_file(file)
    if len(files) == 2 and files[0].samefile(files[1]):
        raise ModelFileError(
            f"{files[0].name} is given twice.", "The projector is a file of its own, often with mmproj in its name."
        )
    return FILE + "+".join(map(str, files))


def _usable(judge_id: str) -> None:
    for file in _files(judge_id):
        check_model_file(file)


def _files(judge_id: str) -> list[Path]:
    """The files of a file judge, PATH or PATH+PROJECTOR; a plus may also be part of a name."""
    named = judge_id.removeprefix(FILE)
    parts = named.split("+")
    for cut in range(len(parts), 0, -1):
        halves = [Path("+".join(half)).expanduser() for half in (parts[:cut], parts[cut:]) if half]
        if all(map(_is_there, halves)):
            return halves
    return [Path(part).expanduser() for part in parts]


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _pair(judge_id: str) -> tuple[Path, Path | None]:
    """The model file and its projector, if one is named. Raises JudgeUnavailable."""
    files = _files(judge_id)
    if len(files) > 2:
        raise JudgeUnavailable(
            f"'{judge_id}' names {len(files)} files.", f"Use {FILE}MODEL.gguf or {FILE}MODEL.gguf+PROJECTOR.gguf."
        )
    return files[0], files[1] if len(files) == 2 else None


def _why_not(need: Callable[[], object]) -> str | None:
    try:
        need()
    except GamutError as error:
        return str(error)
    return None
