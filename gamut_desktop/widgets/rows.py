"""What all row delegates share: grounds for selection, hover and lit rows, focus rings, slots, tooltips.

A delegate says in `place` where its parts lie in a row of a given width and in `draw` how they look; height, mirroring
for right-to-left windows and the full text on hover come from here.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QTreeView,
    QWidget,
)

from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.theme import Theme, ThemeController
from gamut_desktop.widgets.measures import Measures
from gamut_desktop.widgets.words import plain_tooltip
from gamut_desktop.widgets.wrapped_text import WrappedText, wrapped
from models.rubric.checklist import Role
from models.rubric.metarubric import Tier
from models.verdicts import Outcome, Verdict

Index = QModelIndex | QPersistentModelIndex

PADDING = 6  # above and below the text of a row
LIT_BAR = 3


class Slots:
    """Cuts a row from both ends; what is left is the text's. All left to right: `Row.seen` mirrors at the end."""

    def __init__(self, box: QRectF, gap: float) -> None:
        """`gap` goes between neighbouring slots and at both ends."""
        self._left = box.left() + gap
        self._right = box.right() - gap
        self._box = box
        self._gap = gap

    def left(self, width: float, gap: float | None = None) -> QRectF:
        """A slot at the leading side."""
        slot = QRectF(self._left, self._box.top(), width, self._box.height())
        self._left += width + (self._gap if gap is None else gap)
        return slot

    def right(self, width: float, gap: float | None = None) -> QRectF:
        """A slot at the trailing side."""
        self._right -= width
        slot = QRectF(self._right, self._box.top(), width, self._box.height())
        self._right -= self._gap if gap is None else gap
        return slot

    def indent(self, width: float) -> None:
        """Leave `width` empty at the leading side."""
        self._left += width

    def rest(self) -> QRectF:
        """What is between the slots taken so far."""
        return QRectF(self._left, self._box.top(), max(1.0, self._right - self._left), self._box.height())


class Row:
    """One row while it is measured or painted: its data, fonts, colours and direction."""

    def __init__(self, option: QStyleOptionViewItem, index: Index, theme: Theme, box: QRectF) -> None:
        """`box`: the row's rectangle; its height does not matter while measuring."""
        self.option = option
        self.index = index
        self.theme = theme
        self.box = box
        self._known: dict[int, Any] = {}
        self.measures = Measures.of(option.font)
        self.right_to_left = option.direction == Qt.LayoutDirection.RightToLeft

    def data(self, role: int) -> Any:
        """The model's answer for this row, asked for once."""
        if role not in self._known:
            self._known[role] = self.index.data(role)
        return self._known[role]

    @property
    def tooltip(self) -> str:
        """The model's own tooltip; empty without one."""
        return str(self.data(Qt.ItemDataRole.ToolTipRole) or "")

    @property
    def tier(self) -> Tier | None:
        """The TIER role. (Qt hands an enum of strings on as a plain string.)"""
        tier = self.data(Roles.TIER)
        return None if tier is None else Tier(tier)

    def verdict(self, role: Roles = Roles.VERDICT) -> Verdict | None:
        """The VERDICT or SECOND_VERDICT role."""
        verdict = self.data(role)
        return None if verdict is None else Verdict(verdict)

    @property
    def outcome(self) -> Outcome | None:
        """The OUTCOME role."""
        outcome = self.data(Roles.OUTCOME)
        return None if outcome is None else Outcome(outcome)

    @property
    def secondary(self) -> bool:
        """Whether CHECK_ROLE is secondary."""
        return bool(self.data(Roles.CHECK_ROLE) == Role.SECONDARY)

    @property
    def text(self) -> str:
        """The row's main text."""
        return str(self.data(Qt.ItemDataRole.DisplayRole) or "")

    def seen(self, slot: QRectF) -> QRectF:
        """The slot where it is on screen: mirrored in a right-to-left window."""
        if not self.right_to_left:
            return slot
        return QRectF(self.box.left() + self.box.right() - slot.right(), slot.top(), slot.width(), slot.height())

    def centred(self, slot: QRectF, size: QSize, middle: float) -> QRectF:
        """A part of `size` in the slot, its centre at height `middle`."""
        seen = self.seen(slot)
        return QRectF(seen.center().x() - size.width() / 2, middle - size.height() / 2, size.width(), size.height())

    def wrap(self, text: str, font: QFont, width: float, most_lines: int) -> WrappedText:
        """The text, laid out for this row's direction."""
        return wrapped(text, font, width, most_lines, right=self.right_to_left)

    def write(self, painter: QPainter, slot: QRectF, top: float, text: WrappedText, ink: QColor) -> None:
        """Draw laid-out text into the slot at height `top`."""
        painter.setPen(ink)
        text.draw(painter, QRectF(self.seen(slot).left(), top, 0, 0).topLeft())


class RowDelegate(QStyledItemDelegate):
    """The base of the delegates; see the module. `uniform`: all rows have one height, whatever they hold."""

    uniform = False

    def __init__(self, themes: ThemeController, parent: QObject | None = None) -> None:
        """`themes`: asked for the active theme at every painting."""
        super().__init__(parent)
        self._themes = themes

    # what a delegate adds

    def measure(self, row: Row) -> float:
        """The row's height for the width of its box."""
        raise NotImplementedError

    def draw(self, painter: QPainter, row: Row) -> None:
        """Paint the row's parts; ground and focus are done."""
        raise NotImplementedError

    def text_slot(self, row: Row) -> QRectF:
        """Where the main text, and so an editor, goes."""
        raise NotImplementedError

    def elides(self, row: Row) -> bool:
        """Whether the row shows less than its whole text."""
        raise NotImplementedError

    def details(self, row: Row) -> Sequence[str]:
        """Further sentences for the tooltip: what signs and bars say in words."""
        return ()

    def unsaid(self, row: Row) -> Sequence[str]:
        """Sentences for the tooltip of a row whose model has none."""
        return ()

    # Qt's side

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The row's height at the view's present width."""
        made = self._option(option, index)
        width = room(made, index)
        row = Row(made, index, self._themes.active, QRectF(0, 0, width, 0))
        return QSize(min(round(width), 120), round(self.measure(row)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Ground, parts, focus ring."""
        made = self._option(option, index)
        row = Row(made, index, self._themes.active, QRectF(made.rect))
        painter.save()
        paint_ground(painter, row.box, made, index, row.theme)
        painter.setFont(made.font)
        self.draw(painter, row)
        if made.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, made, row.theme)
        painter.restore()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """The editor lies on the text."""
        made = self._option(option, index)
        row = Row(made, index, self._themes.active, QRectF(made.rect))
        slot = row.seen(self.text_slot(row)).toRect().adjusted(-row.measures.gap, 0, 0, 0)
        height = min(slot.height(), max(editor.sizeHint().height(), row.measures.one_line))
        slot.setTop(slot.top() + (slot.height() - height) // 2)
        slot.setHeight(height)
        editor.setGeometry(slot)

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        """The model's tooltip, else the whole text where it is cut; then what the signs say."""
        if event.type() != QEvent.Type.ToolTip:
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), self.tooltip(option, index), view, option.rect)
        return True

    def tooltip(self, option: QStyleOptionViewItem, index: Index) -> str:
        """What hovering the row shows, as safe markup; empty if the row says it all.

        A model's own tooltip is markup if words.plain_tooltip made it, and shown as it stands otherwise.
        """
        made = self._option(option, index)
        row = Row(made, index, self._themes.active, QRectF(made.rect))
        details = self.details(row)
        if not row.tooltip:
            return plain_tooltip(*([row.text] if self.elides(row) else []), *details, *self.unsaid(row))
        whole = row.tooltip if row.tooltip.startswith("<qt>") else plain_tooltip(row.tooltip)
        return whole + plain_tooltip(*details)

    def _option(self, option: QStyleOptionViewItem, index: Index) -> QStyleOptionViewItem:
        made = QStyleOptionViewItem(option)
        self.initStyleOption(made, index)
        return made


def room(option: QStyleOptionViewItem, index: Index) -> float:
    """The width a row has: the view's, less a tree's indentation; the option's own where there is no view."""
    view = option.widget
    if not isinstance(view, QAbstractItemView):
        return float(option.rect.width())
    width = view.viewport().width()
    if isinstance(view, QTreeView):
        depth = 1 if view.rootIsDecorated() else 0
        above = index.parent()
        while above.isValid() and above != view.rootIndex():
            depth += 1
            above = above.parent()
        width -= depth * view.indentation()
    return float(max(width, 1))


def paint_ground(painter: QPainter, box: QRectF, option: QStyleOptionViewItem, index: Index, theme: Theme) -> None:
    """Selected, lit, hovered or plain; a lit row has an accent bar at its leading edge as well."""
    state, view = option.state, option.widget
    lit = bool(index.data(Roles.LIT))
    ground: QColor | None = None
    if state & QStyle.StateFlag.State_Selected:
        ground = theme.selection if view is None or view.hasFocus() else theme.selection_unfocused
    elif lit:
        ground = theme.lit
    elif state & QStyle.StateFlag.State_MouseOver:
        ground = theme.hover
    if ground is not None:
        painter.fillRect(box, ground)
    if lit:
        whole = _whole_row(option)
        left = whole.right() - LIT_BAR if option.direction == Qt.LayoutDirection.RightToLeft else whole.left()
        painter.fillRect(QRectF(left, whole.top(), LIT_BAR, whole.height()), theme.accent)


def paint_focus(painter: QPainter, option: QStyleOptionViewItem, theme: Theme) -> None:
    """A ring around the whole row."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.focus, 1.0))
    painter.drawRect(_whole_row(option).adjusted(0.5, 0.5, -0.5, -0.5))


def _whole_row(option: QStyleOptionViewItem) -> QRectF:
    box = QRectF(option.rect)
    if isinstance(option.widget, QTreeView):
        box.setLeft(0)
        box.setRight(option.widget.viewport().width())
    return box


def dress(view: QAbstractItemView, delegate: RowDelegate) -> None:
    """Give a view its row delegate: hover, no sideways scrolling, and rows that wrap anew when the width changes."""
    view.setItemDelegate(delegate)
    view.setMouseTracking(True)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    if isinstance(view, QTreeView):
        view.setHeaderHidden(True)
        view.setUniformRowHeights(delegate.uniform)
    elif isinstance(view, QListView):
        view.setUniformItemSizes(delegate.uniform)
    view.viewport().installEventFilter(_Rewrap(view))


class _Rewrap(QObject):
    """Has the view lay out its rows again when its viewport's width has changed."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._width = view.viewport().width()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self._view.viewport().width() != self._width:
            self._width = self._view.viewport().width()
            model: QAbstractItemModel | None = self._view.model()
            if model is not None:
                self._view.scheduleDelayedItemsLayout()
        return False
