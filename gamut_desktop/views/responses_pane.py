"""The responses to the open question, the chosen one's text, its score card, and why a verdict is what it is."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import exp

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from gamut_desktop.desk import Card, Desk
from gamut_desktop.qmodels.response_list import ResponseEntry, ResponseListModel
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.theme import ThemeController
from gamut_desktop.usecases.rulers import in_one_line
from gamut_desktop.widgets.delegates import ResponseDelegate
from gamut_desktop.widgets.empty_state import EmptyState
from gamut_desktop.widgets.labels import Label
from gamut_desktop.widgets.response_text import ResponseText
from gamut_desktop.widgets.row_views import RowList
from gamut_desktop.widgets.score_card import Reading, ScoreCard
from gamut_desktop.widgets.verdict_panel import Reasons, VerdictPanel
from gamut_desktop.wiring import KEYWORD
from judge_local.keyword import matches
from models.rubric.checklist import Check, CheckText
from models.store.records import ResponseRow
from models.verdicts import Outcome, Verdict


class ResponsesPane(QWidget):
    """The list. write_wanted, import_wanted: from the empty state."""

    write_wanted = Signal()
    import_wanted = Signal()

    def __init__(self, desk: Desk, themes: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.model = ResponseListModel(self)
        self.list = RowList(ResponseDelegate(themes), self.tr("Responses"))
        self.list.setModel(self.model)
        self.empty = EmptyState(
            self.tr("No responses yet. Import a file, or write one."),
            self.tr("Import…"),
            self.tr("Write one"),
        )
        self.empty.primary.connect(self.import_wanted)
        self.empty.secondary.connect(self.write_wanted)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.list)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.setFocusProxy(self.list)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        desk.answers_changed.connect(self._show)
        desk.chosen.connect(self._show)
        self._show()

    def _show(self) -> None:
        desk = self._desk
        rows = desk.responses()
        self.model.set_entries([self._entry(row) for row in rows])
        self._pages.setCurrentIndex(1 if rows else 0)
        self.empty.setEnabled(desk.question is not None)
        index = self.model.index_of(desk.response_id)
        if index != self.list.currentIndex():
            self.list.setCurrentIndex(index)

    def _entry(self, row: ResponseRow) -> ResponseEntry:
        judge = self._desk.judge
        card, keyword = self._desk.card(row, judge), self._desk.card(row, KEYWORD)
        return ResponseEntry(
            row.id,
            row.model,
            row.variant,
            row.sample,
            judge,
            card.score.gamut if card else None,
            keyword.score.gamut if keyword and judge != KEYWORD else None,
        )

    def _current_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self._desk.choose_response(index.data(Roles.ID))


class AnswerPane(QWidget):
    """The chosen response's text with the words that the keyword rule finds for the chosen check."""

    def __init__(self, desk: Desk, themes: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._check: Check | None = None
        self._shown: int | None = None
        self.text = ResponseText(themes)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.text)
        self.setFocusProxy(self.text)
        desk.chosen.connect(self._show)
        desk.answers_changed.connect(self._show)
        self._show()

    def show_check(self, check: Check | None) -> None:
        """Mark what speaks for this check."""
        if check != self._check:
            self._check = check
            self._mark()

    def _show(self) -> None:
        response = self._desk.response
        self.text.setEnabled(response is not None)
        empty, none = self.tr("This response is empty."), self.tr("No response is chosen.")
        self.text.editor.setPlaceholderText(none if response is None else empty)
        if self._shown != (response.id if response else None):
            self._shown = response.id if response else None
            self.text.set_text(response.text if response else "")
            self._mark()

    def _mark(self) -> None:
        response, check = self._desk.response, self._check
        if response is None or check is None:
            self.text.highlight()
            return
        self.text.highlight(matches(CheckText(check.kind, check.text), response.text))
        self.text.jump_to_first()


class ScorePane(QScrollArea):
    """The score card by the chosen judge, the keyword judge's score beside it. grade_wanted: from the empty state."""

    grade_wanted = Signal()

    def __init__(self, desk: Desk, themes: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.setAccessibleName(self.tr("Score"))
        self.card = ScoreCard(themes)
        self.told = Label("", muted=True)
        self.told.setWordWrap(True)
        self.told.setContentsMargins(8, 8, 8, 0)
        self.grade_button = QPushButton(self.tr("Grade this question"))
        self.grade_button.setProperty("primary", True)
        self.grade_button.clicked.connect(self.grade_wanted)
        page = self._page = QWidget()
        page.setBackgroundRole(QPalette.ColorRole.Base)
        page.setAutoFillBackground(True)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.told)
        asked = QVBoxLayout()
        asked.setContentsMargins(8, 0, 8, 0)
        asked.addWidget(self.grade_button, 0, Qt.AlignmentFlag.AlignLeading)
        column.addLayout(asked)
        column.addWidget(self.card)
        column.addStretch(1)
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        desk.chosen.connect(self._show)
        desk.answers_changed.connect(self._show)
        self._show()

    def minimumSizeHint(self) -> QSize:
        """As wide as the card: the pane scrolls down, never sideways."""
        width = self._page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def _show(self) -> None:
        response, judge = self._desk.response, self._desk.judge
        first = self._reading(response, judge) if response else None
        second = self._reading(response, KEYWORD) if response and judge != KEYWORD else None
        not_graded = response is not None and first is None
        nothing, missing = self.tr("No response is chosen."), self.tr("{judge} has not judged this response.")
        self.told.setText(missing.format(judge=judge) if not_graded else nothing)
        self.told.setVisible(first is None)
        self.grade_button.setVisible(not_graded)
        self.card.setVisible(first is not None or second is not None)
        self.card.show_readings(first or second, second if first else None)
        self.updateGeometry()

    def _reading(self, response: ResponseRow, judge: str) -> Reading | None:
        card = self._desk.card(response, judge)
        return Reading(judge, card.score, _counts(card)) if card else None


def _counts(card: Card) -> Counter[Verdict]:
    return Counter(found.verdict for _, found in card.checks if found.verdict is not None)


class ReasonsPane(QWidget):
    """Why the chosen check has its verdict."""

    def __init__(self, desk: Desk, themes: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._check: Check | None = None
        self.panel = VerdictPanel(themes)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)
        desk.chosen.connect(self._show)
        desk.answers_changed.connect(self._show)

    def show_check(self, check: Check | None) -> None:
        """Explain this check's verdict."""
        self._check = check
        self._show()

    def _show(self) -> None:
        response, check = self._desk.response, self._check
        card = self._desk.card(response, self._desk.judge) if response and check else None
        found = next((f for c, f in card.checks if check and c.key == check.key), None) if card else None
        if found is None or check is None:
            unasked = Reasons(None, Outcome.NOT_RUN, judge=self._desk.judge, why=check.why) if check else None
            self.panel.show_reasons(unasked)
            return
        row = found.row
        logs = row.log_probabilities if row is not None else None
        ruler = self._desk.ruler(row.ruler_id) if row is not None else None
        self.panel.show_reasons(
            Reasons(
                verdict=found.verdict,
                outcome=found.outcome,
                probabilities=(exp(logs[0]), exp(logs[1]), exp(logs[2]), exp(logs[3]), exp(logs[4])) if logs else None,
                margin=_margin(logs) if logs else None,
                judge=self._desk.judge if row is None or self._desk.judge != KEYWORD else "",
                ruler=in_one_line(ruler.manifest) if ruler else "",
                note=(row.note if row is not None else None) or "",
                rationale=(row.rationale if row is not None else None) or "",
                by_person=found.by_person,
                why=check.why,
            )
        )


def _margin(logs: Sequence[float]) -> float:
    """The likeliest label's lead over the next, 0..1."""
    first, second = next(pairwise(sorted((exp(value) for value in logs), reverse=True)))
    return first - second
