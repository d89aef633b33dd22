"""Byte goldens: compare with the file, or write it when GAMUT_UPDATE_GOLDENS=1 is set."""

import os
from pathlib import Path


def assert_golden(path: Path, shown: str) -> None:
    """Assert that the golden file holds exactly `shown`."""
    if os.environ.get("GAMUT_UPDATE_GOLDENS") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(shown.encode())
    assert path.is_file(), f"{path.name} is missing; write it with GAMUT_UPDATE_GOLDENS=1"
    assert path.read_bytes().decode() == shown
