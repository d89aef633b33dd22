"""Why a check has its verdict: the five probabilities, the margin, who judged with which ruler, and the reasons given.

It shows a `Reasons` value and reads nothing itself. Everything is plain text.
"""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.theme import ThemeController
from gamut_desktop.widgets.labels import ElidedLabel, Label
from gamut_desktop.widgets.signs import PersonSign, VerdictSign
from gamut_desktop.widgets.words import LABELS, finding, label_name, probabilities, probability
from models.verdicts import Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Reasons:
    """What is known about one verdict.

    verdict: the one that counts, None if there is none. outcome: what came of asking. probabilities: five, in the order
    meets, partially meets, missing, contradicts, cannot tell. margin: the likeliest's lead over the next. judge, ruler:
    one line each. note: what a person or the judge's reader added. rationale: the judge's own words. asked_later: they
    were asked for after the verdict. evidence: the response's words that it quotes. unsupported: it quotes nothing that
    is there, and the note says so. by_person: a person's verdict counts, the rest is still the judge's. why: why the
    check exists and has its tier. may_ask: the judge can be asked for its reason.
    """

    verdict: Verdict | None
    outcome: Outcome | None = None
    probabilities: tuple[float, float, float, float, float] | None = None
    margin: float | None = None
    judge: str = ""
    ruler: str = ""
    note: str = ""
    rationale: str = ""
    by_person: bool = False
    why: str = ""
    evidence: str = ""
    asked_later: bool = False
    unsupported: bool = False
    may_ask: bool = False


@dataclass(frozen=True, slots=True)
class AskingWhy:
    """How far the asking for this verdict's reason is."""

    judge: str
    seconds: int
    stopping: bool = False


class _Bar(QWidget):
    def __init__(self, themes: ThemeController, label: Verdict | None) -> None:
        super().__init__()
        self._themes = themes
        self._label = label
        self._value = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_value(self, value: float) -> None:
        self._value = value
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(96, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(32, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._themes.active
        thickness = max(6, round(self.height() * 0.4))
        top = round((self.height() - thickness) / 2)
        painter.fillRect(QRectF(0, top, self.width(), thickness), theme.line)
        filled = round(self.width() * min(1.0, max(0.0, self._value)))
        left = self.width() - filled if self.isRightToLeft() else 0
        painter.fillRect(QRectF(left, top, filled, thickness), theme.verdict(self._label))


class VerdictPanel(QScrollArea):
    """The panel; `show_reasons` fills it, None empties it. why_wanted, stop_wanted: from its button."""

    why_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, themes: ThemeController, parent: QWidget | None = None) -> None:
        """Empty until `show_reasons`."""
        super().__init__(parent)
        self._sign = VerdictSign(themes)
        self._verdict = Label("", "title")
        self._person = PersonSign(themes)
        self._set_by = ElidedLabel("", "small", muted=True)
        self._bars = [_Bar(themes, label) for label in LABELS]
        self._names = [Label("") for _ in LABELS]
        self._numbers = [Label("", "number") for _ in LABELS]
        self._table = QWidget()
        self._margin = Label("", "small", muted=True)
        self._why = self._paragraph(muted=True)
        self._note = self._paragraph()
        self._note_heading = Label("", "small", muted=True)
        self._rationale = self._paragraph()
        self._rationale_heading = Label("", "small", muted=True)
        self._evidence = self._paragraph()
        self._evidence_heading = Label("", "small", muted=True)
        self.ask_button = QPushButton(self.tr("Why?"))
        self.ask_button.clicked.connect(self._ask_clicked)
        self._progress = ElidedLabel("", "small", muted=True)
        self._asking: AskingWhy | None = None
        self._origin = self._paragraph(muted=True, small=True)
        self._empty = self._paragraph(muted=True)
        self._empty.setText(self.tr("Choose a check to see why it has its verdict."))
        self._body = QWidget()
        self._page = QWidget()
        self._lay_out()
        self.setAccessibleName(self.tr("Why this verdict"))
        self.show_asking(None)
        self.show_reasons(None)

    def show_reasons(self, reasons: Reasons | None) -> None:
        """Show why; None where no check is selected."""
        self._body.setVisible(reasons is not None)
        self._empty.setVisible(reasons is None)
        self.updateGeometry()
        if reasons is None:
            self.setAccessibleDescription(self.tr("No check is selected."))
            return
        self._sign.set_verdict(reasons.verdict)
        words = finding(reasons.verdict, reasons.outcome)
        self._verdict.setText(words[:1].upper() + words[1:])
        self._person.setVisible(reasons.by_person)
        beside = [self.tr("set by a person")] if reasons.by_person else []
        beside += [self.tr("unsupported")] if reasons.unsupported else []
        self._set_by.setText(" · ".join(beside))
        self._show_probabilities(reasons)
        self._tell(self._why, reasons.why)
        later = self.tr("The judge's reason, asked for afterwards")
        self._headed(
            self._rationale_heading,
            later if reasons.asked_later else self.tr("The judge's reason"),
            self._rationale,
            reasons.rationale,
        )
        quote = self.tr("Quoted from the response")
        self._headed(self._evidence_heading, quote, self._evidence, quoted(reasons.evidence))
        heading = self.tr("Its quote") if reasons.unsupported else ""
        note = reasons.note if reasons.unsupported else self.tr("Note: {note}").format(note=reasons.note)
        self._headed(self._note_heading, heading, self._note, note if reasons.note else "")
        self._suit_button(reasons)
        origin = "\n".join(part for part in (reasons.judge, reasons.ruler) if part)
        self._tell(self._origin, origin)
        self.setAccessibleDescription(self._in_words(reasons))

    def minimumSizeHint(self) -> QSize:
        """Wide enough for the bars: the panel scrolls down, never sideways."""
        width = self._page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def show_asking(self, asking: AskingWhy | None) -> None:
        """How far the asking for a reason is; None: nothing is being asked. The button stops it then."""
        self._asking = asking
        self._progress.setVisible(asking is not None)
        self.ask_button.setEnabled(asking is None or not asking.stopping)
        if asking is None:
            self.ask_button.setText(self.tr("Why?"))
            return
        self.ask_button.setText(self.tr("Stop"))
        told = self.tr("stopping") if asking.stopping else self.tr("{judge} is writing its reason, {n} s")
        self._progress.setText(told.format(judge=asking.judge, n=asking.seconds))

    def _suit_button(self, reasons: Reasons) -> None:
        """The button is there while it is of use; who pressed it by key is led to the reason that has come."""
        judge = reasons.judge
        asking = self._asking is not None
        spoken = self.tr("Stop asking {judge} why") if asking else self.tr("Ask {judge} why")
        self.ask_button.setAccessibleName(spoken.format(judge=judge))
        self.ask_button.setToolTip(self.tr("Ask the judge for its reason (W in the checklist)"))
        shown = reasons.may_ask or asking
        if not shown and self.ask_button.hasFocus() and reasons.rationale:
            self._rationale.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ask_button.setVisible(shown)

    def _ask_clicked(self) -> None:
        (self.stop_wanted if self._asking is not None else self.why_wanted).emit()

    def _show_probabilities(self, reasons: Reasons) -> None:
        values = reasons.probabilities
        self._table.setVisible(values is not None)
        for bar, name, number, label, value in zip(
            self._bars, self._names, self._numbers, LABELS, values or (0.0,) * 5, strict=True
        ):
            name.setText(label_name(label))
            bar.set_value(value)
            number.setText(probability(value))
            likeliest = values is not None and value == max(values)
            for part in (name, number):
                part.set_muted(not likeliest)
        margin = reasons.margin
        self._tell(
            self._margin, "" if margin is None else self.tr("Margin {number}").format(number=probability(margin))
        )

    def _in_words(self, reasons: Reasons) -> str:
        said = [finding(reasons.verdict, reasons.outcome)]
        if reasons.by_person:
            said.append(self.tr("set by a person"))
        if reasons.probabilities is not None:
            said.append(self.tr("probabilities: {list}").format(list=probabilities(reasons.probabilities)))
        if reasons.margin is not None:
            said.append(self.tr("margin {number}").format(number=probability(reasons.margin)))
        if reasons.unsupported:
            said.append(self.tr("unsupported"))
        if reasons.rationale:
            said.append(self.tr("reason: {words}").format(words=reasons.rationale))
        if reasons.evidence:
            said.append(self.tr("quoted from the response: {words}").format(words=quoted(reasons.evidence)))
        said += [part for part in (reasons.why, reasons.note, reasons.judge, reasons.ruler) if part]
        return ". ".join(part.rstrip(".") for part in said) + "."

    def _headed(self, heading: Label, title: str, label: Label, text: str) -> None:
        self._tell(heading, title if text else "")
        self._tell(label, text)

    @staticmethod
    def _tell(label: Label, text: str) -> None:
        label.setText(text)
        label.setVisible(bool(text))

    @staticmethod
    def _paragraph(*, muted: bool = False, small: bool = False) -> Label:
        label = Label("", "small" if small else "body", muted=muted)
        label.setWordWrap(True)
        label.setProperty("selectable", True)
        label.setIndent(0)
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        return label

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head_parts: tuple[QWidget, ...] = (self._sign, self._verdict, self._person, self._set_by)
        for part in head_parts:
            head.addWidget(part, 1 if part is self._set_by else 0)
        head.addWidget(self.ask_button)
        grid = QGridLayout(self._table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for row, (name, bar, number) in enumerate(zip(self._names, self._bars, self._numbers, strict=True)):
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(name, row, 0)
            grid.addWidget(bar, row, 1)
            grid.addWidget(number, row, 2)
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(8)
        body.addLayout(head)
        body.addWidget(self._progress)
        for heading, paragraph in (
            (self._rationale_heading, self._rationale),
            (self._evidence_heading, self._evidence),
            (self._note_heading, self._note),
        ):
            told = QVBoxLayout()
            told.setSpacing(0)
            told.addWidget(heading)
            told.addWidget(paragraph)
            body.addLayout(told)
        for part in (self._table, self._margin, self._why, self._origin):
            body.addWidget(part)
        outer = QVBoxLayout(self._page)
        outer.setContentsMargins(8, 8, 8, 8)
        outer.addWidget(self._empty)
        outer.addWidget(self._body)
        outer.addStretch()
        self._page.setBackgroundRole(QPalette.ColorRole.Base)
        self._page.setAutoFillBackground(True)
        self.setWidget(self._page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


def quoted(words: str) -> str:
    """Words of a response in quote marks, which stay at its two ends whatever direction it is written in."""
    return f"“\u2068{words}\u2069”" if words else ""
