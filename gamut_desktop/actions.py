"""Every action of the window in one registry: menus, shortcut sheet and palette are made from it, so none is left out.

An action has an id, a text, a shortcut, a menu and a function; views register theirs too, under their own headings.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from gamut_desktop.widgets.icons import icon

Shortcut = str | QKeySequence | QKeySequence.StandardKey | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered action under its heading (a menu's title or a pane's name)."""

    heading: str
    action: QAction


class Actions(QObject):
    """Makes actions and keeps them in order. Shortcuts work in the whole window unless `where` narrows them."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._entries: list[Entry] = []

    def add(
        self,
        menu: QMenu,
        name: str,
        text: str,
        slot: Callable[[], object],
        *,
        shortcut: Shortcut = None,
        icon_name: str | None = None,
        checkable: bool = False,
        where: QWidget | None = None,
    ) -> QAction:
        """Make an action, put it into the menu and the registry."""
        action = QAction(text, self._window)
        action.setObjectName(name)
        action.setCheckable(checkable)
        if shortcut is not None:
            action.setShortcut(QKeySequence(shortcut))
        if icon_name is not None:
            action.setIcon(icon(icon_name))
        if where is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            where.addAction(action)
        action.triggered.connect(lambda *_: slot())
        menu.addAction(action)
        self.register(menu.title().replace("&", ""), action)
        return action

    def register(self, heading: str, action: QAction) -> None:
        """Put an action that someone else made into the registry."""
        self._entries.append(Entry(heading, action))

    def forget(self, actions: Iterable[QAction]) -> None:
        """Take actions out of the registry: their pane is gone."""
        gone = set(map(id, actions))
        self._entries = [entry for entry in self._entries if id(entry.action) not in gone]

    def entries(self) -> Iterator[Entry]:
        """All actions in the order they were registered."""
        yield from self._entries

    def named(self, name: str) -> QAction:
        """The action with this object name; KeyError if there is none."""
        for entry in self._entries:
            if entry.action.objectName() == name:
                return entry.action
        raise KeyError(name)


def plain(text: str) -> str:
    """An action's text as words: without mnemonic and dots."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("….")
