"""Checking a judge: what the check is, how far it is, and the card of what it found.

The check goes on when this is closed: the status bar shows it, and a message tells the end.
"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.dialogs.form_parts import Column
from gamut_desktop.dialogs.preflight_card import PreflightCard
from gamut_desktop.grader import Standing
from gamut_desktop.theme import ThemeController
from gamut_desktop.usecases.preflight import ASKED
from gamut_desktop.views.status import how_far
from gamut_desktop.widgets.labels import Label
from gamut_desktop.wiring import KEYWORD, judge_name
from judge_local.preflight.result import Preflight

WIDTH, HEIGHT, SHORT = 560, 640, 190  # HEIGHT: with a card


class CheckJudge(QDialog):
    """check_wanted, stop_wanted: what the person wants. It is told what is going on, and decides nothing."""

    check_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, judge: str, themes: ThemeController, parent: QWidget) -> None:
        super().__init__(parent)
        self.judge = judge
        self.setWindowTitle(self.tr("Check of {judge}").format(judge=judge_name(judge)))
        self.resize(WIDTH, SHORT)
        self.told = Label("", muted=True)
        self.told.setWordWrap(True)
        self.problem = Label("")
        self.problem.setWordWrap(True)
        self.card = PreflightCard(themes)
        self._area = Column(self.card, self.tr("What the check found"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.check_button = self.buttons.addButton(self.tr("Check this judge"), QDialogButtonBox.ButtonRole.ActionRole)
        self.check_button.setProperty("primary", True)
        self.check_button.clicked.connect(self.check_wanted)
        self.buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 12)
        whole.setSpacing(12)
        whole.addWidget(self.told)
        whole.addWidget(self._progress())
        whole.addWidget(self.problem)
        whole.addWidget(self._area, 1)
        self._rest = QWidget()
        whole.addWidget(self._rest, 1)
        whole.addWidget(self.buttons)
        self.show_preflight(None, None)
        self.show_progress(None)
        self.tell("")
        self.check_button.setFocus()

    def _progress(self) -> QWidget:
        self.how_far = Label("", "number")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.bar.setAccessibleName(self.tr("Progress of the check"))
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.setAccessibleName(self.tr("Stop the check"))
        self.stop_button.clicked.connect(self.stop_wanted)
        self._going = QWidget()
        row = QHBoxLayout(self._going)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.how_far)
        row.addWidget(self.bar, 1)
        row.addWidget(self.stop_button)
        return self._going

    def show_preflight(self, found: Preflight | None, stale: str | None) -> None:
        """The card of the last check; None: there was none, and this says what a check is."""
        if self.judge == KEYWORD:
            about = self.tr("{judge} is asked about {n} short texts whose verdict is known; it takes a moment.")
        else:
            about = self.tr(
                "{judge} is asked about {n} short texts whose verdict is known, twice, and keyword about the same. It"
                " shows how far to trust its verdicts. A small judge takes minutes; your project is not touched."
            )
        self.told.setText(about.format(judge=judge_name(self.judge), n=ASKED))
        self.told.setVisible(found is None)
        self._area.setVisible(found is not None)
        self._rest.setVisible(found is None)
        if found is not None:
            self.card.show_preflight(found, stale)
            self.resize(WIDTH, max(self.height(), HEIGHT))
        again = self.tr("Check again") if found is not None else self.tr("Check this judge")
        self.check_button.setText(again)

    def show_progress(self, at: Standing | None) -> None:
        """How far the check is; None while there is none."""
        self._going.setVisible(at is not None)
        self.check_button.setEnabled(at is None)
        if at is None:
            return
        self.tell("")
        self.bar.setRange(0, at.total)
        self.bar.setValue(at.done)
        self.how_far.setText(how_far(at))
        self.stop_button.setEnabled(not at.stopping)

    def tell(self, sentence: str) -> None:
        """Why there is no check, or no result."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
