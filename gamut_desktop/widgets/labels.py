"""Labels whose font is derived from the body font and stays so when the text zoom changes; plain text only.

A QLabel with a size of its own would stop following the application's font, so the size is derived anew each time.
"""

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy, QWidget

from gamut_desktop.theme import scaled, semibold, small_print, tabular, title
from gamut_desktop.widgets.words import plain_tooltip
from gamut_desktop.widgets.wrapped_text import WrappedText, wrapped

Style = Literal["body", "strong", "title", "small", "number", "headline"]

_FONTS: dict[Style, Callable[[QFont], QFont]] = {
    "body": QFont,
    "strong": semibold,
    "title": title,
    "small": small_print,
    "number": tabular,
    "headline": lambda font: semibold(tabular(scaled(font, 2.2))),
}


class Label(QLabel):
    """A label in one of the face's few styles. `muted`: in the quieter ink."""

    def __init__(
        self, text: str = "", style: Style = "body", *, muted: bool = False, parent: QWidget | None = None
    ) -> None:
        """Text is shown as it is, never as markup."""
        super().__init__(parent)
        self._style: Style = style
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.set_muted(muted)
        self._derive()
        self.setText(text)

    def set_muted(self, muted: bool) -> None:
        """Quieter ink, or the usual one."""
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText if muted else QPalette.ColorRole.WindowText)

    def event(self, event: QEvent) -> bool:
        """Derive the font anew when the application's has changed; under a stylesheet only StyleChange tells of it."""
        if event.type() in (QEvent.Type.ApplicationFontChange, QEvent.Type.StyleChange):
            self._derive()
            QTimer.singleShot(0, self, self._derive)  # the stylesheet may yet put the font before back
        return super().event(event)

    def _derive(self) -> None:
        if self._style == "body":
            return
        font = _FONTS[self._style](QApplication.font())
        if font != self.font():
            self.setFont(font)


class ElidedLabel(Label):
    """One line that is cut with an ellipsis where it does not fit; the whole text is its tooltip then."""

    def __init__(
        self, text: str = "", style: Style = "body", *, muted: bool = False, parent: QWidget | None = None
    ) -> None:
        """`text()` stays the whole text."""
        super().__init__(text, style, muted=muted, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(text)
        self._tell()

    def minimumSizeHint(self) -> QSize:
        """Room for an ellipsis."""
        return QSize(self.fontMetrics().horizontalAdvance("…"), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The tooltip comes and goes with the ellipsis."""
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, cut at the end."""
        painter, box, line = QPainter(self), self.contentsRect(), self._line()
        painter.setPen(self.palette().color(self.foregroundRole()))
        line.draw(painter, QPointF(box.left(), box.top() + (box.height() - line.height) / 2))

    def _line(self) -> WrappedText:
        one_line = self.text().replace("\n", " ")
        return wrapped(one_line, self.font(), self.contentsRect().width(), 1, right=self.isRightToLeft())

    def _tell(self) -> None:
        self.setToolTip(plain_tooltip(self.text()) if self._line().elided else "")
