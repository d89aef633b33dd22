"""The meta-rubric as a tree: items, and in them their elements, meta-insights last.

The model keeps the question as it knows it and follows the editor change by change, so that rows are inserted, moved
and removed one by one. Inline editing and drag and drop go to the editor; the model itself changes nothing.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt

from gamut_desktop.editor import RubricEditor
from gamut_desktop.qmodels import rubric_drag, rubric_words
from gamut_desktop.qmodels.roles import Roles
from models.rubric.change import (
    Change,
    ElementAdded,
    ElementChanged,
    ElementMoved,
    ElementRemoved,
    ItemAdded,
    ItemChanged,
    ItemMoved,
    ItemRemoved,
    apply,
    item_index,
)
from models.rubric.checklist import Role
from models.rubric.metarubric import Element, Item, MetaInsight, Question, Relationship, Step, elements, label, pool

Node = tuple[str, str | None]
Index = QModelIndex | QPersistentModelIndex


@dataclass(slots=True, eq=False)
class _Row:
    """An item's row: its node number, and those of its elements in their order."""

    node: int
    elements: list[int] = field(default_factory=list)


class RubricTreeModel(QAbstractItemModel):
    """One column. A row's internal id is a number that it keeps for as long as it lives."""

    def __init__(self, editor: RubricEditor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._question: Question | None = None
        self._rows: list[_Row] = []
        self._owner: dict[int, _Row] = {}  # node number of an item or element -> the item's row
        self._last_node = 0
        self._lit: frozenset[Node] = frozenset()
        self._problems: dict[Node, str] = {}
        editor.loaded.connect(self._reload)
        editor.question_changed.connect(self._follow)
        editor.checklist_changed.connect(self._take_problems)
        self._reload()

    # What a row is ---------------------------------------------------------------------------------------------------

    def node_at(self, index: Index) -> Node | None:
        """(item id, None) or (item id, element id); None for no row."""
        if not index.isValid():
            return None
        item, element = self._item(index), self._element(index)
        return item.id, element.id if element else None

    def index_of(self, item: str, element: str | None = None) -> QModelIndex:
        """The row of an item or element; an invalid index if it is not here."""
        for number, one in enumerate(self._items()):
            if one.id == item:
                if element is None:
                    return self.index(number, 0)
                for row, part in enumerate(elements(one)):
                    if part.id == element:
                        return self.index(row, 0, self.index(number, 0))
        return QModelIndex()

    def set_lit(self, nodes: Collection[Node]) -> None:
        """Light the rows that belong to what is selected elsewhere."""
        before, self._lit = self._lit, frozenset(nodes)
        self._touch(before ^ self._lit, [Roles.LIT])

    def _items(self) -> tuple[Item, ...]:
        return self._question.rubric if self._question else ()

    def _item(self, index: Index) -> Item:
        return self._items()[self._rows.index(self._owner[index.internalId()])]

    def _element(self, index: Index) -> Element | None:
        is_item = self._owner[index.internalId()].node == index.internalId()
        return None if is_item else elements(self._item(index))[index.row()]

    # Qt's questions --------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self._rows)
        row = self._owner[parent.internalId()]
        return len(row.elements) if row.node == parent.internalId() and parent.column() == 0 else 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, self._rows[row].node)
        return self.createIndex(row, 0, self._owner[parent.internalId()].elements[row])

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        if not index.isValid():
            return QModelIndex()
        row = self._owner[index.internalId()]
        if row.node == index.internalId():
            return QModelIndex()
        return self.createIndex(self._rows.index(row), 0, row.node)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        item, element = self._item(index), self._element(index)
        node = (item.id, element.id if element else None)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return rubric_words.shown(item, element)
            case Qt.ItemDataRole.EditRole:
                return element.text if element else label(item)
            case Qt.ItemDataRole.AccessibleTextRole:
                return rubric_words.spoken(item, element, self._problems.get(node))
            case Roles.ID:
                return element.id if element else item.id
            case Roles.TIER:
                return item.tier if element is None else element.tier if isinstance(element, MetaInsight) else None
            case Roles.CHECK_ROLE:
                return Role.SECONDARY if isinstance(element, Step) and not element.required else None
            case Roles.TYPE_NAME:
                return rubric_words.type_name(item, element)
            case Roles.NOTE:
                return rubric_words.note(item, element) or None
            case Roles.COUNT:
                return len(pool(item)) if element is None else None
            case Roles.PROBLEM:
                return self._problems.get(node)
            case Roles.LIT:
                return node in self._lit
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled
        if self._element(index) is not None:
            return flags | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemNeverHasChildren
        two_texts = isinstance(self._item(index), Relationship)
        return flags | Qt.ItemFlag.ItemIsDropEnabled | (Qt.ItemFlag(0) if two_texts else Qt.ItemFlag.ItemIsEditable)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Rename an item or element, as one edit of its own."""
        node = self.node_at(index)
        if role != Qt.ItemDataRole.EditRole or node is None or not self.flags(index) & Qt.ItemFlag.ItemIsEditable:
            return False
        done = self._editor.set_text(node[0], str(value), element=node[1])
        self._editor.end_typing()
        return done

    # Drag and drop ---------------------------------------------------------------------------------------------------

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [rubric_drag.MIME]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        node = next((self.node_at(index) for index in indexes), None)
        return rubric_drag.pack(self._question.id if self._question else "", node)

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        return self._target(data, row, parent) is not None

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        """Move what is dropped; the view has nothing to remove afterwards."""
        target = self._target(data, row, parent)
        if target is None:
            return False
        (item, element), to = target
        if element is None:
            return self._editor.move_item(item, to)
        return self._editor.move_element(item, element, to)

    def _target(self, data: QMimeData, row: int, parent: Index) -> tuple[Node, int] | None:
        if self._question is None:
            return None
        return rubric_drag.target(
            self._question, rubric_drag.unpack(data, self._question.id), row, self.node_at(parent)
        )

    # Following the editor --------------------------------------------------------------------------------------------

    def _reload(self) -> None:
        self.beginResetModel()
        self._question = self._editor.question
        self._owner = {}
        self._rows = [self._new_row(item) for item in self._items()]
        self._lit = frozenset()
        self._problems = _told(self._editor)
        self.endResetModel()

    def _new_node(self, row: _Row) -> int:
        self._last_node += 1
        self._owner[self._last_node] = row
        return self._last_node

    def _new_row(self, item: Item) -> _Row:
        row = _Row(0)
        row.node = self._new_node(row)
        row.elements = [self._new_node(row) for _ in elements(item)]
        return row

    def _follow(self, change: Change) -> None:
        if self._question is None:
            return
        after = apply(self._question, change)
        match change:
            case ItemAdded(number, item):
                self.beginInsertRows(QModelIndex(), number, number)
                self._question = after
                self._rows.insert(number, self._new_row(item))
                self.endInsertRows()
            case ItemRemoved(number, _):
                self.beginRemoveRows(QModelIndex(), number, number)
                self._question = after
                row = self._rows.pop(number)
                for node in (row.node, *row.elements):
                    del self._owner[node]
                self.endRemoveRows()
            case ItemMoved(_, old, new):
                self.beginMoveRows(QModelIndex(), old, old, QModelIndex(), new + (new > old))
                self._question = after
                self._rows.insert(new, self._rows.pop(old))
                self.endMoveRows()
            case ElementAdded() | ElementRemoved() | ElementMoved():
                self._follow_element(change, after)
                self._touch([(change.item, None)])
            case ItemChanged():
                self._question = after
                self._touch([(change.becomes, None)])
            case ElementChanged():
                self._question = after
                self._touch([(change.item, change.becomes), (change.item, None)])
            case _:
                self._question = after

    def _follow_element(self, change: ElementAdded | ElementRemoved | ElementMoved, after: Question) -> None:
        number = item_index(after, change.item)
        parent, row = self.index(number, 0), self._rows[number]
        first = len(pool(self._items()[number])) if change.part == "meta_insights" else 0
        match change:
            case ElementAdded():
                at = first + change.index
                self.beginInsertRows(parent, at, at)
                self._question = after
                row.elements.insert(at, self._new_node(row))
                self.endInsertRows()
            case ElementRemoved():
                at = first + change.index
                self.beginRemoveRows(parent, at, at)
                self._question = after
                del self._owner[row.elements.pop(at)]
                self.endRemoveRows()
            case ElementMoved():
                old, new = first + change.old, first + change.new
                self.beginMoveRows(parent, old, old, parent, new + (new > old))
                self._question = after
                row.elements.insert(new, row.elements.pop(old))
                self.endMoveRows()

    def _take_problems(self) -> None:
        before, self._problems = self._problems, _told(self._editor)
        changed = {node for node, _ in before.items() ^ self._problems.items()}
        self._touch(changed, [Roles.PROBLEM, Qt.ItemDataRole.AccessibleTextRole])

    def _touch(self, nodes: Iterable[Node], roles: list[int] | None = None) -> None:
        for item, element in nodes:
            index = self.index_of(item, element)
            if index.isValid():
                self.dataChanged.emit(index, index, roles or [])


def _told(editor: RubricEditor) -> dict[Node, str]:
    """The first problem of each row, as a sentence and what to do."""
    told: dict[Node, str] = {}
    for problem in editor.problems:
        told.setdefault((problem.item, problem.element), f"{problem.message} {problem.fix}")
    return told
