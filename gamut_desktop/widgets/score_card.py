"""The score card: one number, its interval, the three tiers as bars around zero, and how many verdicts of each kind.

It is handed scores and decides none; what is undefined is a dash. A second reading, usually the keyword judge's, stands
beside the first where there is room, and as one line below it where there is not.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gamut_desktop.theme import ThemeController
from gamut_desktop.widgets.labels import ElidedLabel, Label
from gamut_desktop.widgets.signs import TierChip, VerdictSign
from gamut_desktop.widgets.words import plain_tooltip, points, tier_name, verdict_name
from models.rubric.metarubric import TIERS, Tier
from models.scoring.score import Score
from models.verdicts import Verdict

_SMALLEST_DIFFERENCE = 0.0005  # less than half of a tenth of a point: the interval reads as one number


@dataclass(frozen=True, slots=True)
class Reading:
    """One judge's score of one response. `verdicts`: how many checks have each verdict; a missing key is none."""

    judge: str
    score: Score
    verdicts: Mapping[Verdict, int]

    @property
    def interval(self) -> tuple[float, float] | None:
        """The score's interval, or None where it is a point or there is none."""
        ends = self.score.interval
        return ends if ends is not None and ends[1] - ends[0] > _SMALLEST_DIFFERENCE else None

    @property
    def unjudged(self) -> int:
        """How many checks have no verdict."""
        return sum(everything - judged for judged, everything in self.score.counts.values())


def tr(text: str, n: int = -1) -> str:
    """Translate in the context "ScoreCard"."""
    return QCoreApplication.translate("ScoreCard", text, None, n)


def judged_of(counts: tuple[int, int]) -> str:
    """How much of a tier is judged, in words; a dash for a tier without checks."""
    judged, everything = counts
    return tr("{judged} of {all} judged").format(judged=judged, all=everything) if everything else "\N{EN DASH}"


def reading_in_words(reading: Reading) -> str:
    """Everything the card shows, as sentences for a screen reader."""
    score = reading.score
    said = tr("not scored yet") if score.gamut is None else points(score.gamut)
    sentences = [tr("{judge}: {score}.").format(judge=reading.judge, score=said)]
    if (ends := reading.interval) is not None:
        low, high = points(ends[0]), points(ends[1])
        sentences.append(tr("Between {low} and {high} once everything is judged.").format(low=low, high=high))
    for tier in TIERS:
        if score.counts[tier][1]:
            value = points(score.tiers[tier]) if score.tiers[tier] is not None else tr("not scored yet")
            judged = judged_of(score.counts[tier])
            sentences.append(tr("{tier}: {value}, {judged}.").format(tier=tier_name(tier), value=value, judged=judged))
    counts = [f"{reading.verdicts.get(verdict, 0)} {verdict_name(verdict)}" for verdict in Verdict]
    if reading.unjudged:
        counts.append(f"{reading.unjudged} {verdict_name(None)}")
    sentences.append(tr("Verdicts: {list}.").format(list=", ".join(counts)))
    return " ".join(sentences)


class TierBar(QWidget):
    """A value in [-1, 1] as a bar from a zero line in the middle; only the line when it is undefined."""

    def __init__(self, themes: ThemeController, tier: Tier, parent: QWidget | None = None) -> None:
        """In the tier's colour."""
        super().__init__(parent)
        self._themes = themes
        self._tier = tier
        self._value: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_value(self, value: float | None) -> None:
        """Show another value."""
        self._value = value
        self.update()

    def sizeHint(self) -> QSize:
        """As high as a line of text."""
        return QSize(96, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for two cards side by side."""
        return QSize(40, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Track, bar, zero line."""
        painter, theme = QPainter(self), self._themes.active
        width, middle = self.width(), self.height() / 2
        thickness = max(6, round(self.height() * 0.4))
        track = QRectF(0, round(middle - thickness / 2), width, thickness)
        painter.fillRect(track, theme.line)
        zero = round(width / 2)
        if self._value is not None:
            value = -self._value if self.isRightToLeft() else self._value
            end = round(zero + value * width / 2)
            bar = QRectF(min(zero, end), track.top(), max(1, abs(end - zero)), thickness)
            painter.fillRect(bar, theme.tier(self._tier))
        painter.setPen(QPen(theme.text, 1.0))
        painter.drawLine(QPointF(zero + 0.5, track.top() - 2), QPointF(zero + 0.5, track.bottom() + 1))


class _ReadingView(QWidget):
    def __init__(self, themes: ThemeController) -> None:
        super().__init__()
        self._judge = ElidedLabel("", "small", muted=True)
        self._number = Label("", "headline")
        self._interval = Label("", "small", muted=True)
        self._bars = {tier: TierBar(themes, tier) for tier in TIERS}
        self._values = {tier: Label("", "number") for tier in TIERS}
        self._coverage = {tier: Label("", "small", muted=True) for tier in TIERS}
        self._judged: dict[Tier, tuple[int, int]] = {}
        self._narrow = False
        self._table = QWidget()
        self._counts: dict[Verdict | None, tuple[VerdictSign, Label]] = {
            verdict: (VerdictSign(themes, verdict), Label("", "number")) for verdict in (*Verdict, None)
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(self._headline())
        column.addSpacing(4)
        column.addWidget(self._tiers(themes))
        column.addSpacing(4)
        column.addLayout(self._verdicts())
        column.addStretch()

    def show_reading(self, reading: Reading) -> None:
        score = reading.score
        self._judge.setText(reading.judge)
        self._number.setText(points(score.gamut))
        self._number.set_muted(score.gamut is None)
        ends = reading.interval
        between = tr("{low} to {high}") if ends else ""
        self._interval.setText(between.format(low=points(ends[0]), high=points(ends[1])) if ends else "")
        self._interval.setVisible(bool(ends))
        self._interval.setToolTip(tr("The score if every check without a verdict went the worst or the best way."))
        for tier in TIERS:
            self._bars[tier].set_value(score.tiers[tier])
            self._values[tier].setText(points(score.tiers[tier]))
            self._values[tier].set_muted(score.tiers[tier] is None)
            self._coverage[tier].setText(judged_of(score.counts[tier]))
            self._judged[tier] = score.counts[tier]
        self.set_narrow(self._narrow)
        for verdict, (sign, label) in self._counts.items():
            count = reading.unjudged if verdict is None else reading.verdicts.get(verdict, 0)
            label.setText(str(count))
            label.set_muted(not count)
            for part in (sign, label):
                part.setVisible(verdict is not None or count > 0)

    def _headline(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self._number)
        beside = QVBoxLayout()
        beside.setSpacing(0)
        beside.addStretch()
        beside.addWidget(self._judge)
        beside.addWidget(self._interval)
        beside.addStretch()
        row.addLayout(beside, 1)
        return row

    def set_narrow(self, narrow: bool) -> None:
        """How much of a tier is judged is told where it is not all of it, or where there is room."""
        self._narrow = narrow
        for tier, (judged, everything) in self._judged.items():
            self._coverage[tier].setVisible(not narrow or judged < everything)

    def _tiers(self, themes: ThemeController) -> QWidget:
        grid = QGridLayout(self._table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, tier in enumerate(TIERS):
            grid.addWidget(TierChip(themes, tier), row, 0)
            grid.addWidget(self._bars[tier], row, 1)
            self._values[tier].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(self._values[tier], row, 2)
            grid.addWidget(self._coverage[tier], row, 3)
        return self._table

    def _verdicts(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        for sign, label in self._counts.values():
            row.addWidget(sign)
            row.addWidget(label)
            row.addSpacing(12)
        row.addStretch()
        return row


class _Line(QWidget):
    """A reading in one line; the rest of it is its tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self._judge, self._number = Label("", "small", muted=True), Label("", "number")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._judge)
        row.addWidget(self._number)
        row.addStretch()

    def show_reading(self, reading: Reading) -> None:
        self._judge.setText(reading.judge)
        self._number.setText(points(reading.score.gamut))
        self.setToolTip(plain_tooltip(reading_in_words(reading)))


class ScoreCard(QWidget):
    """One or two readings of a response; see the module."""

    def __init__(self, themes: ThemeController, parent: QWidget | None = None) -> None:
        """Empty until `show_readings`."""
        super().__init__(parent)
        self._first, self._second = _ReadingView(themes), _ReadingView(themes)
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._box.setContentsMargins(8, 8, 8, 8)
        self._box.setSpacing(8)
        self._line = _Line()
        self._has_second = False
        for view, stretch in ((self._first, 1), (self._second, 1), (self._line, 0)):
            self._box.addWidget(view, stretch)
        self.setAccessibleName(self.tr("Score card"))
        self.show_readings(None)

    def show_readings(self, first: Reading | None, second: Reading | None = None) -> None:
        """Show one judge's reading, and a second one to compare; None leaves a place empty."""
        words = []
        self._first.setVisible(first is not None)
        for view, reading in ((self._first, first), (self._second, second)):
            if reading is not None:
                view.show_reading(reading)
                words.append(reading_in_words(reading))
        self._has_second = second is not None
        if second is not None:
            self._line.show_reading(second)
        self._suit()
        self.setAccessibleDescription(" ".join(words) or self.tr("Nothing is scored."))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where both fit."""
        super().resizeEvent(event)
        self._suit()

    def _suit(self) -> None:
        enough = QFontMetrics(self.font()).horizontalAdvance("0") * 80
        wide = self.width() >= enough
        self._box.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self._box.setSpacing(24 if wide else 8)
        self._first.set_narrow(not wide)
        self._second.setVisible(self._has_second and wide)
        self._line.setVisible(self._has_second and not wide)
