"""Pictures: fit, zoom and pan by keys and mouse, several pictures, credit, and the empty place."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from gamut_desktop.widgets.picture_view import Picture, PictureView


def picture(colour: tuple[int, int, int] = (200, 40, 40), width: int = 800, height: int = 400, **more: str) -> Picture:
    return Picture(bytes(colour) * (width * height), width, height, **more)


@pytest.fixture
def view(themes, qtbot):
    widget = PictureView(themes)
    qtbot.addWidget(widget)
    widget.resize(400, 400)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def test_a_picture_is_fitted_and_stays_fitted_when_the_view_grows(view, qtbot):
    view.show_pictures([picture()])
    assert view.canvas.zoom == pytest.approx(0.5, abs=0.02)
    view.resize(800, 600)
    qtbot.waitUntil(lambda: view.canvas.zoom > 0.95)
    assert view.canvas.fitted


def test_keys_zoom_fit_and_give_100_percent(view, qtbot):
    view.show_pictures([picture()])
    fitted = view.canvas.zoom
    qtbot.keyClick(view.canvas, Qt.Key.Key_Plus)
    assert view.canvas.zoom == pytest.approx(fitted * 1.25)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Minus)
    assert view.canvas.zoom == pytest.approx(fitted)
    qtbot.keyClick(view.canvas, Qt.Key.Key_1)
    assert view.canvas.zoom == pytest.approx(1.0)
    qtbot.keyClick(view.canvas, Qt.Key.Key_0)
    assert view.canvas.fitted


def test_arrows_pan_a_picture_that_is_larger_than_the_view(view, qtbot):
    view.show_pictures([picture()])
    qtbot.keyClick(view.canvas, Qt.Key.Key_1)
    before = view.canvas.mapToScene(0, 0)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    assert view.canvas.mapToScene(0, 0).x() > before.x()
    qtbot.keyClick(view.canvas, Qt.Key.Key_Left)
    assert view.canvas.mapToScene(0, 0).x() == pytest.approx(before.x(), abs=1)


def test_zoom_stops_at_the_whole_picture_and_at_16(view):
    view.show_pictures([picture()])
    for _ in range(40):
        view.canvas.zoom_in()
    assert view.canvas.zoom == pytest.approx(16)
    for _ in range(60):
        view.canvas.zoom_out()
    assert view.canvas.fitted


def test_ctrl_and_wheel_zoom_at_the_pointer(view):
    view.show_pictures([picture()])
    view.canvas.actual_size()
    at = QPointF(100, 120)
    under = view.canvas.mapToScene(at.toPoint())
    wheel = QWheelEvent(
        at,
        view.canvas.viewport().mapToGlobal(at),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.canvas.viewport(), wheel)
    assert view.canvas.zoom == pytest.approx(1.25**2)
    now = view.canvas.mapToScene(at.toPoint())
    assert (now.x(), now.y()) == pytest.approx((under.x(), under.y()), abs=2)


def test_a_double_click_goes_to_100_percent_and_back(view, qtbot):
    view.show_pictures([picture()])
    qtbot.mouseDClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(50, 180))
    assert view.canvas.zoom == pytest.approx(1.0)
    qtbot.mouseDClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(50, 180))
    assert view.canvas.fitted


def test_the_picture_is_really_drawn(view):
    view.show_picture(bytes((10, 200, 30)) * 80 * 60, 80, 60)
    image = view.canvas.viewport().grab().toImage()
    middle = image.pixelColor(image.width() // 2, image.height() // 2)
    assert (middle.red(), middle.green(), middle.blue()) == (10, 200, 30)


def test_a_fine_pattern_turns_grey_when_small_and_does_not_flicker(view):
    row = bytes((0, 0, 0, 255, 255, 255)) * 800
    view.show_picture(row * 1600, 1600, 1600)
    image = view.canvas.viewport().grab().toImage()
    levels = {image.pixelColor(x, image.height() // 2).red() for x in range(150, 250)}
    assert max(levels) - min(levels) < 40


def test_page_keys_and_buttons_go_between_pictures(view, qtbot):
    view.show_pictures([picture(name="red"), picture((0, 0, 255), name="blue")])
    with qtbot.waitSignal(view.page_changed) as heard:
        qtbot.keyClick(view.canvas, Qt.Key.Key_PageDown)
    assert heard.args == [1]
    assert view.canvas.accessibleName() == "blue"
    assert not view.next_button.isEnabled()
    qtbot.keyClick(view.canvas, Qt.Key.Key_PageDown)
    assert view.current == 1
    qtbot.mouseClick(view.previous_button, Qt.MouseButton.LeftButton)
    assert view.current == 0


def test_a_single_picture_has_no_page_buttons(view):
    view.show_pictures([picture()])
    assert not view.next_button.isVisible()
    assert not view.previous_button.isVisible()


def test_many_pictures_are_counted_instead_of_dotted(view):
    view.show_pictures([picture(width=4, height=4)] * 9, current=2)
    assert "3 of 9" in view.canvas.accessibleDescription()


def test_a_screen_reader_hears_size_zoom_and_credit(view):
    view.show_pictures([picture(name="A red field", credit="A. Painter, CC0")])
    assert view.canvas.accessibleName() == "A red field"
    assert view.canvas.accessibleDescription() == "800 by 400 pixels, 50 %, A. Painter, CC0"
    assert all(part.accessibleName() for part in (view.zoom_button, view.next_button, view.previous_button))


def test_no_picture_invites_to_add_one(view, qtbot):
    view.show_pictures([])
    assert view.empty.isVisible()
    with qtbot.waitSignal(view.add_requested):
        qtbot.mouseClick(view.empty.primary_button, Qt.MouseButton.LeftButton)


def test_bytes_that_do_not_fill_the_rows_are_refused(view):
    with pytest.raises(ValueError, match="not 2 x 2 RGB pixels"):
        view.show_picture(b"abc", 2, 2)


def test_the_ground_follows_the_theme(view, themes):
    view.show_pictures([picture()])
    themes.set_mode("dark")
    assert view.canvas.backgroundBrush().color() == themes.active.picture_ground
