"""The signs: tier chips, verdicts by shape, pencil, person, warning, question states and the probability bar.

Pure painting into a rectangle with a theme's colours. Shapes carry the meaning and colours only help, so each can be
told from the others in grey. What a sign means in words is in words.py.
"""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from gamut_desktop.theme import Theme
from gamut_desktop.widgets.icons import paint_icon
from gamut_desktop.widgets.measures import chip_font
from gamut_desktop.widgets.words import LABELS, tier_letters
from models.rubric.metarubric import Tier
from models.verdicts import Verdict


def paint_tier_chip(
    painter: QPainter, rect: QRectF, tier: Tier, theme: Theme, font: QFont, *, secondary: bool = False
) -> None:
    """The tier's letters in a filled chip, outlined for a secondary check. `font`: the body font beside it."""
    ink = theme.tier(tier)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = _on_pixels(rect, painter)
    radius = box.height() * 0.22
    if secondary:
        painter.setPen(QPen(ink, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawRoundedRect(box, radius, radius)
    letters_font = chip_font(font)
    metrics = QFontMetricsF(letters_font)
    letters = tier_letters(tier)
    painter.setFont(letters_font)
    painter.setPen(ink if secondary else theme.on_tier)
    x = box.center().x() - metrics.horizontalAdvance(letters) / 2
    painter.drawText(QPointF(x, box.center().y() + metrics.capHeight() / 2), letters)
    painter.restore()


def paint_verdict(painter: QPainter, rect: QRectF, verdict: Verdict | None, theme: Theme) -> None:
    """Filled disc, half disc, empty ring, cross in a ring; a dashed ring where there is no verdict."""
    ink = theme.verdict(verdict)
    square = _on_pixels(_square(rect), painter)
    stroke = max(1.25, square.width() / 9)
    ring = square.adjusted(stroke / 2, stroke / 2, -stroke / 2, -stroke / 2)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(ink, stroke)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    match verdict:
        case Verdict.MEETS:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            painter.drawEllipse(square)
        case Verdict.PARTIALLY_MEETS:
            painter.setPen(pen)
            painter.drawEllipse(ring)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            painter.drawPie(square, 90 * 16, 180 * 16)
        case Verdict.MISSING:
            painter.setPen(pen)
            painter.drawEllipse(ring)
        case Verdict.CONTRADICTS:
            painter.setPen(pen)
            painter.drawEllipse(ring)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            arm = square.width() * 0.19
            c = square.center()
            painter.drawLine(QPointF(c.x() - arm, c.y() - arm), QPointF(c.x() + arm, c.y() + arm))
            painter.drawLine(QPointF(c.x() - arm, c.y() + arm), QPointF(c.x() + arm, c.y() - arm))
        case None:
            around = ring.width() * 3.1416 / stroke  # in pen widths, as dash patterns count
            pen.setDashPattern([around / 8 * 0.55, around / 8 * 0.45])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.drawEllipse(ring)
    painter.restore()


def paint_pencil(painter: QPainter, rect: QRectF, theme: Theme, *, stale: bool = False) -> None:
    """A person's edit, in the accent colour; a small warning mark on it when what it was made from has changed."""
    square = _square(rect)
    paint_icon(painter, square, "edit", theme.accent)
    if stale:
        side = square.width() * 0.62
        mark = QRectF(square.right() - side * 0.8, square.bottom() - side * 0.8, side, side)
        paint_warning(painter, mark, theme, filled=True)


def paint_person(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """A person's verdict counts here, not the judge's."""
    paint_icon(painter, _square(rect), "person", theme.accent)


def paint_warning(painter: QPainter, rect: QRectF, theme: Theme, *, filled: bool = False) -> None:
    """A warning triangle; `filled` for a size at which an outline would blur."""
    square = _square(rect)
    if not filled:
        paint_icon(painter, square, "warning", theme.warning)
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    triangle = QPainterPath(QPointF(square.center().x(), square.top()))
    triangle.lineTo(square.bottomRight())
    triangle.lineTo(square.bottomLeft())
    triangle.closeSubpath()
    painter.setPen(QPen(theme.surface, 1.0))
    painter.setBrush(theme.warning)
    painter.drawPath(triangle)
    painter.restore()


def paint_state(painter: QPainter, rect: QRectF, state: str, theme: Theme) -> None:
    """A question's STATE role as a shape: tick, half tick bar, dot, pencil, triangle, stroke."""
    square = _on_pixels(_square(rect), painter)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    match state:
        case "graded":
            paint_icon(painter, square, "check", theme.meets)
        case "draft":
            paint_icon(painter, square, "edit", theme.accent)
        case "problem":
            paint_icon(painter, square, "warning", theme.warning)
        case "partly":
            _paint_gauge(painter, square, theme.muted, 0.5)
        case "dropped":
            painter.setPen(QPen(theme.muted, max(1.25, square.width() / 9)))
            y = square.center().y()
            painter.drawLine(
                QPointF(square.left() + square.width() * 0.2, y), QPointF(square.right() - square.width() * 0.2, y)
            )
        case _:
            _paint_gauge(painter, square, theme.muted, 0.0)
    painter.restore()


def _paint_gauge(painter: QPainter, square: QRectF, ink: QColor, filled: float) -> None:
    height = max(5.0, round(square.height() * 0.5))
    box = QRectF(square.left() + 1, square.center().y() - height / 2, square.width() - 2, height)
    painter.setPen(QPen(ink, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    box = _on_pixels(box, painter).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(box, 1.5, 1.5)
    if filled:
        painter.fillRect(QRectF(box.left(), box.top(), box.width() * filled, box.height()), ink)


def paint_probabilities(painter: QPainter, rect: QRectF, values: Sequence[float], theme: Theme) -> None:
    """Five segments side by side, as wide as the five probabilities, always in the order of the labels.

    Values that do not add up to 1 are shown as shares of their sum; nothing is drawn when that is zero.
    """
    total = sum(values)
    if total <= 0:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    track = _on_pixels(rect, painter)
    clip = QPainterPath()
    clip.addRoundedRect(track, track.height() / 2, track.height() / 2)
    painter.setClipPath(clip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    left = track.left()
    for label, value in zip(LABELS, values, strict=True):
        width = track.width() * value / total
        if width >= 0.5:
            segment = QRectF(left, track.top(), max(1.0, width - 1.0), track.height())
            painter.fillRect(segment, theme.line if label is None else theme.verdict(label))
        left += width
    painter.restore()


def _square(rect: QRectF) -> QRectF:
    side = min(rect.width(), rect.height())
    return QRectF(rect.center().x() - side / 2, rect.center().y() - side / 2, side, side)


def _on_pixels(rect: QRectF, painter: QPainter) -> QRectF:
    """The rectangle moved and sized to whole device pixels, so that edges are sharp at 125 % and 150 % too."""
    ratio = painter.device().devicePixelRatioF()
    left, top = round(rect.left() * ratio) / ratio, round(rect.top() * ratio) / ratio
    width, height = max(1, round(rect.width() * ratio)) / ratio, max(1, round(rect.height() * ratio)) / ratio
    return QRectF(left, top, width, height)
