"""All panes of an open project, and the one selection that runs through them: tree row, check, words, verdict."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QVBoxLayout, QWidget

from gamut_desktop.desk import Card, Desk
from gamut_desktop.explainer import Explainer
from gamut_desktop.grader import Grader
from gamut_desktop.jobs import Jobs
from gamut_desktop.qmodels.linked import checks_of, node_of
from gamut_desktop.theme import ThemeController
from gamut_desktop.views.checklist_panel import ChecklistPanel
from gamut_desktop.views.question_view import QuestionView
from gamut_desktop.views.questions_pane import QuestionsPane
from gamut_desktop.views.responses_pane import AnswerPane, ReasonsPane, ResponsesPane, ScorePane
from gamut_desktop.views.rubric_panel import RubricPanel
from gamut_desktop.widgets.delegates import ChecklistDelegate, RubricDelegate
from gamut_desktop.widgets.labels import Label
from gamut_desktop.widgets.row_views import RowTree
from gamut_desktop.wiring import KEYWORD
from models.rubric.checklist import Check
from models.scoring.effective import Effective
from models.store.records import VerdictRow
from models.verdicts import Verdict

Area = Qt.DockWidgetArea


class Panes(QObject):
    """Made for one desk and taken down with it."""

    def __init__(self, desk: Desk, jobs: Jobs, themes: ThemeController, grader: Grader, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._following = False
        self.questions = QuestionsPane(desk, themes)
        self.question = QuestionView(desk, jobs, themes)
        rubric_tree = RowTree(themes, RubricDelegate(themes), self.tr("Meta-rubric"))
        self.rubric = RubricPanel(desk.editor, tree=rubric_tree)
        checklist_tree = RowTree(themes, ChecklistDelegate(themes), self.tr("Checklist"))
        self.checklist = ChecklistPanel(desk.editor, tree=checklist_tree)
        self.responses = ResponsesPane(desk, themes)
        self.answer = AnswerPane(desk, themes)
        self.explainer = Explainer(desk, grader, self)
        self.reasons = ReasonsPane(desk, themes, self.explainer)
        self.score = ScorePane(desk, themes)
        self.rubric_side = _titled(self.tr("Meta-rubric"), self.rubric)
        self.checklist_side = _titled(self.tr("Checklist"), self.checklist)
        for side in (self.rubric_side, self.checklist_side):
            side.setMinimumWidth(240)
        self._docks: list[QDockWidget] = []
        self._connect()
        self._show_cards()
        self._explain_first()

    def _connect(self) -> None:
        desk = self._desk
        self.questions.wanted.connect(desk.open)
        self.rubric.selection_changed.connect(self._node_chosen)
        self.checklist.check_selected.connect(self._check_chosen)
        self.checklist.verdict_given.connect(self._verdict_given)
        self.checklist.why_wanted.connect(self.reasons.ask_why)
        desk.answers_changed.connect(self._show_cards)
        desk.chosen.connect(self._show_cards)
        desk.opened.connect(self._explain_first)

    def docks(self, window: QMainWindow) -> Iterator[tuple[QDockWidget, Area]]:
        """The docks with their places, made once."""
        places = (
            ("questions", self.tr("Questions"), self.questions, Area.LeftDockWidgetArea),
            ("question", self.tr("Question"), self.question, Area.TopDockWidgetArea),
            ("responses", self.tr("Responses"), self.responses, Area.RightDockWidgetArea),
            ("answer", self.tr("Response"), self.answer, Area.RightDockWidgetArea),
            ("reasons", self.tr("Verdict"), self.reasons, Area.RightDockWidgetArea),
            ("score", self.tr("Score"), self.score, Area.RightDockWidgetArea),
        )
        for name, title, pane, area in places:
            dock = QDockWidget(title, window)
            dock.setObjectName(name)
            dock.setWidget(pane)
            self._docks.append(dock)
            yield dock, area

    def take_down(self, window: QMainWindow) -> None:
        """Remove every pane from the window."""
        for dock in self._docks:
            window.removeDockWidget(dock)
            dock.setObjectName("")  # else the next project's arrangement is given to this one
            dock.deleteLater()
        for side in (self.rubric_side, self.checklist_side):
            side.setParent(None)
            side.deleteLater()
        self.deleteLater()

    # One selection, shown everywhere ---------------------------------------------------------------------------------

    def _node_chosen(self, item: str | None, element: str | None) -> None:
        """A tree row lights its checks; the first of them is explained."""
        if self._following:
            return
        checks = list(checks_of(self._desk.editor.checklist, item, element)) if item else []
        self._following = True
        self.rubric.light(set())
        self.checklist.light(checks)
        self._following = False

    def _check_chosen(self, check: Check | None) -> None:
        """A check lights its tree row, its words in the response, and its verdict's reasons."""
        self.answer.show_check(check)
        self.reasons.show_check(check)
        if self._following:
            return
        node = node_of(check) if check else None
        self._following = True
        self.checklist.light([])
        self.rubric.light({node} if node else set())
        self._following = False

    def _explain_first(self) -> None:
        """A question that is opened shows at once what a selection does: its first check is chosen."""
        checks = self._desk.editor.checklist.checks
        if checks and self.checklist.selected() is None and self.rubric.selected() is None:
            self.checklist.select(checks[0])

    def _verdict_given(self, check: Check, verdict: Verdict | None) -> None:
        self._desk.give_verdict(check, verdict)

    def _show_cards(self) -> None:
        desk, response = self._desk, self._desk.response
        card = desk.card(response, desk.judge) if response else None
        second = desk.card(response, KEYWORD) if response and desk.judge != KEYWORD else None
        self.checklist.set_card(_by_key(card) if response else None)
        self.checklist.set_second(_by_key(second) if second else None)

    def add_picture(self, path: Path) -> None:
        """Add a picture to the open question."""
        self._desk.add_picture(path)


def _by_key(card: Card | None) -> dict[str, Effective[VerdictRow]]:
    return {check.key: found for check, found in card.checks} if card else {}


def _titled(title: str, pane: QWidget) -> QWidget:
    """A pane under a title like a dock's."""
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    heading = Label(title, "title")
    heading.setContentsMargins(8, 5, 8, 5)
    column.addWidget(heading)
    column.addWidget(pane, 1)
    whole.setFocusProxy(pane)
    return whole
