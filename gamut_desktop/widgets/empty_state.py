"""What an empty place shows: one sentence, one button, perhaps a second, and what may be dropped there.

The place that shows it decides what the buttons do, through the two signals.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gamut_desktop.widgets.labels import Label


class EmptyState(QWidget):
    """An invitation in the middle of an empty place."""

    primary = Signal()
    secondary = Signal()

    def __init__(
        self, sentence: str, primary: str, secondary: str = "", drop_hint: str = "", parent: QWidget | None = None
    ) -> None:
        """All texts are given translated; an empty `secondary` or `drop_hint` leaves its part out."""
        super().__init__(parent)
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
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch()
        buttons.addWidget(self.primary_button)
        buttons.addWidget(self.secondary_button)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self._sentence)
        column.addLayout(buttons)
        column.addWidget(self._hint)
        column.addStretch(3)
