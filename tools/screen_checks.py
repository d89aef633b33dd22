"""What can be seen wrong in a window without eyes: cut text, widgets that stick out, sideways scrolling, other words.

Each finding is one line that names the widget. Delegates and labels that elide with a tooltip are in order.
"""

import re
from collections.abc import Iterable, Iterator

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QComboBox,
    QDialog,
    QDockWidget,
    QGraphicsView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QSplitterHandle,
    QStyle,
    QStyleOptionComboBox,
    QToolButton,
    QWidget,
)

from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.widgets.labels import ElidedLabel
from tools.pseudo_locale import CLOSE, OPEN

PROPER = ("Gamut Desktop", "gamut-desktop", "smollm2", "keyword", "SmolLM2", "HTML", "GGUF")
_TAG = re.compile(r"<[^>]*>")
_WORD = re.compile(r"[A-Za-z]{2,}")
_SHOWN = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


def visible(root: QWidget) -> Iterator[QWidget]:
    """The root and every widget in it that is on screen."""
    yield root
    for widget in root.findChildren(QWidget):
        if widget.isVisible() and widget.window() is root.window() and not widget.visibleRegion().isEmpty():
            yield widget


def named(widget: QWidget) -> str:
    """A widget as a finding names it: class, what it says, and where it stands."""
    said = getattr(widget, "text", None)
    words = said() if callable(said) else widget.objectName() or widget.accessibleName()
    above = widget.parentWidget()
    chain: list[str] = []
    while above is not None and len(chain) < 3:
        chain.append(type(above).__name__)
        above = above.parentWidget()
    return f"{type(widget).__name__} {str(words)[:60]!r} in {' < '.join(chain)}"


def clipped(root: QWidget) -> Iterator[str]:
    """Text that does not fit and has no ellipsis with a tooltip."""
    for widget in visible(root):
        if isinstance(widget, ElidedLabel):
            continue
        if isinstance(widget, QLabel) and widget.text():
            yield from _clipped_label(widget)
        elif isinstance(widget, QAbstractButton) and widget.text():
            if widget.sizeHint().width() > widget.width():
                yield f"cut: {named(widget)} has {widget.width()} px of {widget.sizeHint().width()}"
        elif isinstance(widget, QComboBox):
            option = QStyleOptionComboBox()
            widget.initStyleOption(option)
            sub = QStyle.SubControl.SC_ComboBoxEditField
            room = widget.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, sub, widget).width()
            wanted = widget.fontMetrics().horizontalAdvance(widget.currentText())
            if wanted > room and not widget.toolTip():
                yield f"cut: {named(widget)} shows {widget.currentText()!r} in {room} px of {wanted}"
        elif isinstance(widget, QLineEdit) and not widget.text() and widget.placeholderText():
            wanted = widget.fontMetrics().horizontalAdvance(widget.placeholderText())
            if wanted > widget.width() - 8 and not widget.toolTip():
                yield f"cut: placeholder {widget.placeholderText()!r} in {widget.width()} px of {wanted}"


def _clipped_label(label: QLabel) -> Iterator[str]:
    if label.wordWrap():
        wanted = label.heightForWidth(label.width())
        if wanted > label.height() + 1:
            yield f"cut: {named(label)} is {label.height()} px high of {wanted}"
    elif label.sizeHint().width() > label.width() and not label.toolTip():
        yield f"cut: {named(label)} has {label.width()} px of {label.sizeHint().width()}"


def outside(root: QWidget) -> Iterator[str]:
    """Widgets that stick out of their parents; what scrolls may."""
    for widget in visible(root):
        parent = widget.parentWidget()
        if (
            widget is root
            or parent is None
            or widget.objectName().startswith("qt_")
            or isinstance(widget, QSplitterHandle | QDialog | QMenu)
        ):
            continue
        area = parent.parentWidget()
        scrolls = isinstance(area, QAbstractScrollArea) and area.viewport() is parent
        if not scrolls and not parent.rect().adjusted(-1, 0, 1, 0).contains(widget.geometry()):
            yield f"outside: {named(widget)} at {widget.geometry().getRect()} in {parent.rect().getRect()}"


def sideways(root: QWidget) -> Iterator[str]:
    """Anything that scrolls sideways, or would if its scroll bar were not hidden."""
    for widget in visible(root):
        if isinstance(widget, QAbstractScrollArea) and not isinstance(widget, QGraphicsView):
            more = widget.horizontalScrollBar().maximum()
            if more > 0:
                yield f"sideways: {named(widget)} by {more} px"


def untranslated(root: QWidget, content: Iterable[str]) -> Iterator[str]:
    """Under the pseudo-locale: words outside its brackets that are neither the person's content nor a proper name."""
    known = sorted({one for one in (*content, *PROPER) if one}, key=len, reverse=True)
    for widget in visible(root):
        for words in _words(widget):
            left = _outside_brackets(_TAG.sub(" ", words), known)
            if _WORD.search(left):
                yield f"untranslated: {left.strip()!r} of {words[:80]!r}, {named(widget)}"


def _outside_brackets(words: str, known: list[str]) -> str:
    depth, left = 0, []
    for letter in words:
        depth += letter == OPEN
        if depth == 0:
            left.append(letter)
        depth -= letter == CLOSE and depth > 0
    rest = "".join(left)
    for one in known:
        rest = rest.replace(one, " ")
    return rest


def _words(widget: QWidget) -> Iterator[str]:
    yield widget.toolTip()
    yield widget.accessibleName()
    if isinstance(widget, QDockWidget | QDialog):
        yield widget.windowTitle()
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        yield widget.placeholderText()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(n) for n in range(widget.count()))
    if isinstance(widget, QToolButton) and widget.menu() is not None:
        yield from _of_actions(widget.menu().actions())
    if isinstance(widget, QMainWindow):
        yield from _of_actions(widget.menuBar().actions())
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _of_rows(widget, QModelIndex())


def _of_actions(actions: list[QAction]) -> Iterator[str]:
    for action in actions:
        yield action.text()
        menu = action.menu()
        if isinstance(menu, QMenu):
            yield from _of_actions(menu.actions())


def _of_rows(view: QAbstractItemView, parent: QModelIndex) -> Iterator[str]:
    model = view.model()
    columns = model.columnCount(parent) if isinstance(model, QStandardItemModel) else 1
    for row in range(model.rowCount(parent)):
        for column in range(columns):
            index = model.index(row, column, parent)
            for role in (*_SHOWN, Roles.NOTE, Roles.TYPE_NAME):
                yield str(index.data(role) or "")
        yield from _of_rows(view, model.index(row, 0, parent))


def findings(root: QWidget, content: Iterable[str] | None = None) -> list[str]:
    """All that is wrong with what `root` shows. `content`: given under the pseudo-locale, what needs no translation."""
    found = [*clipped(root), *outside(root), *sideways(root)]
    return found + list(untranslated(root, content)) if content is not None else found
