"""Photographs every view of the window, and says what is wrong with it: `make screenshots`.

Light and dark, 1280x800 and 1920x1080, English and a pseudo-locale, one look right to left, in one process, offscreen.
`--readme` writes the two pictures of the README. Exit code 1 if anything was found.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Literal

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, Qt, qInstallMessageHandler
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

from gamut_desktop.app import make_app, make_window
from gamut_desktop.main_window import MainWindow
from gamut_desktop.theme import Mode, Theme
from tools.pseudo_locale import PseudoTranslator
from tools.screen_checks import findings
from tools.screen_scenes import (
    SCENES,
    Projects,
    Scene,
    Stage,
    content,
    dialogs,
    full,
    leave,
    make_projects,
    roots,
    wrong_answer,
)

Language = Literal["english", "pseudo", "right-to-left"]
SMALL, LARGE = QSize(1280, 800), QSize(1920, 1080)
LOOKS: tuple[tuple[Mode, Scene], ...] = (("light", full), ("dark", wrong_answer))  # of the README
README = Path(__file__).parents[1] / "docs" / "pictures"
_REST = 0.04  # seconds without anything under way


def settle(window: MainWindow) -> None:
    """Until no job runs, and what timers of no delay do is done."""
    quiet_since = time.monotonic()
    while time.monotonic() - quiet_since < _REST:
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if window.jobs.busy:
            quiet_since = time.monotonic()
        time.sleep(0.002)


@contextmanager
def opened(language: Language) -> Iterator[Stage]:
    """A window in that language over projects of its own."""
    home = Path(tempfile.mkdtemp(prefix="gamut-pictures-"))
    before, hook = dict(os.environ), sys.excepthook
    os.environ.update(GAMUT_HOME=str(home), GAMUT_RAISE="1")
    app = make_app()
    app.setCursorFlashTime(0)
    translator = PseudoTranslator()
    if language == "pseudo":
        app.installTranslator(translator)
    app.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if language == "right-to-left" else Qt.LayoutDirection.LeftToRight
    )
    projects: Projects = make_projects(home)
    window = make_window()
    window.resize(SMALL)
    window.show()
    try:
        yield Stage(window, projects, lambda: settle(window))
    finally:
        window.close()
        settle(window)
        window.deleteLater()
        app.removeTranslator(translator)
        app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        os.environ.clear()
        os.environ.update(before)
        sys.excepthook = hook
        shutil.rmtree(home)


def picture(window: MainWindow) -> QPixmap:
    """The window with its dialogs over it."""
    whole = window.grab()
    painter = QPainter(whole)
    for dialog in dialogs(window):
        seen = dialog.grab()
        corner = QPoint((whole.width() - seen.width()) // 2, (whole.height() - seen.height()) // 2)
        painter.fillRect(whole.rect(), Qt.GlobalColor.transparent)
        painter.setOpacity(0.35)
        painter.fillRect(whole.rect(), Qt.GlobalColor.black)
        painter.setOpacity(1)
        painter.drawPixmap(corner, seen)
    painter.end()
    return whole


def photograph(stage: Stage, scene: Scene, language: Language, folder: Path, *, few: bool) -> list[str]:
    """One scene in every look; the findings are of the small window, where room is scarce. `few`: in one look only."""
    window, found = stage.window, []
    looks = [("light", SMALL)] if few else [(mode, size) for size in (SMALL, LARGE) for mode in ("light", "dark")]
    window.resize(SMALL)
    scene(stage)
    for mode, size in looks:
        window.themes.set_mode(mode)  # type: ignore[arg-type]
        window.resize(size)
        stage.settle()
        name = f"{scene.__name__}-{language}-{mode}-{size.width()}.png"
        picture(window).save(str(folder / name))
        if (mode, size) == looks[0]:
            known = list(content(window)) if language == "pseudo" else None
            found = [f"{name}: {one}" for root in roots(window) for one in findings(root, known)]
    leave(stage)
    return found


def write_readme(folder: Path) -> None:
    """The window with the sample open, light and dark, small enough for a README."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened("english") as stage:
        for mode, scene in LOOKS:
            scene(stage)
            stage.window.themes.set_mode(mode)
            stage.settle()
            small = picture(stage.window).toImage()
            _save_small(small, stage.window.themes.active, folder / f"window-{mode}.png")


def _save_small(image: QImage, theme: Theme, path: Path) -> None:
    """256 colours: the theme's own, which few pixels have but which carry meaning, and what the rest needs."""
    data = image.convertToFormat(QImage.Format.Format_RGB888)
    size, rows = (data.width(), data.height()), bytes(data.constBits())
    whole = Image.frombytes("RGB", size, rows, "raw", "RGB", data.bytesPerLine())
    named = [getattr(theme, one.name) for one in fields(theme)]
    inks = [colour for colour in named if isinstance(colour, QColor)]
    own = [part for ink in inks for part in (ink.red(), ink.green(), ink.blue())]
    others = whole.quantize(256 - len(own) // 3, dither=Image.Dither.NONE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(own + others)
    whole.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def main(arguments: list[str] | None = None) -> int:
    """See the module."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", nargs="?", type=Path, default=Path("build/screenshots"))
    asked.add_argument("--readme", action="store_true", help="write the pictures of the README")
    asked.add_argument("--only", default="", help="scenes whose name holds this word")
    asked.add_argument("--language", default="", choices=("", "english", "pseudo", "right-to-left"))
    chosen = asked.parse_args(arguments)
    qInstallMessageHandler(lambda *_: None)
    if chosen.readme:
        write_readme(README)
        return 0
    chosen.folder.mkdir(parents=True, exist_ok=True)
    found: list[str] = []
    languages: tuple[Language, ...] = ("english", "pseudo", "right-to-left")
    for language in languages:
        if chosen.language in ("", language):
            with opened(language) as stage:
                for scene in SCENES:
                    if chosen.only in scene.__name__:
                        found += photograph(stage, scene, language, chosen.folder, few=language == "right-to-left")
    for one in found:
        sys.stdout.write(one + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
