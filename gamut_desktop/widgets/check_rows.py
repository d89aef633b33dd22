"""The rows of the checklist: a sign for the verdict, the tier, the text, and what a judge and a person made of it.

A role that is None leaves its part out. Words for what is painted are in the tooltip; item models give screen readers
the same words through words.py.
"""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.theme import semibold, tabular
from gamut_desktop.widgets.chips import (
    paint_pencil,
    paint_person,
    paint_probabilities,
    paint_tier_chip,
    paint_verdict,
)
from gamut_desktop.widgets.rows import PADDING, Row, RowDelegate, Slots
from gamut_desktop.widgets.words import (
    finding,
    outcome_name,
    probabilities,
    probability,
    sentence,
    tier_name,
    tr,
    verdict_name,
)
from gamut_desktop.widgets.wrapped_text import WrappedText
from models.verdicts import Outcome

CHECK_LINES = 3


class _CheckSlots(NamedTuple):
    sign: QRectF
    chip: QRectF
    text: QRectF
    second: QRectF
    bar: QRectF | None
    word: QRectF | None
    marks: tuple[QRectF, ...]


class ChecklistDelegate(RowDelegate):
    """Sign, chip, text of up to three lines, pencil and person, the top probability over its bar, the keyword judge.

    A verdict whose quote is not in the response has the word for it in small print below its text.
    """

    def measure(self, row: Row) -> float:
        """One to three lines of text, and the small print; a header has one."""
        m = row.measures
        if row.data(Roles.GROUP):
            return m.one_line + 4
        return max(m.one_line, self._text(row).height + self._below(row) + 2 * PADDING)

    def text_slot(self, row: Row) -> QRectF:
        """Between chip and marks."""
        return self._place(row).text

    def elides(self, row: Row) -> bool:
        """Whether the check is longer than three lines."""
        return not row.data(Roles.GROUP) and self._text(row).elided

    def details(self, row: Row) -> Sequence[str]:
        """Verdict, probabilities and the keyword judge."""
        if row.data(Roles.GROUP):
            return ()
        found = [sentence(finding(row.verdict(), row.outcome))]
        if row.data(Roles.BY_PERSON):
            found.append(tr("Set by a person."))
        if row.data(Roles.UNSUPPORTED):
            found.append(tr("Unsupported: the judge quotes nothing that is in the response."))
        if values := row.data(Roles.PROBABILITIES):
            found.append(tr("Probabilities: {list}.").format(list=probabilities(values)))
        if (second := row.verdict(Roles.SECOND_VERDICT)) is not None:
            found.append(tr("Keyword judge: {verdict}.").format(verdict=verdict_name(second)))
        return found

    def unsaid(self, row: Row) -> Sequence[str]:
        """A person's edit."""
        if not row.data(Roles.OVERRIDE):
            return ()
        stale = row.data(Roles.STALE)
        return [tr("Edited by hand; the rubric has changed since.") if stale else tr("Edited by hand.")]

    def draw(self, painter: QPainter, row: Row) -> None:
        """See the class."""
        if row.data(Roles.GROUP):
            _draw_header(painter, row)
            return
        m, theme, at = row.measures, row.theme, self._place(row)
        text = self._text(row)
        top = row.box.top() + (row.box.height() - text.height - self._below(row)) / 2
        middle = top + m.line / 2
        secondary = row.secondary
        dropped = row.data(Roles.OVERRIDE) == "drop"
        if not dropped:
            paint_verdict(painter, row.centred(at.sign, QSize(m.sign, m.sign), middle), row.verdict(), theme)
        if (tier := row.tier) is not None:
            chip = row.centred(at.chip, m.chip, middle)
            paint_tier_chip(painter, chip, tier, theme, m.body, secondary=secondary)
        row.write(painter, at.text, top, text, theme.muted if dropped else theme.text)
        if row.data(Roles.UNSUPPORTED):
            below = row.wrap(tr("unsupported"), m.small, at.text.width(), 1)
            row.write(painter, at.text, top + text.height, below, theme.muted)
        self._draw_marks(painter, row, at, middle)
        if at.bar is not None:
            self._draw_probability(painter, row, at.bar, middle)
        if at.word is not None and (outcome := row.outcome) is not None:
            word = row.wrap(outcome_name(outcome), m.small, at.word.width(), 1)
            row.write(painter, at.word, middle - word.height / 2, word, theme.muted)
        if (second := row.verdict(Roles.SECOND_VERDICT)) is not None:
            small = QSize(m.small_sign, m.small_sign)
            paint_verdict(painter, row.centred(at.second, small, middle), second, theme)

    def _draw_marks(self, painter: QPainter, row: Row, at: _CheckSlots, middle: float) -> None:
        slots = iter(at.marks)
        size = QSize(row.measures.sign, row.measures.sign)
        if row.data(Roles.BY_PERSON):
            paint_person(painter, row.centred(next(slots), size, middle), row.theme)
        if row.data(Roles.OVERRIDE):
            stale = bool(row.data(Roles.STALE))
            paint_pencil(painter, row.centred(next(slots), size, middle), row.theme, stale=stale)

    def _draw_probability(self, painter: QPainter, row: Row, slot: QRectF, middle: float) -> None:
        m, values = row.measures, row.data(Roles.PROBABILITIES)
        bar = QSize(round(m.bar.width()), round(m.bar.height()))
        number = row.wrap(probability(max(values)), m.number, slot.width(), 1)
        figures = QRectF(slot.center().x() - m.number_width / 2, slot.top(), slot.width(), slot.height())
        row.write(painter, figures, middle - number.height / 2, number, row.theme.muted)
        below = middle + number.height / 2 + bar.height() / 2
        paint_probabilities(painter, row.centred(slot, bar, below), values, row.theme)

    def _place(self, row: Row) -> _CheckSlots:
        m, slots = row.measures, Slots(row.box, row.measures.gap)
        secondary = row.secondary
        if secondary:
            slots.indent(2 * m.gap)
        sign = slots.left(m.sign)
        chip = slots.left(m.chip.width())
        second = slots.right(m.small_sign)
        bar = word = None
        outcome = row.outcome
        if row.verdict() is None and outcome is not None and outcome is not Outcome.VERDICT:
            word = slots.right(QFontMetricsF(m.small).horizontalAdvance(outcome_name(outcome)) + 1)
        elif row.data(Roles.PROBABILITIES):
            bar = slots.right(m.bar.width())
        count = bool(row.data(Roles.BY_PERSON)) + bool(row.data(Roles.OVERRIDE))
        marks = tuple(slots.right(m.sign, m.gap / 2) for _ in range(count))[::-1]
        return _CheckSlots(sign, chip, slots.rest(), second, bar, word, marks)

    @staticmethod
    def _below(row: Row) -> float:
        return row.measures.small_line if row.data(Roles.UNSUPPORTED) else 0.0

    def _text(self, row: Row) -> WrappedText:
        font = QFont(row.measures.body)
        font.setStrikeOut(row.data(Roles.OVERRIDE) == "drop")
        return row.wrap(row.text, font, self._place(row).text.width(), CHECK_LINES)


def _draw_header(painter: QPainter, row: Row) -> None:
    m, theme, slots = row.measures, row.theme, Slots(row.box, row.measures.gap)
    tier, count = row.tier, row.data(Roles.COUNT)
    middle = row.box.center().y() + 1
    name = row.text or (tier_name(tier) if tier is not None else "")
    room = slots.rest().width()
    font = semibold(m.body)
    width = min(QFontMetricsF(font).horizontalAdvance(name) + 1, room)
    text = row.wrap(name, font, width, 1)
    row.write(painter, slots.left(width), middle - text.height / 2, text, theme.text)
    if count is not None:
        number = row.wrap(str(count), tabular(m.body), slots.rest().width(), 1)
        row.write(painter, slots.rest(), middle - number.height / 2, number, theme.muted)
    painter.setPen(QPen(theme.line, 1.0))
    y = row.box.bottom() - 0.5
    painter.drawLine(QRectF(row.box.left(), y, 0, 0).topLeft(), QRectF(row.box.right(), y, 0, 0).topLeft())
