"""A question's pictures: one at a time on a quiet ground, with its credit, its place among the others, and zoom.

Pictures come as RGB bytes from the image gate (`models.media.gate`); nothing is decoded or fetched here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QImage, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from gamut_desktop.theme import ThemeController
from gamut_desktop.widgets.empty_state import EmptyState
from gamut_desktop.widgets.icons import icon
from gamut_desktop.widgets.labels import ElidedLabel, Label
from gamut_desktop.widgets.picture_canvas import PictureCanvas

MOST_DOTS = 8


@dataclass(frozen=True, slots=True)
class Picture:
    """`rgb`: width * height * 3 bytes, rows from the top without padding. `name`: what a screen reader says it is."""

    rgb: bytes
    width: int
    height: int
    name: str = ""
    credit: str = ""

    def image(self) -> QImage:
        """A QImage with memory of its own. Raises ValueError when the bytes do not fill the rows."""
        if len(self.rgb) != self.width * self.height * 3:
            raise ValueError(f"{len(self.rgb)} bytes are not {self.width} x {self.height} RGB pixels")
        return QImage(self.rgb, self.width, self.height, self.width * 3, QImage.Format.Format_RGB888).copy()


class _Dots(QWidget):
    def __init__(self, themes: ThemeController) -> None:
        super().__init__()
        self._themes = themes
        self._count, self._current = 0, 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_place(self, count: int, current: int) -> None:
        self._count, self._current = count, current
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(12 * self._count, 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._themes.active
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for n in range(self._count):
            place = self._count - 1 - n if self.isRightToLeft() else n
            centre = QPointF(12 * place + 6, self.height() / 2)
            here = n == self._current
            painter.setPen(QPen(theme.accent if here else theme.outline, 1.0))
            painter.setBrush(theme.accent if here else Qt.BrushStyle.NoBrush)
            radius = 3.5 if here else 3.0
            painter.drawEllipse(QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius))


class PictureView(QWidget):
    """PageUp and PageDown go between pictures; the canvas has the keys for zooming and panning."""

    page_changed = Signal(int)
    add_requested = Signal()

    def __init__(self, themes: ThemeController, parent: QWidget | None = None) -> None:
        """Empty until `show_pictures`."""
        super().__init__(parent)
        self._themes = themes
        self._pictures: tuple[Picture, ...] = ()
        self._current = 0
        self.canvas = PictureCanvas()
        self.canvas.setObjectName("picture_canvas")
        self.canvas.zoom_changed.connect(self._tell)
        self.empty = EmptyState(
            self.tr("This question has no picture."),
            self.tr("Add a picture…"),
            drop_hint=self.tr("or drop one here"),
        )
        self.empty.primary.connect(self.add_requested)
        self._credit = ElidedLabel("", "small", muted=True)
        self._dots = _Dots(themes)
        self._place = Label("", "small", muted=True)
        self.previous_button = _button("previous", self.tr("Previous picture (Page Up)"), self.show_previous)
        self.next_button = _button("next", self.tr("Next picture (Page Down)"), self.show_next)
        self.zoom_button = self._zoom_menu()
        self._lay_out()
        themes.changed.connect(self._dress)
        self._dress()
        self._show()

    def show_picture(self, rgb: bytes, width: int, height: int, *, name: str = "", credit: str = "") -> None:
        """Show a single picture."""
        self.show_pictures([Picture(rgb, width, height, name, credit)])

    def show_pictures(self, pictures: Sequence[Picture], current: int = 0) -> None:
        """Show several, one at a time, beginning with `current`; none at all shows the empty state."""
        self._pictures = tuple(pictures)
        self._current = max(0, min(current, len(self._pictures) - 1))
        self._show()

    @property
    def current(self) -> int:
        """Which picture is shown, from 0."""
        return self._current

    def show_next(self) -> None:
        """The next picture, if there is one."""
        self._go(self._current + 1)

    def show_previous(self) -> None:
        """The picture before, if there is one."""
        self._go(self._current - 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """PageUp and PageDown."""
        match event.key():
            case Qt.Key.Key_PageDown:
                self.show_next()
            case Qt.Key.Key_PageUp:
                self.show_previous()
            case _:
                super().keyPressEvent(event)

    def _go(self, to: int) -> None:
        if 0 <= to < len(self._pictures):
            self._current = to
            self._show()
            self.page_changed.emit(to)

    def _show(self) -> None:
        has_picture = bool(self._pictures)
        self._stack.setCurrentIndex(1 if has_picture else 0)
        self.setFocusProxy(self.canvas if has_picture else self.empty)
        self.canvas.set_image(self._pictures[self._current].image() if has_picture else None)
        count = len(self._pictures)
        several = count > 1
        for part in (self.previous_button, self.next_button):
            part.setVisible(several)
        self.previous_button.setEnabled(self._current > 0)
        self.next_button.setEnabled(self._current < count - 1)
        self._dots.setVisible(several and count <= MOST_DOTS)
        self._dots.set_place(min(count, MOST_DOTS), self._current)
        self._place.setVisible(count > MOST_DOTS)
        self._place.setText(self._place_in_words())
        self._credit.setText(self._pictures[self._current].credit if has_picture else "")
        self._tell()

    def _place_in_words(self) -> str:
        return self.tr("{n} of {all}").format(n=self._current + 1, all=len(self._pictures))

    def _tell(self) -> None:
        if not self._pictures:
            return
        picture = self._pictures[self._current]
        percent = self.tr("{n} %").format(n=round(self.canvas.zoom * 100))
        self.zoom_button.setText(percent)
        self.zoom_button.setAccessibleName(self.tr("Zoom, {percent}").format(percent=percent))
        self.canvas.setAccessibleName(picture.name or self.tr("Picture"))
        said = [self.tr("{width} by {height} pixels").format(width=picture.width, height=picture.height), percent]
        if len(self._pictures) > 1:
            said.append(self.tr("picture {place}").format(place=self._place_in_words()))
        self.canvas.setAccessibleDescription(", ".join([*said, *([picture.credit] if picture.credit else [])]))

    def _dress(self) -> None:
        side = round(16 * self._themes.zoom / 100)
        for button in (self.previous_button, self.next_button):
            button.setIconSize(QSize(side, side))
        self.canvas.setBackgroundBrush(QBrush(self._themes.active.picture_ground))

    def _zoom_menu(self) -> QToolButton:
        button = QToolButton()
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for name, words, keys, does in (
            ("zoom-in", self.tr("Zoom in"), "+", self.canvas.zoom_in),
            ("zoom-out", self.tr("Zoom out"), "-", self.canvas.zoom_out),
            ("fit", self.tr("Fit"), "0", self.canvas.fit),
            ("picture", self.tr("100 %"), "1", self.canvas.actual_size),
        ):
            menu.addAction(icon(name), f"{words}\t{keys}", does)
        button.setMenu(menu)
        return button

    def _lay_out(self) -> None:
        footer = QHBoxLayout()
        footer.setContentsMargins(12, 2, 4, 2)
        footer.setSpacing(4)
        footer.addWidget(self._credit, 1)
        for part in (self.previous_button, self._dots, self._place, self.next_button):
            footer.addWidget(part)
        footer.addWidget(self.zoom_button)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.canvas, 1)
        column.addLayout(footer)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(page)


def _button(name: str, words: str, does: object) -> QToolButton:
    button = QToolButton()
    button.setIcon(icon(name))
    button.setToolTip(words)
    button.setAccessibleName(words)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(does)
    return button
