"""A list model over plain frozen values with a key each, kept up to date by the fewest row changes."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex

from gamut_desktop.qmodels.row_diff import Insert, Move, Remove, row_steps

E = TypeVar("E")
Index = QModelIndex | QPersistentModelIndex


class FlatListModel(QAbstractListModel, Generic[E]):
    """What question and response lists share; a subclass gives the key of an entry and its data."""

    def __init__(self, key: Callable[[E], Hashable], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self._entries: list[E] = []

    def entries(self) -> tuple[E, ...]:
        """What is shown, in order."""
        return tuple(self._entries)

    def entry_at(self, index: Index) -> E | None:
        """The entry of a row; None for no row."""
        return self._entries[index.row()] if index.isValid() else None

    def index_of(self, key: Hashable) -> QModelIndex:
        """The row with that key; an invalid index if there is none."""
        for row, entry in enumerate(self._entries):
            if self._key(entry) == key:
                return self.index(row)
        return QModelIndex()

    def set_entries(self, entries: Iterable[E]) -> None:
        """Show these entries, keys unique: only rows that differ are inserted, moved, removed or changed."""
        new = {self._key(entry): entry for entry in entries}
        old = {self._key(entry): entry for entry in self._entries}
        none = QModelIndex()
        for step in row_steps([list(old)], [list(new)]):
            match step:
                case Remove(_, first, last):
                    self.beginRemoveRows(none, first, last)
                    del self._entries[first : last + 1]
                    self.endRemoveRows()
                case Insert(_, first, keys):
                    self.beginInsertRows(none, first, first + len(keys) - 1)
                    self._entries[first:first] = [new[key] for key in keys]
                    self.endInsertRows()
                case Move(_, row, _, before):
                    self.beginMoveRows(none, row, row, none, before)
                    self._entries.insert(before - (row < before), self._entries.pop(row))
                    self.endMoveRows()
        for row, (key, entry) in enumerate(new.items()):
            if key in old and old[key] != entry:
                self._entries[row] = entry
                self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._entries)
