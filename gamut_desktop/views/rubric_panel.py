"""The meta-rubric's panel: the tree, what can be done with it, and the fields of the chosen row.

It turns keys, menus and drops into calls of the editor and shows what comes of them. The delegate, or a whole tree with
one, is given from outside; without one Qt's own is used.
"""

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QHBoxLayout,
    QStackedWidget,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.editor import RubricEditor
from gamut_desktop.qmodels.rubric_tree import Node, RubricTreeModel
from gamut_desktop.views.panel_parts import prepared
from gamut_desktop.views.rubric_actions import RubricActions, siblings
from gamut_desktop.views.rubric_details import RubricDetails
from gamut_desktop.widgets.empty_state import EmptyState
from gamut_desktop.widgets.labels import Label
from models.rubric.metarubric import (
    TIERS,
    Element,
    Item,
    MetaInsight,
    Relationship,
    SimpleKnowledge,
    Step,
    Tier,
    elements,
    insights,
    pool,
)


class RubricPanel(QWidget):
    """selection_changed: the chosen row's item id and element id, None where there is none."""

    selection_changed = Signal(object, object)

    def __init__(
        self,
        editor: RubricEditor,
        *,
        tree: QTreeView | None = None,
        delegate: QAbstractItemDelegate | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._fresh = False  # whether the chosen row was just added and is not named yet
        self._remembered: tuple[str | None, Node | None] = (None, None)  # question and row, for when it is read anew
        self.model = RubricTreeModel(editor, self)
        self.tree = prepared(tree, delegate, self.tr("Meta-rubric"))
        self.tree.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.tree.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.tree.setModel(self.model)
        self.details = RubricDetails(editor)
        self.row_actions = RubricActions(self.tree, self)
        self.undo_action, self.redo_action = self._history()
        self._lay_out()
        self._connect()
        self._loaded()

    def commands(self) -> list[QAction]:
        """Every action of the panel, for menus, palette and the sheet of keys; undo and redo come last."""
        return [*self.row_actions.all(), self.undo_action, self.redo_action]

    # One selection, shown everywhere ---------------------------------------------------------------------------------

    def selected(self) -> Node | None:
        """(item id, element id or None) of the chosen row."""
        return self.model.node_at(self.tree.currentIndex())

    def select(self, item: str | None, element: str | None = None) -> None:
        """Choose a row and bring it into view; None chooses nothing."""
        index = self.model.index_of(item, element) if item else QModelIndex()
        self.tree.setCurrentIndex(index)
        if index.isValid():
            self.tree.scrollTo(index)

    def light(self, nodes: set[Node]) -> None:
        """Light these rows and bring the first into view; the chosen row stays."""
        self.model.set_lit(nodes)
        rows = [index for node in nodes if (index := self.model.index_of(*node)).isValid()]
        if rows:
            self.tree.scrollTo(min(rows, key=lambda index: (index.parent().row(), index.row())))

    # What the actions do ---------------------------------------------------------------------------------------------

    def add_item(self, item_type: str) -> None:
        """A blank item below the chosen one, in its tier, ready to be named."""
        item, _ = self._chosen()
        question = self._editor.question
        if question is None:
            return
        index = question.rubric.index(item) + 1 if item else len(question.rubric)
        tier = item.tier if item else Tier.ANSWER_CRITICAL
        made = self._editor.add_item(item_type, index, tier=tier)
        if made is not None:
            self._name(made, None)

    def add_element(self) -> None:
        """A blank element below the chosen one, ready to be named."""
        item, element = self._chosen()
        if item is None or isinstance(item, SimpleKnowledge):
            return
        own = pool(item)
        index = own.index(element) + 1 if element in own else len(own)
        made = self._editor.add_element(item.id, "", index)
        if made is not None:
            self._name(item.id, made)

    def add_insight(self) -> None:
        """A blank meta-insight at the end of the item, ready to be named."""
        item, element = self._chosen()
        if item is None or isinstance(item, SimpleKnowledge | Relationship):
            return
        own = insights(item)
        index = own.index(element) + 1 if isinstance(element, MetaInsight) else len(own)
        made = self._editor.add_insight(item.id, "", index)
        if made is not None:
            self._name(item.id, made)

    def edit_text(self) -> None:
        """Edit the chosen row's text where it stands; a relationship's two texts in the fields below."""
        index = self.tree.currentIndex()
        if self.model.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self.tree.edit(index)
        elif index.isValid():
            self.details.edit_text()

    def shift_tier(self, steps: int) -> None:
        """Up (-1) or down (1), of an item or a meta-insight."""
        item, element = self._chosen()
        if item is None or (element is not None and not isinstance(element, MetaInsight)):
            return
        tier = element.tier if isinstance(element, MetaInsight) else item.tier
        row = TIERS.index(tier) + steps
        if 0 <= row < len(TIERS):
            self._editor.set_tier(item.id, TIERS[row], element=element.id if element else None)

    def toggle_required(self) -> None:
        """Make a step optional, or required again."""
        item, element = self._chosen()
        if item is not None and isinstance(element, Step):
            self._editor.set_required(item.id, element.id, not element.required)

    def move_row(self, rows: int) -> None:
        """Up (-1) or down (1) among the row's own kind."""
        item, element = self._chosen()
        place, places = self._place(item, element)
        if item is None or not 0 <= place + rows < places:
            return
        if element is None:
            self._editor.move_item(item.id, place + rows)
        else:
            self._editor.move_element(item.id, element.id, place + rows)
        self.tree.scrollTo(self.tree.currentIndex())

    def delete(self) -> None:
        """Delete the chosen row; undo brings it back."""
        item, element = self._chosen()
        if item is not None and element is None:
            self._editor.remove_item(item.id)
        elif item is not None and element is not None:
            self._editor.remove_element(item.id, element.id)

    # Inside ----------------------------------------------------------------------------------------------------------

    def _history(self) -> tuple[QAction, QAction]:
        stack = self._editor.undo_stack
        undo, redo = stack.createUndoAction(self), stack.createRedoAction(self)
        undo.setObjectName("rubric.undo")
        redo.setObjectName("rubric.redo")
        undo.setShortcuts([QKeySequence("Ctrl+Z")])
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for action in (undo, redo):
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.triggered.connect(self._editor.end_typing)
            self.addAction(action)
        return undo, redo

    def _lay_out(self) -> None:
        self.empty = EmptyState(self.tr("No rubric yet. Add what a complete answer contains."), self.tr("Add an item"))
        self.empty.primary_button.setMenu(self.row_actions.menu)
        nothing = Label(self.tr("No question is chosen."), muted=True)
        nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        nothing.setBackgroundRole(QPalette.ColorRole.Base)
        nothing.setAutoFillBackground(True)
        add = QToolButton()
        add.setText(self.tr("Add\N{HORIZONTAL ELLIPSIS}"))
        add.setMenu(self.row_actions.menu)
        add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        add_element = QToolButton()
        add_element.setDefaultAction(self.row_actions.add_element)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 4, 8, 4)
        foot.setSpacing(4)
        for button in (add, add_element):
            button.setAutoRaise(True)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            foot.addWidget(button)
        foot.addStretch(1)
        full = QWidget()
        column = QVBoxLayout(full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tree, 1)
        column.addLayout(foot)
        column.addWidget(self.details)
        self._pages = QStackedWidget()
        for page in (nothing, self.empty, full):
            self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.setFocusProxy(self.tree)

    def _connect(self) -> None:
        self.tree.selectionModel().currentChanged.connect(self._current_changed)
        self.tree.customContextMenuRequested.connect(self._context_menu)
        self.tree.itemDelegate().closeEditor.connect(self._editor_closed)
        self.details.left.connect(lambda: self.tree.setFocus(Qt.FocusReason.OtherFocusReason))
        self.model.modelReset.connect(self._loaded)
        self.model.rowsInserted.connect(self._rows_inserted)
        self.model.rowsRemoved.connect(self._show_page)
        self._editor.question_changed.connect(self._suit)

    def _loaded(self) -> None:
        self._fresh = False
        self.tree.expandAll()
        self._show_page()
        question, node = self._remembered
        if node is not None and self._question_id() == question:
            self.tree.setCurrentIndex(self.model.index_of(*node))
        self._current_changed()

    def _rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        for row in range(first, last + 1):
            self.tree.expand(self.model.index(row, 0, parent))
        self.tree.expand(parent)
        self._show_page()

    def _show_page(self) -> None:
        question = self._editor.question
        self._pages.setCurrentIndex(0 if question is None else 2 if self.model.rowCount() else 1)

    def _current_changed(self) -> None:
        self._remembered = (self._question_id(), self.selected())
        node = self.selected() or (None, None)
        self.details.show_node(*node)
        self._suit()
        QTimer.singleShot(0, self, self._keep_in_view)
        self.selection_changed.emit(*node)

    def _question_id(self) -> str | None:
        return self._editor.question.id if self._editor.question else None

    def _keep_in_view(self) -> None:
        """The fields below have other rows now, so the tree may have become shorter."""
        if self.tree.currentIndex().isValid():
            self.tree.scrollTo(self.tree.currentIndex())

    def _suit(self) -> None:
        item, element = self._chosen()
        self.row_actions.suit(item, element, *self._place(item, element))

    def _chosen(self) -> tuple[Item | None, Element | None]:
        node, question = self.selected(), self._editor.question
        item = next((i for i in question.rubric if i.id == node[0]), None) if node and question else None
        if node is None or item is None or node[1] is None:
            return item, None
        return item, next((e for e in elements(item) if e.id == node[1]), None)

    def _place(self, item: Item | None, element: Element | None) -> tuple[int, int]:
        question = self._editor.question
        if item is None or question is None:
            return 0, 0
        rows = question.rubric if element is None else siblings(item, element)
        return rows.index(element or item), len(rows)

    def _context_menu(self, at: QPoint) -> None:
        menu = self.row_actions.context_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.tree.viewport().mapToGlobal(at))

    def _name(self, item: str, element: str | None) -> None:
        """Choose what was just added and let its text be typed."""
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self.tree.setCurrentIndex(self.model.index_of(item, element))
        self._fresh = True
        self.edit_text()

    def _editor_closed(self) -> None:
        """What was added and left without a text goes again, once the view is done with its inline editor."""
        fresh, self._fresh = self._fresh, False
        if fresh:
            QTimer.singleShot(0, self, self._editor.take_back_new)
