"""Sizes that follow a font: signs, chips and gaps, so that a text zoom or a large system font scales them together.

All numbers are logical pixels; painters multiply by nothing, the device pixel ratio is Qt's business.
"""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QSize, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF

from gamut_desktop.theme import row_height, semibold, small_print, tabular
from gamut_desktop.widgets.words import probability, tier_letters
from models.rubric.metarubric import TIERS


@dataclass(frozen=True, slots=True)
class Measures:
    """What one body font gives; see `of`."""

    body: QFont
    small: QFont
    number: QFont
    line: float  # height of a line of body text
    small_line: float
    gap: int  # 8 px at the usual size
    sign: int  # side of a verdict's sign
    small_sign: int
    chip: QSize
    bar: QSizeF  # the probability bar
    number_width: float  # room for a probability
    one_line: int
    two_lines: int

    @staticmethod
    def of(font: QFont) -> "Measures":
        """The measures that go with `font` as the body font."""
        return _measures(font.toString())

    @classmethod
    def _of(cls, font: QFont) -> "Measures":
        small = small_print(font)
        number = tabular(small)
        metrics, small_metrics = QFontMetricsF(font), QFontMetricsF(number)
        number_width = small_metrics.horizontalAdvance(probability(0.88))
        return cls(
            body=font,
            small=small,
            number=number,
            line=metrics.height(),
            small_line=QFontMetricsF(small).height(),
            gap=max(8, round(metrics.height() * 0.48)),
            sign=round(metrics.ascent() + metrics.descent() / 2) // 2 * 2,
            small_sign=round(metrics.ascent() * 0.78) // 2 * 2,
            chip=chip_size(font),
            bar=QSizeF(max(32.0, round(number_width * 1.3)), max(3.0, round(metrics.height() / 5))),
            number_width=number_width,
            one_line=row_height(font),
            two_lines=row_height(font, 2),
        )


@lru_cache(maxsize=64)
def _measures(font: str) -> Measures:
    body = QFont()
    body.fromString(font)
    return Measures._of(body)


def chip_font(font: QFont) -> QFont:
    """The letters of a chip beside text in `font`."""
    return semibold(small_print(small_print(font)))


def chip_size(font: QFont) -> QSize:
    """One size for all three tiers, so that the texts beside them line up."""
    metrics = QFontMetricsF(chip_font(font))
    widest = max(metrics.horizontalAdvance(tier_letters(tier)) for tier in TIERS)
    height = round(metrics.height() + 2)
    return QSize(max(round(widest + metrics.height() * 0.7), height), height)
