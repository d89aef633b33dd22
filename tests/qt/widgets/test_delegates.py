"""The rows: heights that follow text and font, every combination of roles painted, tooltips, mirroring, selection."""

from itertools import product

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QToolTip

from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.widgets.delegates import ChecklistDelegate, QuestionDelegate, ResponseDelegate, RubricDelegate
from gamut_desktop.widgets.row_views import RowList, RowTree
from gamut_desktop.widgets.words import STATES, plain_tooltip
from models.rubric.checklist import Role
from models.rubric.metarubric import TIERS, Tier
from models.verdicts import Outcome, Verdict
from tests.qt.widgets.rows import item, model

LONG = "Pulling an espresso shot: tells the steps in this order, which is a long story with many words. " * 4
HALF = (0.5, 0.2, 0.1, 0.1, 0.1)


def painted(delegate, index, width=350, *, state=QStyle.StateFlag.State_Enabled, rtl=False, height=None) -> QImage:
    option = QStyleOptionViewItem()
    option.direction = Qt.LayoutDirection.RightToLeft if rtl else Qt.LayoutDirection.LeftToRight
    option.state = state
    option.rect = QRect(0, 0, width, 0)
    option.rect = QRect(0, 0, width, height or delegate.sizeHint(option, index).height())
    image = QImage(option.rect.size(), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    delegate.paint(painter, option, index)
    painter.end()
    return image


def height(delegate, index, width=350) -> int:
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, width, 0)
    return delegate.sizeHint(option, index).height()


def tooltip(delegate, index, width=350) -> str:
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, width, 60)
    return delegate.tooltip(option, index)


@pytest.mark.parametrize("tier", [None, *TIERS])
@pytest.mark.parametrize("verdict", [None, *Verdict])
@pytest.mark.parametrize("rtl", [False, True])
def test_a_check_is_painted_with_every_combination_of_roles(themes, tier, verdict, rtl):
    delegate = ChecklistDelegate(themes)
    for text, role, edit, person, lit in product(
        ("A check.", LONG, ""), Role, (None, "reword", "drop"), (None, True), (None, True)
    ):
        rows = model(
            item(
                text,
                TIER=tier,
                VERDICT=verdict,
                CHECK_ROLE=role,
                OVERRIDE=edit,
                STALE=edit == "reword",
                BY_PERSON=person,
                LIT=lit,
                PROBABILITIES=HALF if person else None,
                SECOND_VERDICT=verdict,
                OUTCOME=Outcome.REFUSED if verdict is None else Outcome.VERDICT,
            )
        )
        assert painted(delegate, rows.index(0, 0), rtl=rtl) is not None


@pytest.mark.parametrize("state", [*STATES, None])
def test_a_question_is_painted_in_every_state(themes, state):
    thumbnail = QPixmap(64, 32)
    thumbnail.fill(QColor("red"))
    rows = model(item(LONG, ID="coffee-01", STATE=state, THUMBNAIL=thumbnail), item("", STATE=state))
    for row, width, rtl in product((0, 1), (60, 230, 400), (False, True)):
        assert painted(QuestionDelegate(themes), rows.index(row, 0), width, rtl=rtl) is not None


@pytest.mark.parametrize("score", [None, -1.0, 0.0, 0.912])
def test_a_response_is_painted_with_and_without_a_score(themes, score):
    rows = model(item(LONG, NOTE="image", SCORE=score, SECOND_SCORE=score), item("m"))
    assert painted(ResponseDelegate(themes), rows.index(0, 0)) != painted(ResponseDelegate(themes), rows.index(1, 0))


def test_rubric_rows_are_painted_with_every_combination_of_roles(themes):
    parent = item("Typical features", TIER=Tier.VALUABLE, TYPE_NAME="Flexible list", NOTE="at least 2 of 4")
    for tier, role, problem in product((None, *TIERS), (None, Role.SECONDARY), (None, "It is empty.")):
        parent.appendRow(item(LONG, TIER=tier, CHECK_ROLE=role, PROBLEM=problem, TYPE_NAME="Step", NOTE="cites s1"))
    rows = model(parent)
    delegate = RubricDelegate(themes)
    for row in range(parent.rowCount()):
        assert painted(delegate, rows.index(row, 0, rows.index(0, 0))) is not None


def test_a_check_takes_one_to_three_lines(themes):
    delegate = ChecklistDelegate(themes)
    rows = model(item("Short.", TIER=Tier.CONTEXT), item(LONG, TIER=Tier.CONTEXT), item(LONG * 9, TIER=Tier.CONTEXT))
    one, three, still_three = (height(delegate, rows.index(n, 0)) for n in range(3))
    assert one == 28 or one < three
    assert three == still_three < 3 * one


def test_an_unsupported_verdict_is_named_in_small_print_below_the_text(themes):
    delegate = ChecklistDelegate(themes)
    rows = model(item(LONG, VERDICT=Verdict.MEETS, UNSUPPORTED=True), item(LONG, VERDICT=Verdict.MEETS))
    lower, plain = (height(delegate, rows.index(n, 0)) for n in range(2))
    assert 8 < lower - plain < 24
    assert "Unsupported: the judge quotes nothing that is in the response." in tooltip(delegate, rows.index(0, 0))
    assert "Unsupported" not in tooltip(delegate, rows.index(1, 0))
    assert painted(delegate, rows.index(0, 0)) != painted(delegate, rows.index(1, 0))


def test_a_narrower_row_is_higher(themes):
    delegate = ChecklistDelegate(themes)
    rows = model(item("Says to grind the roasted beans finely.", TIER=Tier.CONTEXT))
    assert height(delegate, rows.index(0, 0), 200) > height(delegate, rows.index(0, 0), 500)


def test_rows_grow_with_the_text_zoom(themes, qtbot):
    rows = model(item("Short.", TIER=Tier.CONTEXT))
    view = RowList(ChecklistDelegate(themes), "Checklist")
    qtbot.addWidget(view)
    view.setModel(rows)
    view.show()
    before = view.visualRect(rows.index(0, 0)).height()
    themes.set_zoom(200)
    qtbot.waitUntil(lambda: view.visualRect(rows.index(0, 0)).height() > before)


def test_rows_wrap_anew_when_the_view_becomes_narrower(themes, qtbot):
    rows = model(item("Says to grind the roasted beans finely, and why.", TIER=Tier.CONTEXT), item("b"))
    view = RowTree(themes, ChecklistDelegate(themes), "Checklist")
    qtbot.addWidget(view)
    view.setModel(rows)
    view.resize(600, 300)
    with qtbot.waitExposed(view):
        view.show()
    before = view.visualRect(rows.index(0, 0)).height()
    view.resize(200, 300)
    qtbot.waitUntil(lambda: view.visualRect(rows.index(0, 0)).height() > before)


def test_cut_text_is_whole_in_the_tooltip(themes):
    delegate = ChecklistDelegate(themes)
    rows = model(item(LONG), item("Short."))
    assert LONG.strip() in tooltip(delegate, rows.index(0, 0))
    assert "Short" not in tooltip(delegate, rows.index(1, 0))


def test_a_tooltip_says_what_the_signs_show(themes):
    rows = model(
        item(
            "A check.",
            VERDICT=Verdict.PARTIALLY_MEETS,
            PROBABILITIES=(0.3, 0.51, 0.12, 0.02, 0.05),
            SECOND_VERDICT=Verdict.MISSING,
            OVERRIDE="reword",
            STALE=True,
            BY_PERSON=True,
        )
    )
    said = tooltip(ChecklistDelegate(themes), rows.index(0, 0))
    for words in (
        "Partially meets.",
        "Set by a person.",
        "partially meets 0.51, meets 0.30, missing 0.12, cannot tell 0.05, contradicts 0.02",
        "Keyword judge: missing.",
        "Edited by hand; the rubric has changed since.",
    ):
        assert words in said


def test_a_check_without_verdict_says_why(themes):
    rows = model(item("A check.", OUTCOME=Outcome.TOO_LONG))
    assert "No verdict: too long." in tooltip(ChecklistDelegate(themes), rows.index(0, 0))


def test_a_tooltip_shows_markup_and_does_not_obey_it(themes):
    rows = model(item("<img src='http://example.org/x'> " + LONG), item("b"))
    assert "&lt;img" in tooltip(ChecklistDelegate(themes), rows.index(0, 0))
    rows.item(1).setData("<b>raw</b>", Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;raw" in tooltip(ChecklistDelegate(themes), rows.index(1, 0))


def test_a_model_s_own_tooltip_comes_first_and_is_not_escaped_twice(themes):
    rows = model(item("A check.", VERDICT=Verdict.MEETS))
    rows.item(0).setData(plain_tooltip("Grind & tamp"), Qt.ItemDataRole.ToolTipRole)
    said = tooltip(ChecklistDelegate(themes), rows.index(0, 0))
    assert said.index("Grind &amp; tamp") < said.index("Meets.")


def test_hovering_shows_the_tooltip(themes, qtbot):
    rows = model(item(LONG))
    view = RowList(ChecklistDelegate(themes), "Checklist")
    qtbot.addWidget(view)
    view.setModel(rows)
    with qtbot.waitExposed(view):
        view.show()
    option = QStyleOptionViewItem()
    option.rect = view.visualRect(rows.index(0, 0))
    at = option.rect.center()
    event = QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
    assert view.itemDelegate().helpEvent(event, view, option, rows.index(0, 0))
    assert LONG.strip() in QToolTip.text()
    QToolTip.hideText()


def test_each_verdict_has_a_shape_that_is_told_without_colour(themes):
    delegate = ChecklistDelegate(themes)
    rows = model(*(item("A", VERDICT=verdict) for verdict in (*Verdict, None)))
    shapes = []
    for row in range(5):
        sign = painted(delegate, rows.index(row, 0)).copy(0, 0, 30, 28)
        ink = {(x, y) for x in range(30) for y in range(28) if sign.pixelColor(x, y).lightness() < 190}
        shapes.append(frozenset(ink))
    assert len(set(shapes)) == 5


def test_selection_focus_and_being_lit_look_different(themes):
    delegate = ChecklistDelegate(themes)
    rows = model(item("A check."), item("A check.", LIT=True))
    on = QStyle.StateFlag
    looks = [
        painted(delegate, rows.index(0, 0), state=on.State_Enabled),
        painted(delegate, rows.index(0, 0), state=on.State_Enabled | on.State_Selected),
        painted(delegate, rows.index(0, 0), state=on.State_Enabled | on.State_Selected | on.State_HasFocus),
        painted(delegate, rows.index(0, 0), state=on.State_Enabled | on.State_MouseOver),
        painted(delegate, rows.index(1, 0), state=on.State_Enabled),
    ]
    assert all(a != b for i, a in enumerate(looks) for b in looks[:i])


def test_a_lit_row_has_its_bar_at_the_leading_edge(themes):
    delegate = ChecklistDelegate(themes)
    rows = model(item("A check.", LIT=True))
    accent = themes.active.accent.name()
    for rtl, x in ((False, 1), (True, 348)):
        image = painted(delegate, rows.index(0, 0), rtl=rtl)
        assert image.pixelColor(x, 14).name() == accent
        assert image.pixelColor(349 - x, 14).name() != accent


def test_a_right_to_left_row_has_its_sign_at_the_right(themes):
    rows = model(item("", VERDICT=Verdict.MEETS))
    ink = themes.active.meets.name()
    image = painted(ChecklistDelegate(themes), rows.index(0, 0), rtl=True)
    columns = {x for x in range(350) for y in range(28) if image.pixelColor(x, y).name() == ink}
    assert columns
    assert min(columns) > 300


def test_a_secondary_check_is_indented(themes):
    rows = model(item("", VERDICT=Verdict.MEETS), item("", VERDICT=Verdict.MEETS, CHECK_ROLE=Role.SECONDARY))
    ink = themes.active.meets.name()

    def first(row: int) -> int:
        image = painted(ChecklistDelegate(themes), rows.index(row, 0))
        return min(x for x in range(350) for y in range(28) if image.pixelColor(x, y).name() == ink)

    assert first(1) - first(0) == 16


def test_a_theme_change_repaints_rows_in_its_colours(themes, qtbot):
    rows = model(item("A check.", TIER=Tier.ANSWER_CRITICAL, VERDICT=Verdict.MEETS))
    view = RowList(ChecklistDelegate(themes), "Checklist")
    qtbot.addWidget(view)
    view.setModel(rows)
    with qtbot.waitExposed(view):
        view.show()
    themes.set_mode("dark")
    image = view.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(60) for y in range(30)}
    assert themes.active.meets.name() in colours
    assert themes.active.surface.name() in colours


def test_thousands_of_questions_are_measured_once(themes, qtbot, monkeypatch):
    asked = []
    measure = QuestionDelegate.measure
    monkeypatch.setattr(QuestionDelegate, "measure", lambda self, row: asked.append(1) or measure(self, row))
    rows = model(*(item(f"Question {n}?", ID=f"q-{n}", STATE="graded") for n in range(2000)))
    view = RowList(QuestionDelegate(themes), "Questions")
    qtbot.addWidget(view)
    view.setModel(rows)
    with qtbot.waitExposed(view):
        view.show()
    assert len(asked) < 50


def test_an_editor_lies_on_the_text(themes, qtbot):
    rows = model(item("A check.", TIER=Tier.CONTEXT))
    view = RowList(ChecklistDelegate(themes), "Checklist")
    qtbot.addWidget(view)
    view.setModel(rows)
    view.resize(350, 200)
    with qtbot.waitExposed(view):
        view.show()
    view.setCurrentIndex(rows.index(0, 0))
    view.edit(rows.index(0, 0))
    editor = view.viewport().focusWidget() or view.focusWidget()
    row = view.visualRect(rows.index(0, 0))
    assert row.contains(editor.geometry().center())
    assert editor.geometry().left() > row.left() + 40


def test_views_have_accessible_names_and_do_not_scroll_sideways(themes, qtbot):
    tree, rows = RowTree(themes, RubricDelegate(themes), "Meta-rubric"), RowList(ResponseDelegate(themes), "Responses")
    for view in (tree, rows):
        qtbot.addWidget(view)
        assert view.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    assert (tree.accessibleName(), rows.accessibleName()) == ("Meta-rubric", "Responses")


def test_a_header_shows_its_count(themes):
    rows = model(item("", GROUP=True, TIER=Tier.VALUABLE, COUNT=5), item("", GROUP=True, TIER=Tier.VALUABLE, COUNT=6))
    delegate = ChecklistDelegate(themes)
    assert painted(delegate, rows.index(0, 0)) != painted(delegate, rows.index(1, 0))
    assert rows.index(0, 0).data(Roles.COUNT) == 5
    assert tooltip(delegate, rows.index(0, 0)) == ""


def test_the_tree_paints_its_branches_on_the_row_s_ground(themes, qtbot):
    parent = item("Typical features", TIER=Tier.VALUABLE, LIT=True)
    parent.appendRow(item("a small cup"))
    rows = model(parent)
    tree = RowTree(themes, RubricDelegate(themes), "Meta-rubric")
    qtbot.addWidget(tree)
    tree.setModel(rows)
    with qtbot.waitExposed(tree):
        tree.show()
    at = tree.visualRect(rows.index(0, 0)).center()
    image = tree.viewport().grab(QRect(QPoint(0, 0), tree.viewport().size())).toImage()
    assert image.pixelColor(8, at.y() - 10).name() == themes.active.lit.name()
