"""The window by keyboard alone: keys go to whatever has the focus, nothing is clicked and nothing is called."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTreeView, QWidget

from gamut_desktop.dialogs.palette import Palette
from gamut_desktop.main_window import MainWindow
from tests.qt.window.driving import check_rows, dialog_of, make_project, play_in_main, settle, shown_keys, until
from tests.qt.window.strictness import isolated_home, strictly

Key = Qt.Key


@pytest.fixture(autouse=True)
def strict(qapp, tmp_path: Path, monkeypatch, qtlog, caplog) -> Iterator[None]:
    isolated_home(tmp_path, monkeypatch)
    with strictly(qtlog, caplog):
        yield


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def press(*keys: str) -> None:
    for key in keys:
        QTest.keySequence(focused(), QKeySequence(key))


def write(text: str) -> None:
    QTest.keyClicks(focused(), text)


def tab_to(wanted: QWidget) -> int:
    """Press Tab until that widget has the focus; how many times."""
    for times in range(80):
        if QApplication.focusWidget() is wanted:
            return times
        press("Tab")
    raise AssertionError(f"Tab never comes to {wanted.accessibleName() or wanted}")


def test_everything_is_done_by_keys_alone(qtbot, monkeypatch, tmp_path: Path):
    path = make_project(
        tmp_path / "keys.gamut", {"drink": "What is this drink?", "cup": "What is in the cup?", "z": "And this one?"}
    )

    def story(window: MainWindow) -> None:
        panes, desk = window.panes, window.desk
        checklist, tree = panes.checklist.tree, panes.rubric.tree
        window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        panes.questions.list.setFocus()  # where the platform puts the focus first is its own affair

        press("Ctrl+F")
        assert isinstance(focused(), QLineEdit)
        write("cup")
        assert shown_keys(window) == ["cup"]
        tab_to(panes.questions.list)
        press("Down")
        assert desk.key == "cup"

        press("Ctrl+Alt+1")
        assert desk.judge == "keyword"
        press("Ctrl+Return")
        until(qtbot, lambda: None not in check_rows(window).values())
        settle(qtbot, window)

        tab_to(checklist)
        press("Home", "Down")
        check = panes.checklist.selected()
        assert check is not None
        press("Down", "Down")  # over the heading of the next tier
        assert panes.checklist.selected() not in (None, check)
        press("Up", "Up")
        assert panes.checklist.selected() == check
        judged = check_rows(window)[check.text]
        press("3")
        assert check_rows(window)[check.text] == "missing" != judged
        press("4")
        assert check_rows(window)[check.text] == "contradicts"
        press("0")
        assert check_rows(window)[check.text] == judged

        tab_to(tree)
        press("End")
        old = tree.currentIndex().data()
        press("F2")
        assert focused() is not tree
        press("Ctrl+A")
        write("cold milk")
        QTest.keyClick(focused(), Key.Key_Return)
        until(qtbot, lambda: tree.state() is not QTreeView.State.EditingState)
        assert tree.currentIndex().data() == "cold milk" != old
        changed = [text for text in check_rows(window) if "cold milk" in text]
        assert len(changed) == 1
        assert check_rows(window)[changed[0]] is None
        press("Ctrl+Z")
        assert tree.currentIndex().data() == old
        assert not [text for text in check_rows(window) if "cold milk" in text]
        press("Ctrl+Shift+Z")
        assert check_rows(window)[changed[0]] is None
        assert window.isWindowModified()
        press("Ctrl+S")
        assert not window.isWindowModified()
        settle(qtbot, window)
        press("Ctrl+Return")
        until(qtbot, lambda: check_rows(window)[changed[0]] is not None)
        settle(qtbot, window)

        press("Ctrl+K")
        palette = dialog_of(qtbot, Palette)
        qtbot.waitUntil(lambda: QApplication.activeWindow() is palette)
        write("dark")
        press("Return")
        until(qtbot, lambda: window.themes.active.name == "dark")
        window.activateWindow()  # without a screen there is no window manager that does it
        until(qtbot, lambda: QApplication.activeWindow() is window)
        press("Ctrl+0")
        settle(qtbot, window)

    assert play_in_main(qtbot, monkeypatch, story, path) == 0


def test_tab_comes_to_every_pane_in_the_order_of_the_screen(qtbot, monkeypatch, tmp_path: Path):
    path = make_project(tmp_path / "keys.gamut", {"drink": "What is this drink?"})

    def story(window: MainWindow) -> None:
        panes = window.panes
        window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        panes.questions.search.setFocus()
        order = [focused()]
        while len(order) < 200:
            press("Tab")
            if focused() in order:
                break
            order.append(focused())
        assert len(order) < 200
        assert focused() is not order[-1], "Tab is caught"
        wanted = [
            panes.questions.search,
            panes.questions.list,
            panes.question.text,
            panes.rubric.tree,
            panes.checklist.tree,
            panes.responses.list,
            panes.answer.text,
        ]

        def place(widget: QWidget) -> int:
            found = [n for n, one in enumerate(order) if one is widget or widget.isAncestorOf(one)]
            assert found, f"Tab leaves out {widget.accessibleName()}"
            return found[0]

        places = [place(widget) for widget in wanted]
        assert places == sorted(places), [(one.accessibleName(), type(one).__name__) for one in order]
        assert all(one.isVisible() and one.mapTo(window, QPoint(0, 0)).x() >= 0 for one in order)
        press("Shift+Tab")
        assert focused() is not order[0]

    assert play_in_main(qtbot, monkeypatch, story, path) == 0
