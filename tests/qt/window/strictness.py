"""What fails any test of the face: Qt's warnings, stray logs, and what is left behind (threads, processes, windows).

`strictly` is used by tests/qt/conftest.py for every test there, and by the end-to-end tests of the window.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path

import psutil
import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.models_on_disk import Q8_CACHE

OFFSCREEN_SAYS = "This plugin does not support"  # propagateSizeHints, raise: what a platform without a screen cannot do
SECONDS = 10


def isolated_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """GAMUT_HOME of one test, with the requantized bundled model of all tests in it."""
    home = folder / "home"
    (home / "cache").mkdir(parents=True)
    Q8_CACHE.mkdir(parents=True, exist_ok=True)
    (home / "cache" / "models").symlink_to(Q8_CACHE, target_is_directory=True)
    monkeypatch.setenv("GAMUT_HOME", str(home))
    return home


@contextmanager
def strictly(qtlog, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail at the end if anything complained or is left."""
    threads, processes, windows = set(threading.enumerate()), _children(), set(_windows())
    yield
    _settle()
    left: list[str] = []
    left += _left("window", lambda: {w for w in _windows() if w not in windows}, _window_told)
    left += _left("thread", lambda: set(threading.enumerate()) - threads, lambda thread: thread.name)
    left += _left("process", lambda: _children() - processes, _process_told)
    said = [record.message for record in qtlog.records if OFFSCREEN_SAYS not in record.message]
    logged = [
        f"{record.name}: {record.getMessage()}"
        for when in ("setup", "call", "teardown")
        for record in caplog.get_records(when)
        if record.levelno >= logging.WARNING
    ]
    _forget_log_file()
    assert left == []
    assert said == []
    assert logged == []


def _settle() -> None:
    """Let what was asked to be deleted later be deleted now."""
    for _ in range(3):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _windows() -> list[QWidget]:
    return [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]


def _window_told(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()}"


def _children() -> set[psutil.Process]:
    """Living children of this process, without the one that multiprocessing keeps for itself."""
    own = resource_tracker._resource_tracker._pid
    return {child for child in psutil.Process().children(recursive=True) if child.pid != own}


def _process_told(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline()[:6])
    except psutil.Error:
        return str(process.pid)


def _left(kind: str, look: Callable[[], set], told: Callable) -> list[str]:
    """What is still there once it has had the time to go; the time is for a busy machine only."""
    deadline = time.monotonic() + SECONDS
    while (found := look()) and time.monotonic() < deadline:
        QApplication.processEvents()
        threading.Event().wait(0.01)
    return [f"{kind} left: {told(one)}" for one in found]


def _forget_log_file() -> None:
    """The log goes into the home of the test that started it; the next test has another."""
    log = logging.getLogger("gamut")
    for handler in log.handlers[:]:
        log.removeHandler(handler)
        handler.close()
