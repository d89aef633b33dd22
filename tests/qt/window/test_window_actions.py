"""Menus, palette and sheet of keys: one registry, nothing left out, no key twice."""

from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QListView, QMenu, QTreeView

from gamut_desktop.actions import plain
from gamut_desktop.dialogs.palette import Palette, ShortcutSheet
from tests.qt.window.driving import dialog_of, until


def in_menus(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        if action.menu() is not None:
            yield from in_menus(action.menu())
        elif not action.isSeparator():
            yield action


def menu_actions(window) -> list[QAction]:
    recent = set(window.menus.recent.actions())
    return [one for top in window.menuBar().actions() for one in in_menus(top.menu()) if one not in recent]


def test_every_action_of_the_menus_is_in_the_registry(window):
    registered = {id(entry.action) for entry in window.actions_.entries()}
    assert [a.text() for a in menu_actions(window) if id(a) not in registered] == []
    assert all(entry.action.objectName() for entry in window.actions_.entries())


def test_no_name_and_no_key_is_given_twice(window):
    names = Counter(entry.action.objectName() for entry in window.actions_.entries())
    assert [name for name, count in names.items() if count > 1] == []
    wide = [
        e.action for e in window.actions_.entries() if e.action.shortcutContext() is Qt.ShortcutContext.WindowShortcut
    ]
    keys = Counter(key.toString() for action in wide for key in action.shortcuts())
    assert [key for key, count in keys.items() if count > 1] == []


def test_no_key_of_a_pane_is_taken_by_the_window(window):
    """While a pane has the focus, both would match, and Qt would call that ambiguous and do neither."""
    by_key: dict[str, list[str]] = {}
    for entry in window.actions_.entries():
        for key in entry.action.shortcuts():
            by_key.setdefault(key.toString(), []).append(entry.action.objectName())
    wide = {
        key.toString()
        for entry in window.actions_.entries()
        if entry.action.shortcutContext() is Qt.ShortcutContext.WindowShortcut
        for key in entry.action.shortcuts()
    }
    assert {key: names for key, names in by_key.items() if key in wide and len(names) > 1} == {}


def test_a_menu_gives_each_mnemonic_once(window):
    menus = window.menus
    for top in (menus.file, menus.edit, menus.grade, menus.view, menus.help):
        letters = Counter(
            text[text.index("&") + 1].lower()
            for text in (a.text().replace("&&", "") for a in top.actions())
            if "&" in text
        )
        assert {letter: n for letter, n in letters.items() if n > 1} == {}, top.title()


def test_the_palette_lists_every_action_that_can_be_done(window, qtbot):
    window.menus.ask.show_palette()
    palette = dialog_of(qtbot, Palette)
    model: QSortFilterProxyModel = palette.findChild(QListView).model()
    listed = [model.index(row, 0).data() for row in range(model.rowCount())]
    wanted = [e for e in window.actions_.entries() if e.action.isEnabled() and e.action.isVisible()]
    assert len(listed) == len(wanted) > 40
    for entry, text in zip(wanted, listed, strict=True):
        assert text.startswith(f"{entry.heading}: {plain(entry.action.text())}")
    palette.reject()


def test_the_sheet_of_keys_lists_every_action_that_has_one(window, qtbot):
    window.menus.ask.show_shortcuts()
    sheet = dialog_of(qtbot, ShortcutSheet)
    model = sheet.findChild(QTreeView).model()
    listed = set()
    for top in range(model.rowCount()):
        parent = model.index(top, 0)
        listed |= {model.index(row, 0, parent).data() for row in range(model.rowCount(parent))}
    wanted = {plain(e.action.text()) for e in window.actions_.entries() if not e.action.shortcut().isEmpty()}
    assert listed == wanted
    sheet.reject()


def test_what_needs_a_project_is_off_without_one(window, qtbot):
    window.close_project()
    until(qtbot, lambda: window.desk is None and not window.jobs.busy)
    on = {e.action.objectName() for e in window.actions_.entries() if e.action.isEnabled()}
    assert on & {"file.save", "file.import", "grade.question", "grade.all", "edit.undo", "grade.stop"} == set()
    assert {"file.new", "file.open", "file.sample", "help.palette", "view.dark"} <= on
    assert not [name for name in on if name.startswith(("rubric.", "checklist.", "pane."))]
