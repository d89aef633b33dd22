"""The title bar of a dock: its title, semibold, and a button that closes it.

A stylesheet cannot give a dock's title a weight of its own without its contents inheriting it. Dragging still works:
the bar leaves mouse events to the dock.
"""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QToolButton, QWidget

from gamut_desktop.theme import ThemeController
from gamut_desktop.widgets.icons import icon
from gamut_desktop.widgets.labels import ElidedLabel


class DockTitle(QWidget):
    """Follows the dock's title; `dock.setTitleBarWidget(DockTitle(themes, dock))`."""

    def __init__(self, themes: ThemeController, dock: QDockWidget) -> None:
        """A dock that cannot be closed has no button."""
        super().__init__(dock)
        self._themes = themes
        self._title = ElidedLabel(dock.windowTitle(), "title")
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("delete"))
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.clicked.connect(dock.close)
        self.close_button.setVisible(bool(dock.features() & QDockWidget.DockWidgetFeature.DockWidgetClosable))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 2, 2)
        row.addWidget(self._title, 1)
        row.addWidget(self.close_button)
        dock.windowTitleChanged.connect(self._tell)
        themes.changed.connect(self._dress)
        self._tell(dock.windowTitle())
        self._dress()

    def _tell(self, words: str) -> None:
        self._title.setText(words)
        close = self.tr("Hide {title}").format(title=words)
        self.close_button.setAccessibleName(close)
        self.close_button.setToolTip(close)

    def _dress(self) -> None:
        side = round(14 * self._themes.zoom / 100)
        self.close_button.setIconSize(QSize(side, side))
