"""Where the states of branches wait that a judge's memory has no room for: files in a folder of this process alone.

A state holds what somebody wrote, so the folder is 0700, is removed at the end, and what a dead process has left is
swept by the next one (DESIGN, section 2, never 11).
"""

import os
import shutil
import tempfile
from collections import OrderedDict
from pathlib import Path

import psutil

MOST_BYTES = 2 << 30
_PREFIX = "gamut-judge-"


class Parking:
    """States by key, least recently used dropped above `limit` bytes. folder: made below it; None: the system's own."""

    def __init__(self, folder: Path | None = None, limit: int = MOST_BYTES) -> None:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._place = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=folder))
        self._limit = limit
        self._files: OrderedDict[str, int] = OrderedDict()

    def __contains__(self, key: str) -> bool:
        return key in self._files

    @property
    def size(self) -> int:
        """How many bytes lie here now."""
        return sum(self._files.values())

    def put(self, key: str, state: bytes) -> list[str]:
        """Keep a state. Returns the keys that are gone for it; its own where it is too large or cannot be written."""
        if len(state) > self._limit:
            return [key]
        gone = []
        while self.size + len(state) > self._limit:
            oldest = next(iter(self._files))
            self.drop(oldest)
            gone.append(oldest)
        try:
            (self._place / key).write_bytes(state)
        except OSError:
            (self._place / key).unlink(missing_ok=True)
            return [*gone, key]
        self._files[key] = len(state)
        return gone

    def get(self, key: str) -> bytes | None:
        """The state of that key; None if it is not here any more."""
        if key not in self._files:
            return None
        self._files.move_to_end(key)
        try:
            return (self._place / key).read_bytes()
        except OSError:
            return None

    def drop(self, key: str) -> None:
        """Forget a state."""
        if self._files.pop(key, None) is not None:
            (self._place / key).unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder."""
        self._files.clear()
        shutil.rmtree(self._place, ignore_errors=True)


def sweep(folder: Path | None = None) -> None:
    """Remove what processes have left there that do not live any more."""
    for place in (folder or Path(tempfile.gettempdir())).glob(f"{_PREFIX}*-*"):
        pid = place.name.removeprefix(_PREFIX).partition("-")[0]
        if pid.isdigit() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(place, ignore_errors=True)
