"""One calm line above all panes: an error's sentence and next step, with details on request, or an offer."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.widgets.icons import icon
from gamut_desktop.widgets.labels import Label

MOST_LINES = 7


class _Sentence(Label):
    """Wraps, and keeps the room for it: a tool bar's layout does not ask how high a width makes its widgets."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def setText(self, text: str) -> None:
        super().setText(text)
        if self.isVisible():
            self._make_room()

    def _make_room(self) -> None:
        self.setFixedHeight(max(0, self.heightForWidth(self.width())))


class MessageBar(QToolBar):
    """A tool bar, so that it spans the window. Hidden until something is said; Esc or its button closes it.

    copy_wanted: the person wants the diagnosis.
    """

    copy_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messages")
        self.setWindowTitle(self.tr("Message"))
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        self._warning = False
        self._do: Callable[[], object] | None = None
        self._sign = Label()
        self.sentence = _Sentence()
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
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._sign)
        row.addWidget(self.sentence, 1)
        for button in (self.action_button, self.details_button, self.copy_button, self.close_button):
            row.addWidget(button)
        page = QWidget()
        page.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        whole = QVBoxLayout(page)
        whole.setContentsMargins(12, 4, 4, 4)
        whole.setSpacing(4)
        whole.addLayout(row)
        whole.addWidget(self.details)
        self.addWidget(page)

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
        self._warning = warning
        self.setProperty("warning", warning)
        self.style().unpolish(self)
        self.style().polish(self)
        self._draw_sign()
        if (around := self.layout()) is not None:
            around.setContentsMargins(0, 0, 0, 0)  # the style sets them anew with every theme
        self.sentence.setText(sentence)
        self._do = do
        self.action_button.setText(action)
        self.action_button.setVisible(bool(action))
        self.details.setPlainText(details)
        lines = min(MOST_LINES, details.count("\n") + 1)
        self.details.setFixedHeight(self.details.fontMetrics().lineSpacing() * lines + 20)
        self.details_button.setVisible(bool(details))
        self.details_button.setChecked(False)
        self.details.hide()
        self.copy_button.setVisible(diagnosis)
        self.show()

    def changeEvent(self, event: QEvent) -> None:
        """The sign in the new colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_warning"):
            self._draw_sign()

    def _draw_sign(self) -> None:
        name = "warning" if self._warning else "check"
        self._sign.setPixmap(icon(name).pixmap(QSize(16, 16), self.devicePixelRatioF()))

    def _act(self) -> None:
        do = self._do
        self.hide()
        if do is not None:
            do()

    def _show_details(self, shown: bool) -> None:
        self.details.setVisible(shown)
