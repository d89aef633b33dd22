"""One calm line at the top of the window: an error's sentence and next step, with details on request, or an offer."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from gamut_desktop.widgets.icons import icon
from gamut_desktop.widgets.labels import Label


class MessageBar(QWidget):
    """Hidden until something is said; Esc or its button closes it. copy_wanted: the person wants the diagnosis."""

    copy_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._do: Callable[[], object] | None = None
        self._sign = Label()
        self.sentence = Label()
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentence.setAccessibleName(self.tr("Message"))
        self.action_button = QPushButton()
        self.action_button.clicked.connect(self._act)
        self.details_button = QPushButton(self.tr("Details"))
        self.details_button.setCheckable(True)
        self.details_button.toggled.connect(self._show_details)
        self.copy_button = QPushButton(self.tr("Copy diagnosis"))
        self.copy_button.clicked.connect(self.copy_wanted)
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("delete"))
        self.close_button.setAccessibleName(self.tr("Close this message"))
        self.close_button.setToolTip(self.tr("Close this message (Esc)"))
        self.close_button.clicked.connect(self.hide)
        self.details = QPlainTextEdit()
        self.details.setReadOnly(True)
        self.details.setAccessibleName(self.tr("Details"))
        self.details.setMaximumHeight(140)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._sign)
        row.addWidget(self.sentence, 1)
        for button in (self.action_button, self.details_button, self.copy_button, self.close_button):
            row.addWidget(button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(12, 8, 12, 8)
        whole.addLayout(row)
        whole.addWidget(self.details)

    def tell(
        self,
        sentence: str,
        *,
        warning: bool = True,
        details: str = "",
        action: str = "",
        do: Callable[[], object] | None = None,
        diagnosis: bool = False,
    ) -> None:
        """Say something. `action`, `do`: a button and what it does. `details`: shown on request."""
        self._sign.setPixmap(icon("warning" if warning else "check").pixmap(16, 16))
        self.sentence.setText(sentence)
        self._do = do
        self.action_button.setText(action)
        self.action_button.setVisible(bool(action))
        self.details.setPlainText(details)
        self.details_button.setVisible(bool(details))
        self.details_button.setChecked(False)
        self.details.hide()
        self.copy_button.setVisible(diagnosis)
        self.show()

    def _act(self) -> None:
        do = self._do
        self.hide()
        if do is not None:
            do()

    def _show_details(self, shown: bool) -> None:
        self.details.setVisible(shown)
