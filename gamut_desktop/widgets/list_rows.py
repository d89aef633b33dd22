"""The rows of the two plain lists: responses with their scores, questions with their pictures and states.

Both have rows of one height, so that a view with thousands of them need not measure each.
"""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPixmap

from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.theme import semibold, tabular
from gamut_desktop.widgets.chips import paint_state
from gamut_desktop.widgets.icons import paint_icon
from gamut_desktop.widgets.rows import PADDING, Row, RowDelegate, Slots
from gamut_desktop.widgets.words import STATES, points, sentence, state_name, tr
from gamut_desktop.widgets.wrapped_text import WrappedText, wrapped

WIDEST_SCORE = -1.0
SHORTEST_ID = 10  # characters of an id that must fit beside the state's word


class _ResponseSlots(NamedTuple):
    text: QRectF
    score: QRectF


class ResponseDelegate(RowDelegate):
    """Model name, variant and sample in small print; the score or a dash; the keyword judge's below, with its name."""

    uniform = True

    def measure(self, row: Row) -> float:
        """Two lines, whether the second is used or not."""
        return row.measures.two_lines

    def text_slot(self, row: Row) -> QRectF:
        """All but the score."""
        return self._place(row).text

    def elides(self, row: Row) -> bool:
        """Whether the name is cut."""
        return row.wrap(row.text, row.measures.body, self._place(row).text.width(), 1).elided

    def unsaid(self, row: Row) -> Sequence[str]:
        """That a dash means no score."""
        return [tr("No score yet.")] if row.data(Roles.SCORE) is None else []

    def draw(self, painter: QPainter, row: Row) -> None:
        """See the class."""
        m, theme, at = row.measures, row.theme, self._place(row)
        note = str(row.data(Roles.NOTE) or "")
        value, second = row.data(Roles.SCORE), row.data(Roles.SECOND_SCORE)
        number = _number(row, points(value), semibold(tabular(m.body)), at.score.width())
        top = row.box.center().y() - (m.line + (m.small_line if note or second is not None else 0)) / 2
        row.write(painter, at.text, top, row.wrap(row.text, m.body, at.text.width(), 1), theme.text)
        row.write(painter, at.score, top, number, theme.muted if value is None else theme.text)
        line = Slots(row.box, m.gap)
        if second is not None:
            words = tr("keyword {points}").format(points=points(second))
            slot = line.right(QFontMetricsF(m.number).horizontalAdvance(words) + 1)
            row.write(painter, slot, top + m.line, _number(row, words, m.number, slot.width()), theme.muted)
        slot = line.rest()
        row.write(painter, slot, top + m.line, row.wrap(note, m.small, slot.width(), 1), theme.muted)

    def _place(self, row: Row) -> _ResponseSlots:
        slots = Slots(row.box, row.measures.gap)
        font = semibold(tabular(row.measures.body))
        score = slots.right(QFontMetricsF(font).horizontalAdvance(points(WIDEST_SCORE)) + 1)
        return _ResponseSlots(slots.rest(), score)


def _number(row: Row, number: str, font: QFont, width: float) -> WrappedText:
    return wrapped(number, font, width, 1, right=not row.right_to_left)


class _QuestionSlots(NamedTuple):
    thumbnail: QRectF
    text: QRectF
    state: QRectF
    word: QRectF | None  # None: too narrow, the word begins the second line


class QuestionDelegate(RowDelegate):
    """Thumbnail, id and state above, the question's beginning below."""

    uniform = True

    def measure(self, row: Row) -> float:
        """Two lines and room for the thumbnail."""
        return row.measures.two_lines + 2 * PADDING

    def text_slot(self, row: Row) -> QRectF:
        """Beside the thumbnail."""
        return self._place(row).text

    def elides(self, row: Row) -> bool:
        """Whether the question does not fit its line."""
        at = self._place(row)
        return row.wrap(self._second_line(row, at), row.measures.small, at.text.width(), 1).elided

    def details(self, row: Row) -> Sequence[str]:
        """The state in words."""
        state = row.data(Roles.STATE)
        return [sentence(state_name(state))] if state else []

    def unsaid(self, row: Row) -> Sequence[str]:
        """A problem."""
        problem = row.data(Roles.PROBLEM)
        return [str(problem)] if problem else []

    def draw(self, painter: QPainter, row: Row) -> None:
        """See the class."""
        m, theme, at = row.measures, row.theme, self._place(row)
        _draw_thumbnail(painter, row, row.seen(at.thumbnail))
        state = row.data(Roles.STATE)
        dropped = state == "dropped"
        name_slot = QRectF(at.text)
        if state:
            name_slot.setRight(at.state.left() - m.gap / 2)
        top = row.box.center().y() - (m.line + m.small_line) / 2
        name = row.wrap(str(row.data(Roles.ID) or ""), semibold(m.body), name_slot.width(), 1)
        row.write(painter, name_slot, top, name, theme.muted if dropped else theme.text)
        question = row.wrap(self._second_line(row, at), m.small, at.text.width(), 1)
        row.write(painter, at.text, top + m.line, question, theme.muted)
        if state:
            middle = top + m.line / 2
            paint_state(painter, row.centred(at.state, QSize(m.small_sign, m.small_sign), middle), state, theme)
        if state and at.word is not None:
            word = row.wrap(state_name(state), m.small, at.word.width(), 1)
            row.write(painter, at.word, middle - word.height / 2, word, theme.muted)

    def _place(self, row: Row) -> _QuestionSlots:
        m, slots = row.measures, Slots(row.box, row.measures.gap)
        thumbnail = slots.left(m.two_lines)
        text = slots.rest()
        state, metrics = row.data(Roles.STATE), QFontMetricsF(m.small)
        longest = max(metrics.horizontalAdvance(state_name(one)) for one in STATES)
        word = None
        if state and text.width() - longest > SHORTEST_ID * metrics.averageCharWidth():
            width = metrics.horizontalAdvance(state_name(state)) + 1
            word = QRectF(text.right() - width, text.top(), width, text.height())
        end = text.right() if word is None else word.left() - m.gap / 2
        sign = QRectF(end - m.small_sign, text.top(), m.small_sign, text.height())
        return _QuestionSlots(thumbnail, text, sign, word)

    @staticmethod
    def _second_line(row: Row, at: _QuestionSlots) -> str:
        state = row.data(Roles.STATE)
        if not state or at.word is not None:
            return row.text
        return f"{state_name(state)} \N{MIDDLE DOT} {row.text}"


def _draw_thumbnail(painter: QPainter, row: Row, slot: QRectF) -> None:
    side = row.measures.two_lines
    box = QRectF(slot.left(), row.box.center().y() - side / 2, side, side)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    frame = QPainterPath()
    frame.addRoundedRect(box, 4, 4)
    picture = row.data(Roles.THUMBNAIL)
    if isinstance(picture, QPixmap) and not picture.isNull():
        painter.setClipPath(frame)
        square = min(picture.width(), picture.height())
        corner = QPointF((picture.width() - square) / 2, (picture.height() - square) / 2)
        painter.drawPixmap(box, picture, QRectF(corner.x(), corner.y(), square, square))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(row.theme.picture_ground)
        painter.drawPath(frame)
        inset = side * 0.25
        paint_icon(painter, box.adjusted(inset, inset, -inset, -inset), "text", row.theme.muted)
    painter.restore()
