"""Putting a finished file under its final name in one step, so that nobody ever sees half of one."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """A name for a file in the making, in the target's own folder; whatever is left there at the end is removed."""
    folder = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", dir=target.parent))
    try:
        yield folder / "new"
    finally:
        for left in folder.iterdir():
            left.unlink()
        folder.rmdir()


def publish_new(made: Path, target: Path) -> None:
    """Give the file its name; raises FileExistsError rather than take another's place."""
    try:
        os.link(made, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if target.exists():
            raise FileExistsError(target) from None
        made.rename(target)
    else:
        made.unlink()
