"""What the rubric's and the checklist's panel share: actions that work on a tree, and one history of undo for all."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QTreeView


def prepared(tree: QTreeView | None, delegate: QAbstractItemDelegate | None, name: str) -> QTreeView:
    """The tree that was given, or a plain one, as both panels want it. `name`: what a screen reader calls it."""
    tree = tree or QTreeView()
    if delegate is not None:
        tree.setItemDelegate(delegate)
    tree.setAccessibleName(name)
    tree.setHeaderHidden(True)
    tree.setExpandsOnDoubleClick(False)
    tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    tree.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
    tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    return tree


def tree_action(
    tree: QTreeView, name: str, text: str, slot: Callable[[], object], *keys: str, checkable: bool = False
) -> QAction:
    """An action whose keys work while the tree itself has the focus, so not in an inline editor."""
    action = QAction(text, tree)
    action.setObjectName(name)
    action.setShortcuts([QKeySequence(key) for key in keys])
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.setCheckable(checkable)
    action.triggered.connect(lambda *_: slot())
    tree.addAction(action)
    return action


class LeaveUndoToTheStack(QObject):
    """Keeps a text field from taking the keys of undo and redo for itself; there is one history, the editor's."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undoing = event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
            if undoing:
                event.ignore()
                return True
        return super().eventFilter(watched, event)
