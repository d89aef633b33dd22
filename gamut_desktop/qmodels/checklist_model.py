"""The checklist in two levels: a header a tier, its checks below it; dropped checks and lost edits come last.

Two levels, so that a screen reader tells the level and arrow keys fold a tier away. A new checklist is laid over the
old one row by row; verdicts are set apart from it and touch only the rows whose verdict changed.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from gamut_desktop.qmodels.checklist_data import header_data, row_data
from gamut_desktop.qmodels.checklist_rows import CheckRow, Section, key_of, sections_of
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.qmodels.row_diff import Insert, Move, Remove, Step, row_steps
from models.rubric.checklist import Check, Checklist
from models.rubric.metarubric import Override
from models.scoring.effective import Effective
from models.verdicts import Outcome

Index = QModelIndex | QPersistentModelIndex
Card = Mapping[str, Effective[Any]]
_VERDICT_ROLES: list[int] = [
    Roles.VERDICT,
    Roles.OUTCOME,
    Roles.PROBABILITIES,
    Roles.BY_PERSON,
    Roles.SECOND_VERDICT,
    Roles.UNSUPPORTED,
    Qt.ItemDataRole.AccessibleTextRole,
]
_NOT_RUN: Effective[Any] = Effective(Outcome.NOT_RUN, None)


class ChecklistModel(QAbstractItemModel):
    """reworded: a row was edited inline (the check, its new text); whoever owns the rubric does it."""

    reworded = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sections: list[list[CheckRow]] = [[] for _ in Section]
        self._shown: list[Section] = []
        self._nodes: dict[Hashable, int] = {}  # row key -> internal id; headers have ids 1 to 5
        self._keys: dict[int, Hashable] = {}
        self._place: dict[Hashable, Section] = {}
        self._last_node = len(Section)
        self._card: Card | None = None
        self._second: Card | None = None
        self._lit: frozenset[Hashable] = frozenset()

    # What is shown ---------------------------------------------------------------------------------------------------

    def check_at(self, index: Index) -> Check | None:
        """The check of a row, dropped ones too; None for a header, a lost edit or no row."""
        row = self._row(index)
        return row.check if row else None

    def orphan_at(self, index: Index) -> Override | None:
        """The edit without a check of a row, or None."""
        row = self._row(index)
        return row.orphan if row else None

    def is_dropped(self, index: Index) -> bool:
        """Whether the row is a dropped check."""
        row = self._row(index)
        return row is not None and row.dropped

    def index_of(self, check: Check) -> QModelIndex:
        """The row of that check, or of what has become of it; an invalid index if it is gone."""
        return self._index_of(key_of(check))

    def header_index(self, section: Section) -> QModelIndex:
        """The header row of a section; an invalid index while the section is empty."""
        return self.index(self._shown.index(section), 0) if section in self._shown else QModelIndex()

    def set_checklist(self, checklist: Checklist, *, anew: bool = False) -> None:
        """Show this checklist. `anew`: it is another question's, so nothing is compared."""
        new = sections_of(checklist)
        if anew:
            self.beginResetModel()
            self._sections, self._shown = new, [section for section in Section if new[section]]
            self._lit = frozenset()
            self._number()
            self.endResetModel()
            return
        counts = [len(rows) for rows in self._sections]
        rows = {row.key: row for section in new for row in section}
        before = {row.key: row for section in self._sections for row in section}
        self._show_headers(new)
        for step in row_steps(_keys(self._sections), _keys(new)):
            self._take(step, rows)
        for key, row in rows.items():
            if key in before and before[key] != row:
                self._replace(row)
        self._hide_headers()
        for section in self._shown:
            if len(self._sections[section]) != counts[section]:
                self._emit(self.header_index(section), [Roles.COUNT, Qt.ItemDataRole.AccessibleTextRole])

    def set_card(self, card: Card | None) -> None:
        """Check key -> what counts for it; None for no response."""
        before, self._card = self._card, card
        self._touch_verdicts(before, card)

    def set_second(self, card: Card | None) -> None:
        """The same by the keyword judge."""
        before, self._second = self._second, card
        self._touch_verdicts(before, card)

    def set_lit(self, checks: Iterable[Check]) -> None:
        """Light the rows that belong to what is selected elsewhere."""
        before, self._lit = self._lit, frozenset(key_of(check) for check in checks)
        for key in before ^ self._lit:
            self._emit(self._index_of(key), [Roles.LIT])

    # Qt's questions --------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self._shown)
        header = self._header(parent)
        return 0 if header is None else len(self._sections[header])

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, self._shown[row] + 1)
        header = self._header(parent)
        assert header is not None
        return self.createIndex(row, 0, self._nodes[self._sections[header][row].key])

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or self._header(index) is not None:
            return QModelIndex()
        return self.header_index(self._place[self._keys[index.internalId()]])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        header = self._header(index)
        if header is not None:
            return header_data(header, len(self._sections[header]), role)
        row = self._sections[self._place[self._keys[index.internalId()]]][index.row()]
        if role == Roles.LIT:
            return row.key in self._lit
        return row_data(row, _found(self._card, row), _found(self._second, row), role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag(0)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        row = self._row(index)
        if row is None:
            return flags
        editable = row.check is not None and not row.dropped
        return flags | Qt.ItemFlag.ItemNeverHasChildren | (Qt.ItemFlag.ItemIsEditable if editable else Qt.ItemFlag(0))

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for a reword."""
        row = self._row(index)
        if role != Qt.ItemDataRole.EditRole or row is None or row.check is None or row.dropped:
            return False
        self.reworded.emit(row.check, str(value))
        return True

    # Inside ----------------------------------------------------------------------------------------------------------

    def _header(self, index: Index) -> Section | None:
        return Section(index.internalId() - 1) if index.isValid() and index.internalId() <= len(Section) else None

    def _row(self, index: Index) -> CheckRow | None:
        if not index.isValid() or self._header(index) is not None:
            return None
        return self._sections[self._place[self._keys[index.internalId()]]][index.row()]

    def _index_of(self, key: Hashable) -> QModelIndex:
        if key not in self._place:
            return QModelIndex()
        section = self._place[key]
        row = next(n for n, one in enumerate(self._sections[section]) if one.key == key)
        return self.index(row, 0, self.header_index(section))

    def _number(self) -> None:
        self._nodes, self._keys, self._place = {}, {}, {}
        for section in Section:
            for row in self._sections[section]:
                self._know(row.key, section)

    def _know(self, key: Hashable, section: Section) -> None:
        self._last_node += 1
        self._nodes[key], self._keys[self._last_node], self._place[key] = self._last_node, key, section

    def _show_headers(self, new: list[list[CheckRow]]) -> None:
        for section in Section:
            if new[section] and section not in self._shown:
                at = sum(1 for one in self._shown if one < section)
                self.beginInsertRows(QModelIndex(), at, at)
                self._shown.insert(at, section)
                self.endInsertRows()

    def _hide_headers(self) -> None:
        for section in [one for one in self._shown if not self._sections[one]]:
            at = self._shown.index(section)
            self.beginRemoveRows(QModelIndex(), at, at)
            self._shown.pop(at)
            self.endRemoveRows()

    def _take(self, step: Step[Hashable], rows: Mapping[Hashable, CheckRow]) -> None:
        section = Section(step.section)
        here, parent = self._sections[section], self.header_index(section)
        match step:
            case Remove(_, first, last):
                self.beginRemoveRows(parent, first, last)
                for row in here[first : last + 1]:
                    del self._keys[self._nodes.pop(row.key)], self._place[row.key]
                del here[first : last + 1]
                self.endRemoveRows()
            case Insert(_, first, keys):
                self.beginInsertRows(parent, first, first + len(keys) - 1)
                here[first:first] = [rows[key] for key in keys]
                for key in keys:
                    self._know(key, section)
                self.endInsertRows()
            case Move(_, old, to, before):
                target = Section(to)
                self.beginMoveRows(parent, old, old, self.header_index(target), before)
                row = here.pop(old)
                self._sections[target].insert(before - (section is target and old < before), row)
                self._place[row.key] = target
                self.endMoveRows()

    def _replace(self, row: CheckRow) -> None:
        here = self._sections[self._place[row.key]]
        index = self._index_of(row.key)
        here[index.row()] = row
        self._emit(index, [])

    def _touch_verdicts(self, before: Card | None, now: Card | None) -> None:
        for section in self._shown:
            for row in self._sections[section]:
                if _found(before, row) != _found(now, row):
                    self._emit(self._index_of(row.key), _VERDICT_ROLES)

    def _emit(self, index: QModelIndex, roles: list[int]) -> None:
        if index.isValid():
            self.dataChanged.emit(index, index, roles)


def _keys(sections: list[list[CheckRow]]) -> list[list[Hashable]]:
    return [[row.key for row in section] for section in sections]


def _found(card: Card | None, row: CheckRow) -> Effective[Any] | None:
    """What counts for a check that is judged; a check that the card does not know was not judged yet."""
    if card is None or row.check is None or row.dropped:
        return None
    found: Effective[Any] = card.get(row.check.key, _NOT_RUN)
    return found
