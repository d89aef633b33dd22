"""A button among small print: as quiet as a label, and still a button to keyboard and screen reader."""

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolButton, QWidget

from gamut_desktop.theme import small_print
from gamut_desktop.widgets.icons import icon


class QuietButton(QToolButton):
    """Its font follows the text zoom, as a small label's does."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("quiet", True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_words(text, alarming=False)
        self._derive()

    def show_words(self, text: str, *, alarming: bool) -> None:
        """Show this, with the warning's sign before it or without."""
        style = Qt.ToolButtonStyle
        self.setText(text)
        self.setIcon(icon("warning") if alarming else QIcon())
        self.setToolButtonStyle(style.ToolButtonTextBesideIcon if alarming else style.ToolButtonTextOnly)

    def event(self, event: QEvent) -> bool:
        """Derive the font anew when the application's has changed; under a stylesheet only StyleChange tells of it."""
        if event.type() in (QEvent.Type.ApplicationFontChange, QEvent.Type.StyleChange):
            self._derive()
            QTimer.singleShot(0, self, self._derive)  # the stylesheet may yet put the font before back
        return super().event(event)

    def _derive(self) -> None:
        font = small_print(QApplication.font())
        if font != self.font():
            self.setFont(font)
