"""What a person may set, and where the app keeps its things. Qt-free; pydantic checks, TOML stores.

`GAMUT_HOME` puts everything into one folder of its own (for tests, and for a stick that is carried around).
"""

import getpass
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import tomli_w
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judge_local.manner import SMALL_MARGIN, Rationale, Style
from models.errors import GamutError
from models.textfile import FileProblem, read_text, write_atomic

APP = "gamut-desktop"


class SettingsError(GamutError):
    """The settings file cannot be read."""


@dataclass(frozen=True, slots=True)
class Places:
    """Folders: `data` (the sample project), `cache` (requantized weights), `config`, `logs`. Made when first needed."""

    data: Path
    cache: Path
    config: Path
    logs: Path

    @classmethod
    def of_user(cls) -> "Places":
        """This user's folders, or those under GAMUT_HOME."""
        home = os.environ.get("GAMUT_HOME")
        if home:
            base = Path(home)
            return cls(base / "data", base / "cache", base / "config", base / "logs")
        return cls(
            Path(platformdirs.user_data_dir(APP, appauthor=False)),
            Path(platformdirs.user_cache_dir(APP, appauthor=False)),
            Path(platformdirs.user_config_dir(APP, appauthor=False)),
            Path(platformdirs.user_log_dir(APP, appauthor=False)),
        )


class JudgeSettings(BaseModel):
    """How a local model is run. None: chosen for this machine, or (subtract_prior) for this judge.

    style: a letter at once (direct), after a reason (reasoned), or a reason only where the two likeliest verdicts lie
    closer than `margin` (adaptive). rationale: always, on demand, or never. count_by_code: thresholds and sequences are
    decided by counting. packed: all checks of a response in one pass; faster, and verdicts depend on their neighbours.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    threads: int | None = Field(default=None, ge=1, le=512)
    context: int | None = Field(default=None, ge=512, le=1_048_576)
    gpu_layers: int | None = Field(default=None, ge=0, le=10_000)
    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    style: Style = "direct"
    margin: float = Field(default=SMALL_MARGIN, ge=0, le=1)
    rationale: Rationale = "demand"
    orders: int = Field(default=1, ge=1, le=4)
    subtract_prior: bool | None = None
    look_at_pictures: bool = True
    count_by_code: bool = False
    packed: bool = False


class Settings(BaseModel):
    """All settings, each with its default. judges: ids of the judges that the person added from files."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    author: str = Field(default_factory=lambda: _user_name(), min_length=1, max_length=200)
    judge: JudgeSettings = JudgeSettings()
    judges: tuple[str, ...] = ()

    @classmethod
    def load(cls, places: Places) -> "Settings":
        """Read settings.toml; defaults if there is none. Raises SettingsError naming the field."""
        path = places.config / "settings.toml"
        if not path.exists():
            return cls()
        try:
            return cls.model_validate(tomllib.loads(read_text(path)))
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"{path} is not valid TOML: {error}.", "Mend it, or remove it to start anew.") from None
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise SettingsError(
                f"{path}: {where} is not usable ({first['msg']}).", "Mend it, or remove it to start anew."
            ) from None

    @classmethod
    def change(cls, places: Places, **fields: object) -> "Settings":
        """Set these fields in settings.toml as it is now, and return all. Raises SettingsError, FileProblem."""
        changed = cls.load(places).model_copy(update=fields)
        changed.save(places)
        return changed

    def save(self, places: Places) -> None:
        """Write settings.toml; what is at its default on this machine and None is left out. Raises FileProblem."""
        try:
            places.config.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileProblem(
                f"The folder {places.config} cannot be made ({error.strerror or error}).",
                "Check the permissions of the folder above it.",
            ) from None
        write_atomic(places.config / "settings.toml", tomli_w.dumps(self.model_dump(exclude_none=True)))


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "someone"
