"""A share between 0 and 1 as a bar, its interval as a line, and another share to compare with as a mark."""

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gamut_desktop.theme import ThemeController


class ShareBar(QWidget):
    """Painted only; what it shows is also written beside it. `quiet`: for the one that is compared with."""

    def __init__(self, themes: ThemeController, *, quiet: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes, self._quiet = themes, quiet
        self._share: float | None = None
        self._interval: tuple[float, float] | None = None
        self._mark: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_share(
        self, share: float | None, interval: tuple[float, float] | None = None, mark: float | None = None
    ) -> None:
        """Show these; None leaves a part out."""
        self._share, self._interval, self._mark = share, interval, mark
        self.update()

    def sizeHint(self) -> QSize:
        """As high as a line of text."""
        return QSize(160, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for a small dialog."""
        return QSize(64, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Track, bar, interval, mark."""
        painter, theme = QPainter(self), self._themes.active
        thickness = max(6, round(self.height() * 0.4))
        top = round((self.height() - thickness) / 2)
        painter.fillRect(QRectF(0, top, self.width(), thickness), theme.line)
        if self._share is not None:
            ink = theme.muted if self._quiet else theme.accent
            painter.fillRect(self._span(0, self._share, top, thickness), ink)
        if self._interval is not None:
            low, high = (self._at(end) for end in self._interval)
            middle = top + thickness / 2
            painter.setPen(QPen(theme.text, 1.5))
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
            for end in (low, high):
                painter.drawLine(QPointF(end, top), QPointF(end, top + thickness))
        if self._mark is not None:
            at = self._at(self._mark)
            painter.fillRect(QRectF(at - 1, top - 3, 2, thickness + 6), theme.text)

    def _at(self, share: float) -> float:
        along = 1 - share if self.isRightToLeft() else share
        return 1 + along * (self.width() - 2)

    def _span(self, start: float, end: float, top: float, thickness: float) -> QRectF:
        ends = sorted((self._at(start), self._at(end)))
        return QRectF(ends[0], top, ends[1] - ends[0], thickness)
