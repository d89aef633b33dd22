"""Judges from a person's own model files: which file is which, and the list of those that were added. Qt-free."""

from collections.abc import Iterable
from pathlib import Path

from gamut_desktop.settings import Places, Settings
from gamut_desktop.wiring import file_judge

SUFFIX = ".gguf"
PROJECTOR = "mmproj"  # in the name of a projector file, by a custom that all publishers keep


def add_file_judge(places: Places, model: Path, projector: Path | None = None) -> tuple[str, Settings]:
    """Remember the judge of these files; its id, and the settings with it. Nothing is copied.

    Raises ModelFileError before anything is stored, SettingsError, FileProblem.
    """
    judge = file_judge(model, projector)
    known = Settings.load(places).judges
    return judge, Settings.change(places, judges=tuple(dict.fromkeys((*known, judge))))


def restore_file_judge(places: Places, judge: str, at: int) -> Settings:
    """Put a judge that was removed back in its place in the list."""
    known = [one for one in Settings.load(places).judges if one != judge]
    return Settings.change(places, judges=(*known[:at], judge, *known[at:]))


def remove_file_judge(places: Places, judge: str) -> Settings:
    """Take the judge off the list; its files, and what it judged, stay."""
    known = Settings.load(places).judges
    return Settings.change(places, judges=tuple(one for one in known if one != judge))


def sorted_out(files: Iterable[Path]) -> tuple[Path | None, Path | None]:
    """Of files given at once, the model and its projector, as far as their names tell."""
    models: list[Path] = []
    projectors: list[Path] = []
    for file in files:
        (projectors if PROJECTOR in file.name.lower() else models).append(file)
    return models[0] if models else None, projectors[0] if projectors else None


def likely_projector(model: Path) -> Path | None:
    """The one projector that lies beside the model; None if there is none, or several."""
    try:
        beside = [file for file in model.parent.glob(f"*{SUFFIX}") if PROJECTOR in file.name.lower() and file != model]
    except OSError:
        return None
    return beside[0] if len(beside) == 1 and PROJECTOR not in model.name.lower() else None
