"""The application: one QApplication, logs without private text, and a window for a project.

Nothing here asks the network, and the store opens after the window shows.
"""

import logging
import os
import platform
import sys
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QLibraryInfo, QLocale, QTimer, QTranslator, qVersion
from PySide6.QtWidgets import QApplication

import gamut_desktop
from gamut_desktop.main_window import MainWindow
from gamut_desktop.recent import Memory
from gamut_desktop.settings import Places
from gamut_desktop.theme import ThemeController
from gamut_desktop.wiring import Wiring

log = logging.getLogger("gamut")


def run(path: Path | None, *, sample: bool = False) -> int:
    """Open the window on a project, the last one, or the sample; returns the exit code."""
    app = make_app()
    window = make_window()
    window.show()
    QTimer.singleShot(0, window, lambda: window.open_sample() if sample else window.start(path))
    return int(app.exec())


def make_app() -> QApplication:
    """The one QApplication, with names, translations and logs."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("gamut-desktop")
    app.setApplicationDisplayName("Gamut Desktop")
    app.setApplicationVersion(gamut_desktop.__version__)
    app.setDesktopFileName("gamut-desktop")
    translator = QTranslator(app)
    if translator.load(QLocale(), "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(translator)
    return app


def make_window() -> MainWindow:
    """A window with the person's settings; raises SettingsError."""
    places = Places.of_user()
    start_log(places)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    themes = app.findChild(ThemeController) or ThemeController(app)
    window = MainWindow(Wiring.of_user(lambda sentence: window.told.emit(sentence)), Memory(places), themes)
    sys.excepthook = lambda kind, error, trace: _bug(window, kind, error, trace)
    return window


def start_log(places: Places) -> None:
    """Log to a file in the user's log folder; a folder that cannot be written is no reason not to start."""
    if log.handlers:
        return
    try:
        places.logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        handler = RotatingFileHandler(places.logs / "gamut.log", maxBytes=500_000, backupCount=2, encoding="utf-8")
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.info("start %s, Qt %s, Python %s", gamut_desktop.__version__, qVersion(), platform.python_version())


def where(error: BaseException) -> str:
    """An error's type and the places it went through, without its message, which may hold private text."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return f"{type(error).__name__} at " + " < ".join(reversed(places))


def _bug(window: MainWindow, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """An error nobody foresaw: into the log, and a sentence in the window; what is stored stays."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    log.error("%s", where(error))
    if os.environ.get("GAMUT_RAISE") == "1":
        sys.__excepthook__(kind, error, trace)
    window.tell_bug(where(error))
