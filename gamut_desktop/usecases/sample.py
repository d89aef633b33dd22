"""The sample project: six questions on public-domain photographs, with answers, from the app's own resources."""

from importlib.resources import as_file, files
from pathlib import Path

from gamut_desktop.usecases.importing import Imported, import_path
from models.errors import GamutError
from models.store.project import Project

NAME = "sample.gamut"


class SampleBroken(GamutError):
    """The sample project in the app's resources is incomplete."""


def make_sample(path: Path) -> Imported:
    """Make the sample project as a new file; raises ProjectExists and other store errors."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with Project.create(path, name="Sample") as project, as_file(files("resources") / "sample") as folder:
        done = import_path(project, folder, author="Gamut Desktop")
    if done.left_out or not done.added:
        path.unlink()
        told = done.left_out[0] if done.left_out else "Nothing was found."
        raise SampleBroken(f"The sample project is incomplete: {told}", "Install Gamut Desktop again.")
    return done


def open_sample(folder: Path, *, fresh: bool = False) -> Project:
    """Open the sample project in that folder, making it first if it is not there, or anew if `fresh`."""
    path = folder / NAME
    if fresh:
        for leftover in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))):
            leftover.unlink(missing_ok=True)
    if not path.exists():
        make_sample(path)
    return Project.open(path)
