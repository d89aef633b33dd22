"""Score card, verdict panel, empty state, dock titles: what they show, and that they say it in words."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QDockWidget, QLabel

from gamut_desktop.widgets.chips import paint_tier_chip
from gamut_desktop.widgets.dock_title import DockTitle
from gamut_desktop.widgets.empty_state import EmptyState
from gamut_desktop.widgets.labels import ElidedLabel
from gamut_desktop.widgets.score_card import Reading, ScoreCard
from gamut_desktop.widgets.verdict_panel import AskingWhy, Reasons, VerdictPanel
from gamut_desktop.widgets.words import points, probabilities
from models.rubric.metarubric import Tier
from models.scoring.score import score
from models.verdicts import Outcome, Verdict

AC, V = Tier.ANSWER_CRITICAL, Tier.VALUABLE


def reading(*checks, judge="smollm2") -> Reading:
    return Reading(judge, score(checks), {one: sum(v == one for _, v in checks) for one in Verdict})


def texts(widget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget) and label.text()]


def test_points_have_one_decimal_a_real_minus_and_a_dash_for_nothing():
    assert [points(value) for value in (0.912, -0.225, 1.0, -0.0001, None)] == ["91.2", "−22.5", "100.0", "0.0", "–"]


def test_probabilities_are_read_out_with_the_likeliest_first():
    assert probabilities((0.1, 0.0, 0.7, 0.0, 0.2)).startswith("missing 0.70, cannot tell 0.20, meets 0.10")


def test_the_card_shows_score_tiers_coverage_and_counts(themes, qtbot):
    card = ScoreCard(themes)
    qtbot.addWidget(card)
    card.show_readings(reading((AC, Verdict.MEETS), (AC, Verdict.MISSING), (V, Verdict.CONTRADICTS)))
    shown = texts(card)
    assert {"smollm2", "50.0", "−100.0", "2 of 2 judged", "1 of 1 judged"} <= set(shown)


def test_the_card_says_it_all_in_words(themes, qtbot):
    card = ScoreCard(themes)
    qtbot.addWidget(card)
    card.show_readings(reading((AC, Verdict.MEETS), (AC, None)))
    said = card.accessibleDescription()
    assert card.accessibleName() == "Score card"
    assert said == (
        "smollm2: 100.0. Between −33.3 and 100.0 once everything is judged. "
        "Answer-Critical: 100.0, 1 of 2 judged. "
        "Verdicts: 1 meets, 0 partially meets, 0 missing, 0 contradicts, 1 no verdict."
    )


def test_an_interval_that_is_a_point_is_not_shown(themes, qtbot):
    full = reading((AC, Verdict.MEETS))
    assert full.interval is None
    assert reading((AC, Verdict.MEETS), (AC, None)).interval is not None


def test_what_is_undefined_is_a_dash(themes, qtbot):
    card = ScoreCard(themes)
    qtbot.addWidget(card)
    card.show_readings(reading((AC, None)))
    assert "–" in texts(card)
    assert "0.0" not in texts(card)
    assert "not scored yet" in card.accessibleDescription()


def test_a_second_reading_stands_beside_the_first_and_is_brief_below_it(themes, qtbot):
    card = ScoreCard(themes)
    qtbot.addWidget(card)
    card.resize(900, 250)
    card.show_readings(reading((AC, Verdict.MEETS)), reading((AC, Verdict.MISSING), judge="keyword"))
    with qtbot.waitExposed(card):
        card.show()
    names = {label.text(): label for label in card.findChildren(ElidedLabel)}
    assert names["keyword"].mapTo(card, names["keyword"].pos()).x() > 300
    assert texts(card).count("1 of 1 judged") == 2
    visible_wide = [label for label in card.findChildren(QLabel) if label.isVisible()]
    card.resize(300, 400)
    qtbot.waitUntil(lambda: len([x for x in card.findChildren(QLabel) if x.isVisible()]) < len(visible_wide))
    assert card.accessibleDescription().count("Answer-Critical") == 2


def test_an_empty_card_says_so(themes, qtbot):
    card = ScoreCard(themes)
    qtbot.addWidget(card)
    assert card.accessibleDescription() == "Nothing is scored."


@pytest.fixture
def panel(themes, qtbot):
    widget = VerdictPanel(themes)
    qtbot.addWidget(widget)
    return widget


def test_the_panel_tells_why(panel):
    panel.show_reasons(
        Reasons(
            Verdict.MEETS,
            Outcome.VERDICT,
            (0.9, 0.05, 0.03, 0.01, 0.01),
            0.85,
            "smollm2, direct",
            "ruler 3",
            note="checked twice",
            rationale="It names the cup.",
            by_person=True,
            why="One of the baselines.",
        )
    )
    shown = texts(panel)
    assert {"Meets", "set by a person", "0.90", "Margin 0.85", "It names the cup.", "Note: checked twice"} <= set(shown)
    said = panel.accessibleDescription()
    for words in ("meets", "set by a person", "meets 0.90", "margin 0.85", "It names the cup", "ruler 3"):
        assert words in said


def test_the_panel_leaves_out_what_is_not_known(panel):
    panel.show_reasons(Reasons(None, Outcome.UNPARSABLE))
    assert texts(panel) == ["No verdict: unparsable"]
    assert panel.accessibleDescription() == "no verdict: unparsable."


def test_the_panel_heads_the_judge_s_words_and_offers_to_ask_for_them(panel, qtbot):
    panel.show_reasons(Reasons(Verdict.MEETS, judge="smollm2", may_ask=True))
    assert texts(panel) == ["Meets", "smollm2"]
    assert panel.ask_button.isVisibleTo(panel)
    with qtbot.waitSignal(panel.why_wanted):
        panel.ask_button.click()
    panel.show_asking(AskingWhy("smollm2", 12))
    panel.show_reasons(Reasons(Verdict.MEETS, judge="smollm2", may_ask=True))
    assert "smollm2 is writing its reason, 12 s" in texts(panel)
    with qtbot.waitSignal(panel.stop_wanted):
        panel.ask_button.click()
    panel.show_asking(AskingWhy("smollm2", 13, stopping=True))
    assert "stopping" in texts(panel)
    assert not panel.ask_button.isEnabled()
    panel.show_asking(None)
    panel.show_reasons(Reasons(Verdict.MEETS, rationale="It names both.", asked_later=True, evidence="both"))
    assert texts(panel) == [
        "Meets", "The judge's reason, asked for afterwards", "It names both.",
        "Quoted from the response", "“\u2068both\u2069”",
    ]  # fmt: skip
    assert not panel.ask_button.isVisibleTo(panel)


def test_the_panel_calls_a_verdict_unsupported_beside_its_name(panel):
    panel.show_reasons(Reasons(Verdict.MEETS, by_person=True, unsupported=True, note="It quotes nothing."))
    assert texts(panel) == ["Meets", "set by a person · unsupported", "Its quote", "It quotes nothing."]
    assert "unsupported" in panel.accessibleDescription()


def test_the_panel_without_a_check_is_empty(panel):
    panel.show_reasons(Reasons(Verdict.MEETS))
    panel.show_reasons(None)
    assert panel.accessibleDescription() == "No check is selected."


def test_the_panel_shows_markup_as_it_is(panel):
    panel.show_reasons(Reasons(Verdict.MEETS, rationale="<b>bold</b>"))
    label = next(label for label in panel.findChildren(QLabel) if label.text() == "<b>bold</b>")
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_the_panel_is_never_too_narrow_for_its_bars(panel, qtbot):
    panel.show_reasons(Reasons(Verdict.MEETS, probabilities=(0.9, 0.05, 0.03, 0.01, 0.01)))
    panel.resize(panel.minimumSizeHint())
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.widget().width() <= panel.viewport().width()


def test_an_empty_place_invites_with_one_sentence_and_its_buttons(themes, qtbot):
    place = EmptyState("No responses yet. Import a file, or write one.", "Import…", "Write one", "or drop a file here")
    qtbot.addWidget(place)
    assert place.accessibleName() == "No responses yet. Import a file, or write one."
    with qtbot.waitExposed(place):
        place.show()
    place.setFocus()
    assert place.primary_button.hasFocus()
    with qtbot.waitSignal(place.primary):
        qtbot.keyClick(place.primary_button, Qt.Key.Key_Space)
    with qtbot.waitSignal(place.secondary):
        qtbot.mouseClick(place.secondary_button, Qt.MouseButton.LeftButton)


def test_an_empty_place_needs_no_second_button(themes, qtbot):
    place = EmptyState("Nothing here.", "Add")
    qtbot.addWidget(place)
    place.show()
    assert not place.secondary_button.isVisible()


def test_a_label_that_is_cut_has_its_text_in_the_tooltip(themes, qtbot):
    label = ElidedLabel("A credit line that is much too long for this place")
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.show()
    assert "much too long" in label.toolTip()
    label.resize(900, 20)
    assert label.toolTip() == ""
    assert label.text() == "A credit line that is much too long for this place"


def test_a_dock_is_closed_from_its_title_by_keyboard(themes, qtbot):
    dock = QDockWidget("Responses")
    qtbot.addWidget(dock)
    bar = DockTitle(themes, dock)
    dock.setTitleBarWidget(bar)
    with qtbot.waitExposed(dock):
        dock.show()
    assert bar.close_button.accessibleName() == "Hide Responses"
    dock.setWindowTitle("Answers")
    assert bar.close_button.accessibleName() == "Hide Answers"
    qtbot.keyClick(bar.close_button, Qt.Key.Key_Space)
    assert not dock.isVisible()


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
def test_a_chip_s_edges_are_sharp_at_every_pixel_ratio(themes, qapp, ratio):
    image = QImage(round(60 * ratio), round(30 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_tier_chip(painter, QRectF(7.3, 6.4, 24, 15), Tier.VALUABLE, themes.active, qapp.font())
    painter.end()
    ink = themes.active.valuable.name()
    row = [image.pixelColor(x, round(14 * ratio)).name() for x in range(round(11 * ratio))]
    assert set(row) == {"#ffffff", ink}
    assert row.index(ink) == round(7.3 * ratio)
