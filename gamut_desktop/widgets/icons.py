"""The icons: `icon("add")` gives a QIcon that is drawn in the palette's colour of the moment, at any size.

The files are currentColor SVGs of a 20-pixel grid in `resources/icons`, read through importlib.resources. Because the
colour is looked up when it is painted, an icon that was given to an action once follows every change of theme.
"""

from functools import cache, lru_cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

FOLDER = "icons"


@cache
def icon_names() -> tuple[str, ...]:
    """The names of all icons, sorted."""
    return tuple(
        sorted(
            one.name.removesuffix(".svg")
            for one in files("resources").joinpath(FOLDER).iterdir()
            if one.name.endswith(".svg")
        )
    )


@cache
def _source(name: str) -> str:
    return files("resources").joinpath(FOLDER, f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))


def paint_icon(painter: QPainter, rect: QRectF, name: str, colour: QColor) -> None:
    """Draw the icon `name` into `rect` in one colour."""
    _renderer(name, colour.name()).render(painter, rect)


class _ThemedEngine(QIconEngine):
    def __init__(self, name: str, role: QPalette.ColorRole) -> None:
        super().__init__()
        self._name = name
        self._role = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        group = QPalette.ColorGroup.Disabled if mode == QIcon.Mode.Disabled else QPalette.ColorGroup.Active
        paint_icon(painter, QRectF(rect), self._name, QGuiApplication.palette().color(group, self._role))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return picture

    def clone(self) -> QIconEngine:
        return _ThemedEngine(self._name, self._role)


def icon(name: str, role: QPalette.ColorRole = QPalette.ColorRole.ButtonText) -> QIcon:
    """The icon `name` in the palette colour `role`. Raises FileNotFoundError for a name that is not in the set."""
    _source(name)
    return QIcon(_ThemedEngine(name, role))
