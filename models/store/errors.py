"""Everything about a project file that can go wrong in the world, each as one sentence and a next step.

These are the environment's errors: a full disk, another program's lock, a damaged file. A bug (a broken constraint, a
wrong statement) is none of them and keeps its own exception and traceback. `translate.py` tells the two apart.
"""

from pathlib import Path

from models.errors import GamutError


class StoreError(GamutError):
    """The project file cannot be opened, read or written as things are."""


class ProjectNotFound(StoreError):
    """No file of that name."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"There is no project at {path}.", "Check the name, or make one with `gamut new`.")


class FolderNotFound(StoreError):
    """The folder that the file should go into is not there."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"There is no folder {folder}.", "Make the folder first, or choose another place.")


class FolderNotWritable(StoreError):
    """The folder that the file should go into takes no new files from this user."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"You are not allowed to write in {folder}.", "Choose a folder of your own.")


class ProjectExists(StoreError):
    """A new project would take an existing file's place."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} already exists.", "Open it, or choose another name.")


class IsAFolder(StoreError):
    """The path names a folder."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is a folder, not a project.", "Choose the .gamut file inside it.")


class NotAProject(StoreError):
    """Some other kind of file. `database`: an SQLite file of another program."""

    def __init__(self, path: Path, *, database: bool = False) -> None:
        what = "is another program's database, not a Gamut project" if database else "is not a Gamut project"
        super().__init__(f"{path} {what}.", "Choose a .gamut file; other files come in with `gamut import`.")


class EmptyFile(StoreError):
    """A file of no bytes: a copy or a download that never arrived."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is empty.", "Copy it again from where it came, or delete it and start a new project.")


class CorruptProject(StoreError):
    """The file was a project, and part of it is lost or overwritten."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is damaged: part of it is missing or was overwritten.",
            "Go back to a copy or to a .backup file beside it; `sqlite3 FILE .recover` may save the rest.",
        )


class CannotRead(StoreError):
    """The system does not let this user read the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"You are not allowed to read {path}.", "Ask its owner for access, or copy it as that user.")


class ProjectLocked(StoreError):
    """Another program is writing. `holder` is a sentence part that names it, where its lease tells."""

    def __init__(self, path: Path, holder: str | None = None) -> None:
        who = holder or "another program"
        super().__init__(f"{path} is locked: {who} is writing to it.", "Try again when that is done, or close it.")
        self.holder = holder


class OpenElsewhere(StoreError):
    """Something that needs the file alone (an upgrade, being replaced) found it open in another program."""

    def __init__(self, path: Path, wanted: str) -> None:
        super().__init__(f"{path} is open in another program and cannot be {wanted}.", "Close it there and try again.")


class ReadOnlyProject(StoreError):
    """A write to a project that can only be read."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} can only be read: the file or its folder is write-protected, or it was opened for reading.",
            "Save a copy to a folder of your own and work in that.",
        )


class UnfinishedElsewhere(StoreError):
    """A read-only place with a journal beside the file: what the file alone holds is not the whole project."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The latest changes to {path} are still in a journal file beside it, in a place that can only be read.",
            "Copy the file together with its -wal or -journal file to a folder of your own and open it there.",
        )


class DiskFull(StoreError):
    """No room. The transaction was rolled back whole."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"There is no room left on the disk of {path}; nothing of the last change was stored.",
            "Free some space and try again.",
        )


class DiskFailed(StoreError):
    """The disk (or a network drive) did not read or write."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The disk of {path} could not be read or written.",
            "Check that the drive is connected and healthy; a project should lie on a local disk.",
        )


class NewerProject(StoreError):
    """Written by a later Gamut."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path} was written by a newer Gamut (format {found}; this one knows up to {known}).",
            "Update Gamut to open it; the file was not touched.",
        )


class OlderReadOnlyProject(StoreError):
    """Written by an earlier Gamut, in a place where it cannot be upgraded."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path} has an older format ({found}; now {known}) and cannot be upgraded where it is, for reading only.",
            "Copy it to a folder of your own and open the copy.",
        )


class BackupFailed(StoreError):
    """The copy that comes before an upgrade could not be made, so nothing was upgraded."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"No backup of {path} could be made before upgrading it ({reason}), so it was left as it is.",
            "Make room or allow writing in its folder, and open it again.",
        )


class UpgradeFailed(StoreError):
    """A migration broke. It carries the cause; the file holds what it held before."""

    def __init__(self, path: Path, backup: Path) -> None:
        super().__init__(
            f"{path} could not be upgraded and was left as it was.",
            f"Go on with the older Gamut, and report this; a backup lies in {backup.name}.",
        )


class LeaseHeld(StoreError):
    """A piece of work that only one may do at a time is being done. `holder` says by whom."""

    def __init__(self, holder: str, pid: int, host: str, since: str, *, here: bool) -> None:
        where = f"process {pid}" if here else f"process {pid} on {host}"
        super().__init__(
            f"{holder} is at work on this project ({where}, since {since}).",
            "Wait until it is done, or stop it."
            if here
            else "Stop it there; if that computer is gone, take the work over.",
        )
        self.holder = holder


class UnstorableText(StoreError):
    """Text with half a surrogate pair, which no file can hold as UTF-8."""

    def __init__(self) -> None:
        super().__init__(
            "A text contains half a character (a lone surrogate) and cannot be stored.",
            "Repair the file it comes from; it was cut in the middle of a character.",
        )


class UnknownRow(LookupError):
    """A bug of the caller, not the world's: a key or id that the project does not hold."""
