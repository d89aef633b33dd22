"""The signs of chips.py as small widgets, for panels and cards that are built from layouts.

They take no part in keyboard focus; the widget they stand in says in words what they show.
"""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gamut_desktop.theme import ThemeController
from gamut_desktop.widgets.chips import paint_person, paint_tier_chip, paint_verdict
from gamut_desktop.widgets.measures import Measures
from gamut_desktop.widgets.words import tier_name, verdict_name
from models.rubric.metarubric import Tier
from models.verdicts import Verdict


class VerdictSign(QWidget):
    """A verdict's shape; `set_verdict` changes it."""

    def __init__(self, themes: ThemeController, verdict: Verdict | None = None, parent: QWidget | None = None) -> None:
        """Sized by the font."""
        super().__init__(parent)
        self._themes = themes
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_verdict(verdict)

    def set_verdict(self, verdict: Verdict | None) -> None:
        """Show another verdict."""
        self._verdict = verdict
        self.setAccessibleName(verdict_name(verdict))
        self.setToolTip(verdict_name(verdict))
        self.update()

    def sizeHint(self) -> QSize:
        """As high as text."""
        side = Measures.of(self.font()).sign
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sign."""
        painter = QPainter(self)
        paint_verdict(painter, QRectF(self.rect()), self._verdict, self._themes.active)


class TierChip(QWidget):
    """A tier's letters in a filled chip."""

    def __init__(self, themes: ThemeController, tier: Tier, parent: QWidget | None = None) -> None:
        """Sized by the font."""
        super().__init__(parent)
        self._themes = themes
        self._tier = tier
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tier_name(tier))
        self.setToolTip(tier_name(tier))

    def sizeHint(self) -> QSize:
        """The chip's size."""
        return Measures.of(self.font()).chip

    def paintEvent(self, event: QPaintEvent) -> None:
        """The chip."""
        painter = QPainter(self)
        paint_tier_chip(painter, QRectF(self.rect()), self._tier, self._themes.active, self.font())


class PersonSign(QWidget):
    """A person's verdict counts here."""

    def __init__(self, themes: ThemeController, parent: QWidget | None = None) -> None:
        """Sized by the font."""
        super().__init__(parent)
        self._themes = themes
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high as text."""
        side = Measures.of(self.font()).sign
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sign."""
        painter = QPainter(self)
        paint_person(painter, QRectF(self.rect()), self._themes.active)
