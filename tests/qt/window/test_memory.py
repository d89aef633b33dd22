"""What the window remembers over a restart: panes, theme, text size, judge, recent projects; and a broken memory."""

from PySide6.QtWidgets import QApplication

from gamut_desktop.theme import ThemeController
from tests.qt.window.driving import make_project, settle, window_on


def themes() -> ThemeController:
    return QApplication.instance().findChild(ThemeController)


def test_panes_theme_and_text_size_are_as_they_were(strict, small, qtbot):
    with window_on(qtbot, small) as window:
        names = [dock.objectName() for dock in window.docks()]
        window.actions_.named("pane.score").trigger()
        window.actions_.named("view.dark").trigger()
        window.actions_.named("view.zoom_in").trigger()
        window.resize(window.width(), 700)  # the offscreen screen is 800 wide, and holds the width to that
    themes().set_mode("light")
    themes().reset_zoom()
    with window_on(qtbot, small) as window:
        hidden = [dock.objectName() for dock in window.docks() if dock.isHidden()]
        assert (hidden, len(names)) == (["score"], 6)
        assert window.actions_.named("view.dark").isChecked()
        assert (themes().active.name, themes().zoom) == ("dark", 110)
        assert window.height() == 700
        window.actions_.named("view.reset").trigger()
        assert not any(dock.isHidden() for dock in window.docks())
        window.actions_.named("view.light").trigger()
        window.actions_.named("view.zoom_reset").trigger()


def test_the_last_project_is_opened_and_the_recent_ones_are_in_the_menu(strict, small, tmp_path, qtbot):
    other = make_project(tmp_path / "other.gamut", {"other": "Another?"})
    with window_on(qtbot, small) as window:
        window.open(other)
        settle(qtbot, window)
    with window_on(qtbot, None) as window:
        assert window.desk.project.path == other
        window.menus.recent.aboutToShow.emit()
        actions = window.menus.recent.actions()
        assert [action.text() for action in actions] == ["other", "small"]
        actions[1].trigger()
        settle(qtbot, window)
        assert window.desk.project.path == small


def test_the_judge_is_remembered(strict, small, qtbot):
    with window_on(qtbot, small) as window:
        window.actions_.named("judge.keyword").trigger()
    with window_on(qtbot, small) as window:
        assert window.desk.judge == "keyword"
        assert window.actions_.named("judge.keyword").isChecked()


def test_a_broken_memory_means_defaults(strict, home, small, qtbot):
    (home / "config").mkdir()
    (home / "config" / "window.ini").write_text("[General]\nzoom=wide\ntheme=plaid\nstate=1\nrecent=7\njudge=nobody\n")
    with window_on(qtbot, small) as window:
        assert (themes().mode, themes().zoom) == ("system", 100)
        assert window.desk.judge in ("keyword", "smollm2")
        assert not any(dock.isHidden() for dock in window.docks())


def test_recent_projects_that_are_gone_are_left_out(strict, small, tmp_path, qtbot):
    gone = make_project(tmp_path / "gone.gamut", {"other": "Another?"})
    with window_on(qtbot, gone):
        pass
    gone.unlink()
    with window_on(qtbot, small) as window:
        assert window.memory.recent() == [small]
