"""The self-check's part about the window: a real one, shown, with the sample in it, and closed again.

It runs in a process of its own, which alone loads Qt: where Qt finds no screen or misses a library it ends its process.
"""

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from gamut_desktop.settings import Places, Settings
from gamut_desktop.usecases.sample import make_sample
from gamut_desktop.usecases.selfcheck import PartFailed, in_process_of_its_own
from gamut_desktop.wiring import Wiring

_SECONDS = 30.0
_AGAIN = "Install Gamut Desktop again."


def check_window(folder: Path) -> str:
    """Show the window with the sample in it, in a process of its own; raises PartFailed with what went wrong."""
    return in_process_of_its_own(show_window, folder, "The window's process")


def show_window(folder: Path) -> str:
    """In this process: open the sample in a window, wait for its questions, close it. Everything lies in `folder`."""
    choose_platform()
    from PySide6.QtGui import QGuiApplication

    from gamut_desktop.app import make_app
    from gamut_desktop.main_window import MainWindow
    from gamut_desktop.recent import Memory
    from gamut_desktop.theme import ThemeController

    bugs: list[str] = []
    sys.excepthook = _into(bugs)
    before = set(threading.enumerate())
    home = folder / "window"
    places = Places(home / "data", home / "cache", home / "config", home / "logs")
    project = home / "data" / "shown.gamut"
    expected = len(make_sample(project).added)
    app = make_app()
    window = MainWindow(Wiring(places, Settings(), lambda _: None), Memory(places), ThemeController(app))
    window.show()
    window.open(project)
    _wait(lambda: _shown(window) == expected and not window.jobs.busy, app.processEvents)
    shown, message = _shown(window), window.messages.sentence.text()
    drawn = not window.grab().isNull()
    window.close()
    _wait(lambda: not window.jobs.busy, app.processEvents)
    left = [thread.name for thread in set(threading.enumerate()) - before]
    if bugs:
        raise PartFailed(f"The window met an error inside Gamut Desktop: {bugs[0]}.", _AGAIN)
    if shown != expected or not drawn:
        raise PartFailed(f"The window shows {shown} of the sample's {expected} questions. {message}".strip(), _AGAIN)
    if left or window.isVisible():
        raise PartFailed(f"The window did not close: {', '.join(left) or 'it is still shown'}.", "Please report this.")
    return f"shown on {QGuiApplication.platformName()} with the {shown} questions of the sample, and closed again"


def choose_platform() -> None:
    """Draw into memory where a Linux machine has no display; elsewhere, and where the person chose, leave it to Qt."""
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def _shown(window: object) -> int:
    panes = getattr(window, "panes", None)
    return panes.questions.list.model().rowCount() if panes is not None else 0


def _wait(reached: Callable[[], bool], let_run: Callable[[], None]) -> None:
    """Let Qt work until it is reached; who asked looks at what became of it."""
    deadline = time.monotonic() + _SECONDS
    while not reached() and time.monotonic() < deadline:
        let_run()
        time.sleep(0.01)


def _into(bugs: list[str]) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        bugs.append(f"{kind.__name__}: {error}")
        sys.__excepthook__(kind, error, trace)

    return hook
