"""What an empty place shows: one sentence, one button, perhaps a second, and what may be dropped there.

The place that shows it decides what the buttons do, through the two signals.
"""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QVBoxLayout, QWidget

from gamut_desktop.widgets.labels import Label

MARGIN = 12


class EmptyState(QWidget):
    """An invitation in the middle of an empty place."""

    primary = Signal()
    secondary = Signal()

    def __init__(
        self, sentence: str, primary: str, secondary: str = "", drop_hint: str = "", parent: QWidget | None = None
    ) -> None:
        """All texts are given translated; an empty `secondary` or `drop_hint` leaves its part out."""
        super().__init__(parent)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._sentence = Label(sentence)
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint = Label(drop_hint, "small", muted=True)
        self._hint.setWordWrap(True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setVisible(bool(drop_hint))
        self.primary_button = QPushButton(primary)
        self.primary_button.setProperty("primary", True)
        self.primary_button.clicked.connect(self.primary)
        self.secondary_button = QPushButton(secondary)
        self.secondary_button.setVisible(bool(secondary))
        self.secondary_button.clicked.connect(self.secondary)
        self.setFocusProxy(self.primary_button)
        self._lay_out()
        self.set_sentence(sentence)

    def set_sentence(self, sentence: str) -> None:
        """Say something else, for instance when a filter hides everything."""
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)

    def _lay_out(self) -> None:
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(8)
        self._buttons.addStretch()
        for button in (self.primary_button, self.secondary_button):
            self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignCenter)
        self._buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self._sentence)
        column.addLayout(self._buttons)
        column.addWidget(self._hint)
        column.addStretch(3)

    def minimumSizeHint(self) -> QSize:
        """Wide enough for one button: two stand below each other where both do not fit side by side."""
        widest = max(button.sizeHint().width() for button in self._shown_buttons())
        return QSize(widest + 2 * MARGIN, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where both fit."""
        super().resizeEvent(event)
        shown = self._shown_buttons()
        wanted = sum(button.sizeHint().width() for button in shown) + self._buttons.spacing() * (len(shown) + 1)
        fits = wanted <= self.width() - 2 * MARGIN
        self._buttons.setDirection(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)

    def _shown_buttons(self) -> list[QPushButton]:
        return [button for button in (self.primary_button, self.secondary_button) if button.text()]
