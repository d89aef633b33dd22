"""The two themes: contrast by calculation, following the mode, and the text zoom."""

import pytest
from PySide6.QtGui import QColor, QFontInfo, QPalette
from PySide6.QtWidgets import QLabel, QPushButton

from gamut_desktop.theme import DARK, LARGEST_ZOOM, LIGHT, SMALLEST_ZOOM, Theme, row_height, tabular
from gamut_desktop.widgets.icons import icon, icon_names
from gamut_desktop.widgets.labels import Label
from models.rubric.metarubric import TIERS
from models.verdicts import Verdict

GROUNDS = ("surface", "window", "hover", "selection", "selection_unfocused", "lit")
INKS = ("text muted accent warning answer_critical valuable context meets partially_meets missing contradicts").split()
both = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


def luminance(colour: QColor) -> float:
    """WCAG 2.2, relative luminance."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_wcag():
    assert contrast(QColor("#000000"), QColor("#FFFFFF")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#FFFFFF")) == pytest.approx(4.48, abs=0.01)


@both
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("ink", INKS)
def test_every_ink_is_readable_on_every_ground(theme: Theme, ink: str, ground: str):
    assert contrast(getattr(theme, ink), getattr(theme, ground)) >= 4.5


@both
def test_letters_are_readable_in_every_filled_chip_and_button(theme: Theme):
    assert all(contrast(theme.on_tier, theme.tier(tier)) >= 4.5 for tier in TIERS)
    assert contrast(theme.on_accent, theme.accent) >= 4.5


@both
def test_text_is_readable_where_it_is_marked(theme: Theme):
    for ground, line in (("matched_ground", "matched_line"), ("evidence_ground", "evidence_line")):
        assert contrast(theme.text, getattr(theme, ground)) >= 4.5
        assert contrast(getattr(theme, line), getattr(theme, ground)) >= 3


@both
@pytest.mark.parametrize("ground", ["surface", "window"])
def test_lines_that_carry_meaning_and_the_focus_ring_stand_out(theme: Theme, ground: str):
    assert contrast(theme.outline, getattr(theme, ground)) >= 3
    assert contrast(theme.focus, getattr(theme, ground)) >= 3


@both
def test_the_focus_ring_stands_out_from_a_selected_row(theme: Theme):
    assert contrast(theme.focus, theme.selection) >= 3


@both
def test_the_look_that_was_agreed_on_is_kept(theme: Theme):
    agreed = {
        "light": "#FFFFFF #F6F7F9 #1B1D21 #5A6170 #2563C9 #4B3FBF #0F6E68 #57606E #1B7547 #8A5600 #626A78 #B92C26",
        "dark": "#24272C #1C1E22 #E8EAED #A7AEB9 #8AB4FF #B3A8FF #62D2C4 #AEB6C2 #63CF9B #F0B44C #A7AEB9 #FF8F86",
    }
    names = (
        "surface window text muted accent answer_critical valuable context meets partially_meets missing contradicts"
    )
    assert [getattr(theme, name).name().upper() for name in names.split()] == agreed[theme.name].split()


@both
def test_no_two_verdicts_or_tiers_share_a_colour(theme: Theme):
    assert len({theme.verdict(verdict).name() for verdict in Verdict}) == 4
    assert len({theme.tier(tier).name() for tier in TIERS}) == 3


def test_dark_and_light_change_the_palette_and_say_so(themes, qapp, qtbot):
    with qtbot.waitSignal(themes.changed):
        themes.set_mode("dark")
    assert themes.active is DARK
    assert qapp.palette().color(QPalette.ColorRole.Base) == DARK.surface
    assert DARK.focus.name() in qapp.styleSheet()
    themes.set_mode("light")
    assert qapp.palette().color(QPalette.ColorRole.Window) == LIGHT.window


def test_choosing_the_same_mode_again_changes_nothing(themes, qtbot):
    with qtbot.assertNotEmitted(themes.changed):
        themes.set_mode("light")


def test_the_text_zoom_goes_in_steps_and_stops_at_both_ends(themes):
    for _ in range(20):
        themes.zoom_in()
    assert themes.zoom == LARGEST_ZOOM == 200
    for _ in range(20):
        themes.zoom_out()
    assert themes.zoom == SMALLEST_ZOOM == 80
    themes.set_zoom(130)
    themes.zoom_in()
    assert themes.zoom == 150
    themes.reset_zoom()
    assert themes.zoom == 100


def test_the_text_zoom_reaches_stock_widgets_and_our_labels(themes, qtbot):
    stock, small, headline = QLabel("a"), Label("a", "small"), Label("a", "headline")
    for label in (stock, small, headline):
        qtbot.addWidget(label)
        label.show()
    before = [QFontInfo(label.font()).pointSizeF() for label in (stock, small, headline)]
    themes.set_zoom(200)

    def growth() -> list[float]:
        now = [QFontInfo(label.font()).pointSizeF() for label in (stock, small, headline)]
        return [after / old for after, old in zip(now, before, strict=True)]

    qtbot.waitUntil(lambda: growth() == pytest.approx([2, 2, 2], rel=0.1))


def test_a_row_is_28_px_or_36_with_two_lines_and_grows_with_the_font(themes, qapp):
    one, two = row_height(qapp.font()), row_height(qapp.font(), 2)
    assert (one, two) >= (28, 36)
    themes.set_zoom(200)
    assert row_height(qapp.font()) > one
    assert row_height(qapp.font(), 2) > two


def test_tabular_numbers_are_asked_of_the_font(qapp):
    assert [bytes(tag.toString()) for tag in tabular(qapp.font()).featureTags()] == [b"tnum"]


def test_a_focused_button_looks_different(themes, qtbot):
    button = QPushButton("Grade")
    qtbot.addWidget(button)
    with qtbot.waitExposed(button):
        button.show()
    button.clearFocus()
    without = button.grab().toImage()
    button.setFocus()
    assert button.grab().toImage() != without


@pytest.mark.parametrize("name", icon_names())
def test_an_icon_is_drawn_in_the_text_colour_of_the_theme(themes, name):
    drawn = icon(name)
    for mode, theme in (("light", LIGHT), ("dark", DARK)):
        themes.set_mode(mode)
        image = drawn.pixmap(40, 40).toImage()
        pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        solid = [pixel for pixel in pixels if pixel.alpha() == 255]
        assert solid
        assert all(abs(pixel.lightness() - theme.text.lightness()) <= 2 for pixel in solid)


def test_the_set_of_icons_has_what_the_actions_need():
    asked = (
        "add delete edit undo redo grade stop import export open save search trash settings help zoom-in zoom-out fit "
        "up down picture list tree copy folder warning check"
    )
    assert set(asked.split()) <= set(icon_names())


def test_an_unknown_icon_is_an_error():
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon")
