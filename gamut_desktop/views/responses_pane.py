"""The responses to the open question, the chosen one's text, its score card, and why a verdict is what it is."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import exp

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from gamut_desktop.desk import Card, Desk
from gamut_desktop.explainer import Explainer
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
from gamut_desktop.widgets.verdict_panel import AskingWhy, Reasons, VerdictPanel, quoted
from gamut_desktop.wiring import KEYWORD
from judge_local.keyword import matches
from models.quotes import find_quote
from models.rubric.checklist import Check, CheckText
from models.store.records import ResponseRow, VerdictRow
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
    """The chosen response's text, with what the judge quotes for the chosen check and what the keyword rule finds."""

    def __init__(self, desk: Desk, themes: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._check: Check | None = None
        self._shown: int | None = None
        self._marked: tuple[int, Check, str | None] | None = None
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
            self._marked = None
        self._mark()

    def _mark(self) -> None:
        """Mark anew where something has changed: nobody's reading is moved for nothing."""
        response, check = self._desk.response, self._check
        if response is None or check is None:
            self._marked = None
            self.text.highlight()
            self.text.editor.setAccessibleDescription("")
            return
        found = self._desk.found(check)
        evidence = found.row.evidence if found is not None and found.row is not None else None
        if self._marked == (response.id, check, evidence):
            return
        self._marked = (response.id, check, evidence)
        span = find_quote(evidence, response.text) if evidence else None
        words = matches(CheckText(check.kind, check.text), response.text)
        self.text.highlight(words, [span] if span else [])
        told = self.tr("The judge quotes: {words}").format(words=quoted(evidence or "")) if span else ""
        self.text.editor.setAccessibleDescription(told)
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
    """Why the chosen check has its verdict; where its judge gave no reason, it can be asked for one."""

    def __init__(
        self, desk: Desk, themes: ThemeController, explainer: Explainer, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._desk, self._explainer = desk, explainer
        self._check: Check | None = None
        self.panel = VerdictPanel(themes)
        self.panel.why_wanted.connect(self.ask_why)
        self.panel.stop_wanted.connect(explainer.stop)
        explainer.changed.connect(self._show)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)
        desk.chosen.connect(self._show)
        desk.answers_changed.connect(self._show)

    def show_check(self, check: Check | None) -> None:
        """Explain this check's verdict."""
        self._check = check
        self._show()

    def ask_why(self) -> None:
        """Ask the judge of the chosen check's verdict for its reason; where that is of no use, say so."""
        found = self._desk.found(self._check)
        row = found.row if found is not None else None
        if self._check is None or row is None or row.verdict is None:
            self._desk.told.emit(self.tr("There is no verdict of this judge to ask about."))
        elif row.rationale is not None:
            self._desk.told.emit(self.tr("{judge} has given its reason already.").format(judge=row.judge))
        elif row.judge == KEYWORD:
            self._desk.told.emit(self.tr("keyword is a rule; its note says what it found."))
        elif not self._may_ask(row):
            self._desk.told.emit(self.tr("There is nothing to ask about: the response is empty, or for reading only."))
        else:
            self._explainer.ask(row)

    def _may_ask(self, row: VerdictRow) -> bool:
        response = self._desk.response
        useful = row.verdict is not None and row.rationale is None and row.judge != KEYWORD
        return useful and response is not None and bool(response.text.strip()) and not self._desk.project.read_only

    def _show_asking(self, row: VerdictRow | None) -> None:
        """Progress belongs to the verdict that is asked about; under another one it is not shown."""
        explainer = self._explainer
        asked = explainer.asking
        mine = asked is not None and row is not None and asked.id == row.id
        at = AskingWhy(asked.judge, explainer.seconds, explainer.stopping) if asked is not None and mine else None
        self.panel.show_asking(at)

    def _show(self) -> None:
        check = self._check
        found = self._desk.found(check)
        self._show_asking(found.row if found is not None else None)
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
                evidence=(row.evidence if row is not None else None) or "",
                asked_later=row is not None and row.explained_at is not None,
                unsupported=row is not None and row.unsupported,
                may_ask=row is not None and self._may_ask(row),
            )
        )


def _margin(logs: Sequence[float]) -> float:
    """The likeliest label's lead over the next, 0..1."""
    first, second = next(pairwise(sorted((exp(value) for value in logs), reverse=True)))
    return first - second
