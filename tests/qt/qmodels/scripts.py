"""Random edit scripts through the editor, and what a model shows as plain values, to compare with a fresh model."""

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from hypothesis import strategies as st
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from gamut_desktop.editor import RubricEditor
from gamut_desktop.qmodels.roles import Roles
from tests.unit.edits import draw_edit

SHOWN = [Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.AccessibleTextRole]
SHOWN += [role for role in Roles if role is not Roles.THUMBNAIL]


def watched(model: QAbstractItemModel) -> QAbstractItemModelTester:
    """Aborts the process when the model breaks Qt's rules."""
    return QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)


def tree(model: QAbstractItemModel, parent: QModelIndex | None = None) -> list[Any]:
    """All rows below `parent`: their data by role, and their rows."""
    top = parent or QModelIndex()
    rows = []
    for row in range(model.rowCount(top)):
        index = model.index(row, 0, top)
        data = {int(role): value for role in SHOWN if (value := index.data(role)) is not None}
        rows.append((data, index.flags(), tree(model, index)))
    return rows


def step(data: st.DataObject, editor: RubricEditor) -> None:
    """One edit, undo or redo."""
    match data.draw(st.sampled_from(["edit", "edit", "edit", "undo", "redo"])):
        case "undo":
            editor.undo()
        case "redo":
            editor.redo()
        case _:
            typing = data.draw(st.booleans())
            editor.make(lambda question: draw_edit(data, question), typing=typing)


class Followed:
    """Persistent indexes of all rows, as a view keeps them for selection and open branches.

    `name`: what a row is called; names are unique.
    """

    def __init__(self, model: QAbstractItemModel, name: Callable[[QModelIndex], Hashable]) -> None:
        self._model = model
        self._name = name
        self._rows = {name(index): QPersistentModelIndex(index) for index in every(model)}

    def stand(self) -> bool:
        """Whether every row that is still there is where its persistent index says."""
        now = {self._name(index): index for index in every(self._model)}
        return all(index == now[name] for name, index in self._rows.items() if name in now)


def every(model: QAbstractItemModel, parent: QModelIndex | None = None) -> Iterator[QModelIndex]:
    """All rows."""
    top = parent or QModelIndex()
    for row in range(model.rowCount(top)):
        yield model.index(row, 0, top)
        yield from every(model, model.index(row, 0, top))


class Signals:
    """Counts what a model tells its views."""

    def __init__(self, model: QAbstractItemModel) -> None:
        self.inserted: list[tuple[int, int]] = []
        self.removed: list[tuple[int, int]] = []
        self.moved = 0
        self.reset = 0
        self.changed: list[str] = []
        model.rowsInserted.connect(lambda _, first, last: self.inserted.append((first, last)))
        model.rowsRemoved.connect(lambda _, first, last: self.removed.append((first, last)))
        model.rowsMoved.connect(self._moved)
        model.modelReset.connect(self._reset)
        model.dataChanged.connect(self._changed)

    def _moved(self) -> None:
        self.moved += 1

    def _reset(self) -> None:
        self.reset += 1

    def _changed(self, first: QModelIndex, last: QModelIndex) -> None:
        for row in range(first.row(), last.row() + 1):
            self.changed.append(str(first.siblingAtRow(row).data()))
