"""Why a check has its verdict: the five probabilities, the margin, who judged with which ruler, and the reasons given.

It shows a `Reasons` value and reads nothing itself. Everything is plain text.
"""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

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
    one line each. note: what a person or the judge's reader added. rationale: the judge's own words. by_person: a
    person's verdict counts, the rest is still the judge's. why: why the check exists and has its tier.
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
    """The panel; `show_reasons` fills it, None empties it."""

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
        self._rationale = self._paragraph()
        self._origin = self._paragraph(muted=True, small=True)
        self._empty = self._paragraph(muted=True)
        self._empty.setText(self.tr("Choose a check to see why it has its verdict."))
        self._body = QWidget()
        self._page = QWidget()
        self._lay_out()
        self.setAccessibleName(self.tr("Why this verdict"))
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
        self._set_by.setText(self.tr("set by a person") if reasons.by_person else "")
        self._show_probabilities(reasons)
        self._tell(self._why, reasons.why)
        self._tell(self._note, self.tr("Note: {note}").format(note=reasons.note) if reasons.note else "")
        self._tell(self._rationale, reasons.rationale)
        origin = "\n".join(part for part in (reasons.judge, reasons.ruler) if part)
        self._tell(self._origin, origin)
        self.setAccessibleDescription(self._in_words(reasons))

    def minimumSizeHint(self) -> QSize:
        """Wide enough for the bars: the panel scrolls down, never sideways."""
        width = self._page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

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
        said += [part for part in (reasons.why, reasons.note, reasons.rationale, reasons.judge, reasons.ruler) if part]
        return ". ".join(part.rstrip(".") for part in said) + "."

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
        body.addWidget(self._table)
        for paragraph in (self._margin, self._rationale, self._note, self._why, self._origin):
            body.addWidget(paragraph)
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
