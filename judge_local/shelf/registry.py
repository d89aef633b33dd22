"""What is kept with each judge, one JSON file a judge: its last preflight.

A file that cannot be read, or is damaged, or speaks of another judge is as good as none: the judge is unmarked, and
checking it again writes a new one.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge_local.preflight.result import Preflight
from models.provenance import canonical_json
from models.textfile import FileProblem, read_bytes, write_atomic

FORMAT = 1
MOST_BYTES = 4 * 2**20
_READABLE = 40  # characters of a judge's id that a file's name shows


@dataclass(frozen=True, slots=True)
class Registry:
    """The files under `folder`, which is made when first written to."""

    folder: Path

    def path(self, judge_id: str) -> Path:
        """Where this judge's file is: a readable beginning, and 16 hex digits of sha256 of the whole id."""
        plain = re.sub(r"[^a-z0-9]+", "-", judge_id.lower()).strip("-")[:_READABLE].strip("-")
        digest = hashlib.sha256(judge_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return self.folder / f"{plain or 'judge'}-{digest}.json"

    def keep(self, preflight: Preflight) -> None:
        """Keep it as its judge's last; whole or not at all. Raises FileProblem."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            reason = error.strerror or str(error)
            raise FileProblem(
                f"The folder {self.folder} cannot be made ({reason}).", "Check the permissions of the folder above it."
            ) from None
        kept = {"gamut_judge": FORMAT, "judge": preflight.judge, "preflight": json.loads(preflight.stored())}
        write_atomic(self.path(preflight.judge), json.dumps(kept, ensure_ascii=True, indent=1) + "\n")

    def last(self, judge_id: str) -> Preflight | None:
        """The judge's last preflight; None if there is none that can be read."""
        try:
            kept = json.loads(read_bytes(self.path(judge_id), MOST_BYTES))
            if kept["gamut_judge"] != FORMAT or kept["judge"] != judge_id:
                return None
            found = Preflight.read(json.dumps(kept["preflight"]))
        except (FileProblem, ValueError, KeyError, TypeError, RecursionError):
            return None
        return found if found.judge == judge_id else None


def setup_digest(files: Iterable[Path], **facts: Any) -> str | None:
    """16 hex digits over a judge's files (path, bytes, time of change) and facts; None if a file is not there.

    It says whether a judge is what it was without reading gigabytes or loading anything; a touched file looks new.
    """
    try:
        stats = [(path.resolve(), path.stat()) for path in files]
    except (OSError, ValueError):
        return None
    content = [facts, [[str(path), stat.st_size, stat.st_mtime_ns] for path, stat in stats]]
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()[:16]
