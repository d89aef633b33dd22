"""The list of questions with its filter: words, and a state."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QPalette, QPixmap
from PySide6.QtWidgets import QComboBox, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from gamut_desktop.desk import Desk
from gamut_desktop.qmodels.question_list import QuestionEntry, QuestionFilter, QuestionListModel
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.theme import ThemeController
from gamut_desktop.widgets.delegates import QuestionDelegate
from gamut_desktop.widgets.empty_state import EmptyState
from gamut_desktop.widgets.icons import icon
from gamut_desktop.widgets.row_views import RowList
from gamut_desktop.widgets.words import STATES, state_name


class QuestionsPane(QWidget):
    """wanted: the key of a question to open. import_wanted, new_wanted: from the empty state."""

    wanted = Signal(str)
    import_wanted = Signal()
    new_wanted = Signal()

    def __init__(self, desk: Desk, themes: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.model = QuestionListModel(self)
        self.filter = QuestionFilter(self)
        self.filter.setSourceModel(self.model)
        self.list = RowList(QuestionDelegate(themes), self.tr("Questions"))
        self.list.setModel(self.filter)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Filter"))
        self.search.setAccessibleName(self.tr("Filter questions by words"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(
            icon("search", QPalette.ColorRole.PlaceholderText), QLineEdit.ActionPosition.LeadingPosition
        )
        self.states = QComboBox()
        self.states.setAccessibleName(self.tr("Filter questions by state"))
        self.states.addItem(self.tr("All questions"), "")
        for state in STATES:
            name = state_name(state)
            self.states.addItem(name[:1].upper() + name[1:], state)
        self.empty = EmptyState(
            self.tr("No questions yet. Import rubrics, or write the first one."),
            self.tr("Import…"),
            self.tr("New question"),
            drop_hint=self.tr("or drop rubrics, pictures or a folder here"),
        )
        self._lay_out()
        self.search.textChanged.connect(self.filter.set_text)
        self.states.activated.connect(self._state_chosen)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        self.empty.primary.connect(self.import_wanted)
        self.empty.secondary.connect(self.new_wanted)
        self.model.thumbnail_wanted.connect(self._make_thumbnail, Qt.ConnectionType.QueuedConnection)
        desk.lines_changed.connect(self._show)
        desk.opened.connect(self._follow)
        self._show()

    def _lay_out(self) -> None:
        bar = QVBoxLayout()
        bar.setContentsMargins(8, 4, 8, 8)
        bar.setSpacing(8)
        bar.addWidget(self.search)
        bar.addWidget(self.states)
        full = QWidget()
        column = QVBoxLayout(full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.list, 1)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(full)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.setFocusProxy(self.list)

    def _show(self) -> None:
        self.model.set_entries(
            QuestionEntry(line.key, line.text, line.state, line.image, line.problem, line.also)
            for line in self._desk.lines
        )
        self._pages.setCurrentIndex(1 if self._desk.lines else 0)
        self._follow()

    def _follow(self) -> None:
        """The list's current row is the open question."""
        index = self.filter.mapFromSource(self.model.index_of(self._desk.key)) if self._desk.key else QModelIndex()
        if index != self.list.currentIndex():
            self.list.setCurrentIndex(index)

    def _current_changed(self, index: QModelIndex) -> None:
        key = index.data(Roles.ID)
        if key is not None and key != self._desk.key:
            self.wanted.emit(key)

    def _state_chosen(self) -> None:
        state = self.states.currentData()
        self.filter.set_states([state] if state else [])

    def _make_thumbnail(self, key: str) -> None:
        sha256 = next((line.image for line in self._desk.lines if line.key == key), None)
        data = self._desk.thumbnail(sha256) if sha256 else None
        pixmap = QPixmap()
        if data is not None and pixmap.loadFromData(data):
            self.model.set_thumbnail(key, pixmap)
