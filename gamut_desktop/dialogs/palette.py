"""The palette (Ctrl+K) and the shortcut sheet (F1): every registered action by name, and by key."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPalette, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.actions import Actions, plain
from gamut_desktop.theme import semibold

Index = QModelIndex | QPersistentModelIndex
_ACTION = int(Qt.ItemDataRole.UserRole) + 1
_KEYS = _ACTION + 1


def _shortcut(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


class _WithKeys(QStyledItemDelegate):
    """An action's name, its keys at the other side in the quieter ink."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        painter.save()
        painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
        room = option.rect.adjusted(8, 0, -8, 0)
        side = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, int(QStyle.visualAlignment(option.direction, side)), str(index.data(_KEYS) or ""))
        painter.restore()


class Palette(QDialog):
    """Type a few letters, press Enter: the action runs as if chosen from its menu. Disabled actions are left out."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Actions"))
        self.resize(460, 420)
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Type what you want to do"))
        self._search.setAccessibleName(self.tr("Search actions"))
        self._search.setClearButtonEnabled(True)
        self._list = QListView()
        self._list.setAccessibleName(self.tr("Actions"))
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._model = QStandardItemModel(self)
        for entry in actions.entries():
            if entry.action.isEnabled() and entry.action.isVisible():
                self._model.appendRow(_palette_row(entry.heading, entry.action))
        self._filter = QSortFilterProxyModel(self)
        self._filter.setSourceModel(self._model)
        self._filter.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._list.setModel(self._filter)
        self._list.setItemDelegate(_WithKeys(self._list))
        layout = QVBoxLayout(self)
        layout.addWidget(self._search)
        layout.addWidget(self._list)
        self._search.textChanged.connect(self._narrow)
        self._search.returnPressed.connect(self.run_current)
        self._list.activated.connect(self.run_current)
        self._search.installEventFilter(self)
        self._narrow("")

    def _narrow(self, text: str) -> None:
        self._filter.setFilterFixedString(text)
        self._list.setCurrentIndex(self._filter.index(0, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down move in the list while the search keeps the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
            if step:
                row = self._list.currentIndex().row() + step
                if 0 <= row < self._filter.rowCount():
                    self._list.setCurrentIndex(self._filter.index(row, 0))
                return True
        return super().eventFilter(watched, event)

    def run_current(self) -> None:
        """Close, then run the chosen action."""
        index = self._list.currentIndex()
        if index.isValid():
            action = self._filter.data(index, _ACTION)
            self.accept()
            action.trigger()


def _palette_row(heading: str, action: QAction) -> QStandardItem:
    keys = _shortcut(action)
    item = QStandardItem(f"{heading}: {plain(action.text())}")
    item.setData(action, _ACTION)
    item.setData(keys, _KEYS)
    item.setAccessibleText(f"{item.text()}, {keys}" if keys else item.text())
    return item


class ShortcutSheet(QDialog):
    """Every action with its key, by heading."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.resize(520, 620)
        model = QStandardItemModel(self)
        model.setHorizontalHeaderLabels([self.tr("Action"), self.tr("Key")])
        headings: dict[str, QStandardItem] = {}
        for entry in actions.entries():
            keys = _shortcut(entry.action)
            if not keys:
                continue
            if entry.heading not in headings:
                headings[entry.heading] = QStandardItem(entry.heading)
                headings[entry.heading].setFont(semibold(self.font()))
                model.appendRow([headings[entry.heading], QStandardItem()])
            headings[entry.heading].appendRow([QStandardItem(plain(entry.action.text())), QStandardItem(keys)])
        view = QTreeView()
        view.setModel(model)
        view.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        view.setRootIsDecorated(False)
        view.setItemsExpandable(False)
        view.setAccessibleName(self.tr("Keyboard shortcuts"))
        view.header().setAccessibleName(self.tr("Action and key"))
        view.expandAll()
        view.setIndentation(12)
        view.header().setStretchLastSection(False)
        view.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        view.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.addWidget(view)
