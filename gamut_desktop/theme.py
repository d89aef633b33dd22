"""Colours, fonts and text zoom of the whole face: two themes, light and dark, and the controller that applies one.

Every colour that is painted anywhere is a named field of `Theme`; widgets and delegates ask `ThemeController.active`
for it at paint time. The rules for stock widgets are in `widgets/stylesheet.py`.
"""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication

from gamut_desktop.widgets.stylesheet import stylesheet
from models.rubric.metarubric import Tier
from models.verdicts import Verdict

Mode = Literal["system", "light", "dark"]

SMALLEST_ZOOM, LARGEST_ZOOM = 80, 200
ZOOM_STEPS = (80, 90, 100, 110, 125, 150, 175, 200)


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours. Inks have a contrast of at least 4.5 on every ground, `outline` and `focus` at least 3."""

    name: Literal["light", "dark"]
    # grounds
    surface: QColor
    window: QColor
    hover: QColor
    selection: QColor
    selection_unfocused: QColor
    lit: QColor
    picture_ground: QColor
    warning_ground: QColor
    # inks
    text: QColor
    muted: QColor
    disabled: QColor
    accent: QColor
    on_accent: QColor
    warning: QColor
    # lines: `line` only separates; `outline` and `focus` carry meaning
    line: QColor
    outline: QColor
    focus: QColor
    # tiers
    answer_critical: QColor
    valuable: QColor
    context: QColor
    on_tier: QColor
    # verdicts
    meets: QColor
    partially_meets: QColor
    missing: QColor
    contradicts: QColor
    # spans in a response
    matched_ground: QColor
    matched_line: QColor
    evidence_ground: QColor
    evidence_line: QColor

    def tier(self, tier: Tier) -> QColor:
        """The ink of a tier's chip and bars."""
        return {
            Tier.ANSWER_CRITICAL: self.answer_critical,
            Tier.VALUABLE: self.valuable,
            Tier.CONTEXT: self.context,
        }[tier]

    def verdict(self, verdict: Verdict | None) -> QColor:
        """The ink of a verdict's sign; muted where there is none."""
        if verdict is None:
            return self.muted
        return {
            Verdict.MEETS: self.meets,
            Verdict.PARTIALLY_MEETS: self.partially_meets,
            Verdict.MISSING: self.missing,
            Verdict.CONTRADICTS: self.contradicts,
        }[verdict]

    def palette(self) -> QPalette:
        """The theme as Qt's palette, for stock widgets."""
        role = QPalette.ColorRole
        colours = {
            role.Window: self.window,
            role.WindowText: self.text,
            role.Base: self.surface,
            role.AlternateBase: self.hover,
            role.Text: self.text,
            role.Button: self.surface,
            role.ButtonText: self.text,
            role.BrightText: self.contradicts,
            role.ToolTipBase: self.surface,
            role.ToolTipText: self.text,
            role.PlaceholderText: self.muted,
            role.Highlight: self.accent,
            role.HighlightedText: self.on_accent,
            role.Link: self.accent,
            role.LinkVisited: self.answer_critical,
            role.Light: self.surface,
            role.Midlight: self.hover,
            role.Mid: self.line,
            role.Dark: self.outline,
            role.Shadow: self.line,
            role.Accent: self.accent,
        }
        palette = QPalette()
        for one, colour in colours.items():
            palette.setColor(one, colour)
        for one in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, one, self.disabled)
        palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, self.selection_unfocused)
        palette.setColor(QPalette.ColorGroup.Disabled, role.HighlightedText, self.disabled)
        return palette


LIGHT = Theme(
    name="light",
    surface=QColor("#FFFFFF"),
    window=QColor("#F6F7F9"),
    hover=QColor("#F1F3F6"),
    selection=QColor("#E1EBFB"),
    selection_unfocused=QColor("#E9EBEF"),
    lit=QColor("#EEF3FD"),
    picture_ground=QColor("#E6E8EC"),
    warning_ground=QColor("#FDF4E3"),
    text=QColor("#1B1D21"),
    muted=QColor("#5A6170"),
    disabled=QColor("#858C99"),
    accent=QColor("#2563C9"),
    on_accent=QColor("#FFFFFF"),
    warning=QColor("#8A5600"),
    line=QColor("#E1E4E9"),
    outline=QColor("#7D8593"),
    focus=QColor("#2563C9"),
    answer_critical=QColor("#4B3FBF"),
    valuable=QColor("#0F6E68"),
    context=QColor("#57606E"),
    on_tier=QColor("#FFFFFF"),
    meets=QColor("#1B7547"),
    partially_meets=QColor("#8A5600"),
    missing=QColor("#626A78"),
    contradicts=QColor("#B92C26"),
    matched_ground=QColor("#FDF1C9"),
    matched_line=QColor("#8A6800"),
    evidence_ground=QColor("#DDF1EE"),
    evidence_line=QColor("#0F6E68"),
)

DARK = Theme(
    name="dark",
    surface=QColor("#24272C"),
    window=QColor("#1C1E22"),
    hover=QColor("#2B2F35"),
    selection=QColor("#2B3B57"),
    selection_unfocused=QColor("#34383F"),
    lit=QColor("#283242"),
    picture_ground=QColor("#17191C"),
    warning_ground=QColor("#352D1F"),
    text=QColor("#E8EAED"),
    muted=QColor("#A7AEB9"),
    disabled=QColor("#767E8B"),
    accent=QColor("#8AB4FF"),
    on_accent=QColor("#16181C"),
    warning=QColor("#F0B44C"),
    line=QColor("#363A41"),
    outline=QColor("#858D9A"),
    focus=QColor("#8AB4FF"),
    answer_critical=QColor("#B3A8FF"),
    valuable=QColor("#62D2C4"),
    context=QColor("#AEB6C2"),
    on_tier=QColor("#16181C"),
    meets=QColor("#63CF9B"),
    partially_meets=QColor("#F0B44C"),
    missing=QColor("#A7AEB9"),
    contradicts=QColor("#FF8F86"),
    matched_ground=QColor("#453E22"),
    matched_line=QColor("#D8B24A"),
    evidence_ground=QColor("#1F443F"),
    evidence_line=QColor("#62D2C4"),
)


class ThemeController(QObject):
    """Applies a theme and a text zoom to the application; `changed` says that either has changed.

    In mode "system" it follows the desktop's colour scheme while the app runs.
    """

    changed = Signal()

    def __init__(self, app: QApplication, parent: QObject | None = None) -> None:
        """Take over `app`'s style, palette, stylesheet and font; its present font is the 100 % of the zoom."""
        super().__init__(parent or app)
        self._app = app
        self._body = QFont(app.font())
        self._mode: Mode = "system"
        self._zoom = 100
        app.setStyle("Fusion")
        self._active = self._wanted()
        self._apply()
        app.styleHints().colorSchemeChanged.connect(self._follow)

    @property
    def active(self) -> Theme:
        """The theme that is applied now."""
        return self._active

    @property
    def mode(self) -> Mode:
        """What the person chose; "system" follows the desktop."""
        return self._mode

    @property
    def zoom(self) -> int:
        """The text zoom in percent."""
        return self._zoom

    def set_mode(self, mode: Mode) -> None:
        """Choose light, dark or the desktop's scheme."""
        self._mode = mode
        scheme = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark, "system": Qt.ColorScheme.Unknown}[mode]
        self._app.styleHints().setColorScheme(scheme)
        self._follow()

    def set_zoom(self, percent: int) -> None:
        """Set the text zoom, held to 80..200 percent."""
        held = max(SMALLEST_ZOOM, min(LARGEST_ZOOM, percent))
        if held != self._zoom:
            self._zoom = held
            self._apply()
            self.changed.emit()

    def zoom_in(self) -> None:
        """One step larger."""
        self.set_zoom(next((step for step in ZOOM_STEPS if step > self._zoom), LARGEST_ZOOM))

    def zoom_out(self) -> None:
        """One step smaller."""
        self.set_zoom(next((step for step in reversed(ZOOM_STEPS) if step < self._zoom), SMALLEST_ZOOM))

    def reset_zoom(self) -> None:
        """Back to the size the system says."""
        self.set_zoom(100)

    def _wanted(self) -> Theme:
        if self._mode == "system":
            return DARK if self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT
        return DARK if self._mode == "dark" else LIGHT

    def _follow(self) -> None:
        wanted = self._wanted()
        if wanted.name != self._active.name:
            self._active = wanted
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        self._app.setFont(scaled(self._body, self._zoom / 100))
        self._app.setPalette(self._active.palette())
        self._app.setStyleSheet(stylesheet(self._active, self._zoom / 100))


def scaled(font: QFont, factor: float) -> QFont:
    """The font `factor` times as large, whether its size is given in points or in pixels."""
    result = QFont(font)
    if font.pointSizeF() > 0:
        result.setPointSizeF(font.pointSizeF() * factor)
    else:
        result.setPixelSize(max(1, round(font.pixelSize() * factor)))
    return result


def small_print(font: QFont) -> QFont:
    """For second lines and counts: a little under body size."""
    return scaled(font, 0.89)


def title(font: QFont) -> QFont:
    """Body size and a point more, semibold."""
    result = scaled(font, 1.11)
    result.setWeight(QFont.Weight.DemiBold)
    return result


def semibold(font: QFont) -> QFont:
    """The same size, semibold."""
    result = QFont(font)
    result.setWeight(QFont.Weight.DemiBold)
    return result


def tabular(font: QFont) -> QFont:
    """Digits of one width, so that numbers in a column stand under each other."""
    result = QFont(font)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


def row_height(font: QFont, lines: int = 1) -> int:
    """The height of a list row: 28 px for one line of the usual size, 36 for two, more with a larger font."""
    height = QFontMetricsF(font).height()
    if lines == 1:
        return max(28, round(height + 12))
    return max(36, round(height + QFontMetricsF(small_print(font)).height() * (lines - 1) + 12))
