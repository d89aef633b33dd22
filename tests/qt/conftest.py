"""Every test of the face has a home of its own, and fails if Qt warns, anything is logged, or anything is left."""

import os
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from tests.qt.window.strictness import isolated_home, strictly


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """GAMUT_HOME of this test."""
    return isolated_home(tmp_path, monkeypatch)


@pytest.fixture(autouse=True)
def strict(qapp: QApplication, home: Path, qtlog, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Silence, and nothing left behind."""
    with strictly(qtlog, caplog):
        yield
