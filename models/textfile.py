"""Reading and writing a person's text files: one sentence for whatever is wrong, and no half-written file ever."""

import os
import tempfile
from pathlib import Path

from models.errors import GamutError

MAX_TEXT_BYTES = 256 * 2**20


class FileProblem(GamutError):
    """A file cannot be read or written."""


def read_bytes(path: Path, limit: int) -> bytes:
    """The file's bytes; raises FileProblem if it is missing, a folder, unreadable or larger than `limit` bytes."""
    try:
        if path.is_dir():
            raise FileProblem(f"{path} is a folder.", "Give a file.")
        size = path.stat().st_size
        if size > limit:
            raise FileProblem(
                f"{path.name} is {size / 2**20:,.0f} MB; files of up to {limit / 2**20:,.0f} MB are read.",
                "Split it into smaller files.",
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise FileProblem(f"There is no file {path}.", "Check the name and the folder.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileProblem(f"{path} cannot be read ({reason}).", "Check its permissions.") from None
    except ValueError:
        raise FileProblem("A file name holds a NUL character.", "Check the name.") from None


def read_text(path: Path, limit: int = MAX_TEXT_BYTES) -> str:
    """The file as UTF-8 text without a byte order mark; raises FileProblem."""
    raw = read_bytes(path, limit)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise FileProblem(f"{path.name}, line {line}: this is not UTF-8 text.", "Save it as UTF-8.") from None


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write through a temporary file beside `path` and one rename; raises FileProblem, and then `path` is as it was."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise FileProblem(f"{path} cannot be written ({reason}).", "Choose another folder or free space.") from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
