"""Text laid out in at most so many lines, the last one elided, for rows whose height depends on their width.

Layouts are kept, because a view asks for the same row's height and picture over and over.
"""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption

LINE_SEPARATOR = "\N{LINE SEPARATOR}"


@dataclass(frozen=True, slots=True)
class WrappedText:
    """A finished layout. `elided`: not all of the text is in it."""

    layout: QTextLayout
    height: float
    lines: int
    elided: bool

    def draw(self, painter: QPainter, at: QPointF) -> None:
        """Draw it in the painter's pen, its top left corner at `at`."""
        self.layout.draw(painter, at)


def wrapped(text: str, font: QFont, width: float, most_lines: int, *, right: bool = False) -> WrappedText:
    """Lay out `text` in `width` pixels. `right`: align to the right edge, as a right-to-left window does.

    Each paragraph keeps the direction of its own script.
    """
    return _wrapped(text, font.toString(), max(width, 1.0), most_lines, right)


@lru_cache(maxsize=2048)
def _wrapped(text: str, font_key: str, width: float, most_lines: int, right: bool) -> WrappedText:
    font = QFont()
    font.fromString(font_key)
    shown = text.encode("utf-8", "replace").decode("utf-8").replace("\n", LINE_SEPARATOR)
    full, starts = _lay_out(shown, font, width, right)
    if len(starts) <= most_lines:
        return WrappedText(full, full.boundingRect().height(), len(starts), elided=False)
    units = shown.encode("utf-16-le")
    cut = starts[most_lines - 1] * 2
    rest = units[cut:].decode("utf-16-le").replace(LINE_SEPARATOR, " ")
    last = QFontMetricsF(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
    short, lines = _lay_out(units[:cut].decode("utf-16-le") + last, font, width, right)
    return WrappedText(short, short.boundingRect().height(), len(lines), elided=True)


def _lay_out(text: str, font: QFont, width: float, right: bool) -> tuple[QTextLayout, list[int]]:
    layout = QTextLayout(text, font)
    option = QTextOption(Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    starts: list[int] = []
    top = 0.0
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, top))
        top += line.height()
        starts.append(line.textStart())
    layout.endLayout()
    return layout, starts
