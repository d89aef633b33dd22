"""A tree and a list for row delegates, with the row's ground drawn under a tree's branches too.

They add no behaviour beyond Qt's: keys, selection and editing are those of QTreeView and QListView.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem, QTreeView, QWidget

from gamut_desktop.theme import ThemeController
from gamut_desktop.widgets.rows import RowDelegate, dress, paint_ground


class RowTree(QTreeView):
    """A tree of wrapped rows. `name`: what a screen reader calls it."""

    def __init__(
        self, themes: ThemeController, delegate: RowDelegate, name: str, parent: QWidget | None = None
    ) -> None:
        """`delegate` becomes the tree's child."""
        super().__init__(parent)
        self._themes = themes
        self.setAccessibleName(name)
        self.setIndentation(16)
        delegate.setParent(self)
        dress(self, delegate)

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        """The row's ground first, then Qt's arrow."""
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = rect
        if self.selectionModel() is not None and self.selectionModel().isSelected(index):
            option.state |= QStyle.StateFlag.State_Selected
        else:
            option.state &= ~QStyle.StateFlag.State_Selected
        painter.fillRect(rect, self._themes.active.surface)
        paint_ground(painter, QRectF(rect), option, index, self._themes.active)
        super().drawBranches(painter, rect, index)


class RowList(QListView):
    """A list of rows. `name`: what a screen reader calls it."""

    def __init__(self, delegate: RowDelegate, name: str, parent: QWidget | None = None) -> None:
        """`delegate` becomes the list's child."""
        super().__init__(parent)
        self.setAccessibleName(name)
        delegate.setParent(self)
        dress(self, delegate)
