"""The rows of the meta-rubric's tree: an item with its tier and type, or one of its elements.

A row that cannot compile carries a warning triangle, with the reason in the tooltip. `CHECK_ROLE` secondary marks an
element as optional.
"""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.widgets.chips import paint_tier_chip, paint_warning
from gamut_desktop.widgets.rows import PADDING, Row, RowDelegate, Slots
from gamut_desktop.widgets.words import tr
from gamut_desktop.widgets.wrapped_text import WrappedText

RUBRIC_LINES = 2


class _RubricSlots(NamedTuple):
    chip: QRectF
    text: QRectF
    aside: QRectF | None
    problem: QRectF | None


class RubricDelegate(RowDelegate):
    """Tier chip or bullet, text of up to two lines, type in small print: below an item, beside an element."""

    def measure(self, row: Row) -> float:
        """One or two lines, and one of small print for an item."""
        small = row.measures.small_line if self._below(row) else 0.0
        return max(row.measures.one_line, self._text(row).height + small + 2 * PADDING)

    def text_slot(self, row: Row) -> QRectF:
        """After chip or bullet."""
        return self._place(row).text

    def elides(self, row: Row) -> bool:
        """Whether the text is longer than two lines, or the small print than one."""
        below = self._below(row)
        cut = bool(below) and row.wrap(below, row.measures.small, self._place(row).text.width(), 1).elided
        return cut or self._text(row).elided

    def details(self, row: Row) -> Sequence[str]:
        """What the marks mean, and the small print where it is cut."""
        optional = [tr("Optional: its check is one tier lower.")] if row.secondary else []
        return [*optional, *([_small_print(row)] if self.elides(row) else [])]

    def unsaid(self, row: Row) -> Sequence[str]:
        """The problem."""
        problem = row.data(Roles.PROBLEM)
        return [str(problem)] if problem else []

    def draw(self, painter: QPainter, row: Row) -> None:
        """See the class."""
        m, theme, at = row.measures, row.theme, self._place(row)
        text, below = self._text(row), self._below(row)
        height = text.height + (m.small_line if below else 0)
        top = row.box.top() + (row.box.height() - height) / 2
        middle = row.box.center().y() if below else top + m.line / 2
        optional = row.secondary
        if (tier := row.tier) is not None:
            paint_tier_chip(painter, row.centred(at.chip, m.chip, middle), tier, theme, m.body, secondary=optional)
        else:
            _paint_bullet(painter, row, row.centred(at.chip, QSize(m.small_sign, m.small_sign), middle), optional)
        row.write(painter, at.text, top, text, theme.text)
        if below:
            small = row.wrap(below, m.small, at.text.width(), 1)
            row.write(painter, at.text, top + text.height, small, theme.muted)
        if at.aside is not None:
            aside = row.wrap(_small_print(row), m.small, at.aside.width(), 1)
            row.write(painter, at.aside, middle - aside.height / 2, aside, theme.muted)
        if at.problem is not None:
            paint_warning(painter, row.centred(at.problem, QSize(m.sign, m.sign), middle), theme)

    def _place(self, row: Row) -> _RubricSlots:
        m, slots = row.measures, Slots(row.box, row.measures.gap)
        has_chip = row.tier is not None
        chip = slots.left(m.chip.width() if has_chip else m.small_sign)
        problem = slots.right(m.sign) if row.data(Roles.PROBLEM) else None
        aside = None
        small_print = _small_print(row)
        if small_print and not self._below(row):
            wanted = QFontMetricsF(m.small).horizontalAdvance(small_print) + 1
            aside = slots.right(min(wanted, slots.rest().width() * 0.4))
        return _RubricSlots(chip, slots.rest(), aside, problem)

    def _below(self, row: Row) -> str:
        return "" if row.index.parent().isValid() else _small_print(row)

    def _text(self, row: Row) -> WrappedText:
        return row.wrap(row.text, row.measures.body, self._place(row).text.width(), RUBRIC_LINES)


def _small_print(row: Row) -> str:
    telling = not row.index.parent().isValid() or row.secondary or row.tier is not None
    kind = row.data(Roles.TYPE_NAME) if telling else None  # an option among options need not say what it is
    parts = [str(part) for part in (kind, row.data(Roles.NOTE)) if part]
    return " \N{MIDDLE DOT} ".join(parts)


def _paint_bullet(painter: QPainter, row: Row, rect: QRectF, optional: bool) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = rect.width() * 0.55
    dot = QRectF(rect.center().x() - side / 2, rect.center().y() - side / 2, side, side)
    painter.setPen(QPen(row.theme.muted, 1.0) if optional else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if optional else row.theme.muted)
    painter.drawEllipse(dot)
    painter.restore()
