"""The list of questions: key, text, state, and a thumbnail that is asked for when a row is first seen.

The filter shows questions by words of their text or key and by state. Who makes thumbnails listens to
`thumbnail_wanted` and answers with `set_thumbnail`.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QPixmap

from gamut_desktop.qmodels.flat_list import FlatListModel, Index
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.widgets.words import state_name
from models.rubric.problems import same_text


@dataclass(frozen=True, slots=True)
class QuestionEntry:
    """`state`: a word of the STATE role. `image`: what the thumbnail shows, any token; None for no picture.

    `also`: more text to find the question by, such as domain and tags.
    """

    key: str
    text: str
    state: str = "ungraded"
    image: str | None = None
    problem: str | None = None
    also: str = ""


class QuestionListModel(FlatListModel[QuestionEntry]):
    """thumbnail_wanted: the key of a question whose thumbnail a view has asked for; emitted once a picture."""

    thumbnail_wanted = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(lambda entry: entry.key, parent)
        self._thumbnails: dict[str, QPixmap] = {}
        self._asked: dict[str, str] = {}  # key -> image it was asked for

    def set_entries(self, entries: Iterable[QuestionEntry]) -> None:
        """As FlatListModel; a question with another picture asks for its thumbnail anew."""
        new = list(entries)
        images = {entry.key: entry.image for entry in new}
        for key in [key for key, image in self._asked.items() if images.get(key) != image]:
            del self._asked[key]
            self._thumbnails.pop(key, None)
        super().set_entries(new)

    def set_thumbnail(self, key: str, pixmap: QPixmap) -> None:
        """The picture of that question; ignored if the question has gone."""
        index = self.index_of(key)
        if index.isValid():
            self._thumbnails[key] = pixmap
            self.dataChanged.emit(index, index, [Roles.THUMBNAIL, Qt.ItemDataRole.DecorationRole])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entry_at(index)
        if entry is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return entry.text
            case Qt.ItemDataRole.AccessibleTextRole:
                told = f"{entry.key}, {state_name(entry.state)}: {entry.text}"
                return f"{told}. {entry.problem}" if entry.problem else told
            case Roles.ID:
                return entry.key
            case Roles.STATE:
                return entry.state
            case Roles.PROBLEM:
                return entry.problem
            case Roles.THUMBNAIL:
                return self._thumbnail(entry)
        return None

    def _thumbnail(self, entry: QuestionEntry) -> QPixmap | None:
        if entry.image is not None and entry.key not in self._asked:
            self._asked[entry.key] = entry.image
            self.thumbnail_wanted.emit(entry.key)
        return self._thumbnails.get(entry.key)


class QuestionFilter(QSortFilterProxyModel):
    """Shows the questions that have all the words and one of the states; without either, all of them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: list[str] = []
        self._states: frozenset[str] = frozenset()

    def set_text(self, text: str) -> None:
        """Words in any order, upper and lower case alike; each must begin somewhere in key, text or `also`."""
        self._words = same_text(text).split()
        self.invalidate()

    def set_states(self, states: Collection[str]) -> None:
        """Words of the STATE role; empty for all."""
        self._states = frozenset(states)
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        model = self.sourceModel()
        if not isinstance(model, QuestionListModel):
            return True
        entry = model.entries()[row]
        found = same_text(f"{entry.key} {entry.text} {entry.also}")
        return (not self._states or entry.state in self._states) and all(word in found for word in self._words)
