"""Where the panes stand: laid out at first, moved by the person, remembered, and brought back.

The main window owns one; it holds the docks and the two panes in the middle, and knows nothing of what they show.
"""

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSplitter

from gamut_desktop.recent import Memory
from gamut_desktop.theme import ThemeController
from gamut_desktop.views.message_bar import MessageBar
from gamut_desktop.views.panes import Panes
from gamut_desktop.widgets.dock_title import DockTitle

LAYOUT_VERSION = 1


class Arrangement(QObject):
    """`center`: the splitter in the middle. `docks`: those of the open project, in the order of their keys."""

    def __init__(self, window: QMainWindow, memory: Memory, messages: MessageBar) -> None:
        super().__init__(window)
        self._window, self._memory, self._messages = window, memory, messages
        self.docks: list[QDockWidget] = []
        self.center = QSplitter(Qt.Orientation.Horizontal)
        self.center.setChildrenCollapsible(False)
        self.center.hide()
        self._default = QByteArray()
        self._placed = False

    def lay_out(self, panes: Panes, themes: ThemeController) -> None:
        """Put the panes of a project that was opened where the person had them last."""
        window, told = self._window, self._told
        for corner in (Qt.Corner.TopLeftCorner, Qt.Corner.BottomLeftCorner):
            window.setCorner(corner, Qt.DockWidgetArea.LeftDockWidgetArea)
        for corner in (Qt.Corner.TopRightCorner, Qt.Corner.BottomRightCorner):
            window.setCorner(corner, Qt.DockWidgetArea.RightDockWidgetArea)
        for dock, area in panes.docks(window):
            dock.setTitleBarWidget(DockTitle(themes, dock))
            window.addDockWidget(area, dock)
            self.docks.append(dock)
            if dock.objectName() == "question":  # Tab goes in the order of arrival, so they arrive as the eye goes
                self.center.addWidget(panes.rubric_side)
                self.center.addWidget(panes.checklist_side)
        self.center.setSizes([330, 390])
        self.center.show()
        self._default = self._arrange()
        center = self._memory.bytes("center")
        if center is not None:
            self.center.restoreState(center)
        self._restore_geometry()
        self._restore_panes()
        self._messages.setVisible(told)
        QTimer.singleShot(0, self, self._arrange_anew)  # docks take no sizes before they are laid out

    def forget(self) -> None:
        """The project was closed, and its panes are gone."""
        self.docks = []
        self.center.hide()

    def reset(self) -> None:
        """Put every pane back where it was at first."""
        if self.docks:
            told = self._told
            self._window.restoreState(self._default, LAYOUT_VERSION)
            self._arrange()
            self._messages.setVisible(told)

    def remember(self) -> None:
        """Keep where everything stands for the next start."""
        if self.docks:
            self._memory.put("geometry", self._window.saveGeometry())
            self._memory.put("state", self._window.saveState(LAYOUT_VERSION))
            self._memory.put("center", self.center.saveState())

    @property
    def _told(self) -> bool:
        """Whether a message is shown: it is a tool bar, and what brings panes back would hide it."""
        return self._messages.isVisibleTo(self._window)

    def _arrange(self) -> QByteArray:
        window = self._window
        by_name = {dock.objectName(): dock for dock in self.docks}
        wide, high = max(window.width(), 1280), max(window.height(), 800) - 60
        window.resizeDocks([by_name["questions"], by_name["responses"]], [230, wide // 4], Qt.Orientation.Horizontal)
        window.resizeDocks([by_name["question"]], [high * 3 // 10], Qt.Orientation.Vertical)
        right = [by_name[name] for name in ("responses", "answer", "reasons", "score")]
        rest = high - 164 - 222
        window.resizeDocks(right, [164, rest - rest // 2, rest // 2, 222], Qt.Orientation.Vertical)
        return window.saveState(LAYOUT_VERSION)

    def _arrange_anew(self) -> None:
        if self.docks:
            told = self._told
            self._default = self._arrange()
            self._restore_panes()
            self._messages.setVisible(told)

    def _restore_geometry(self) -> None:
        """Once: another project opens in the window as it stands."""
        stored = None if self._placed else self._memory.bytes("geometry")
        self._placed = True
        if stored is not None:
            self._window.restoreGeometry(stored)

    def _restore_panes(self) -> None:
        stored = self._memory.bytes("state")
        if stored is not None:
            self._window.restoreState(stored, LAYOUT_VERSION)
