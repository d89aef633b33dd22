"""The stylesheet for stock widgets: hairlines, visible focus, slim scroll bars, room in steps of 4 px.

Text colours come from the palette and sizes from the application font; this file adds only shape and distance. It knows
no widget of ours by name but the few object names and properties that are listed in `SHAPES`.
"""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from functools import cache
from importlib.resources import as_file, files
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamut_desktop.theme import Theme

SHAPES = Template("""
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QSplitter::handle:hover { background: $accent; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: $window; padding: ${s8}px; text-align: left; }
QStatusBar { background: $window; border-top: 1px solid $line; min-height: ${s28}px; }
QStatusBar QPushButton { min-height: ${s20}px; }
QStatusBar::item { border: none; }
QStatusBar QLabel { padding: ${s4}px 0; }
QToolBar { background: $window; border: none; spacing: ${s4}px; padding: ${s4}px ${s8}px; }
QToolBar, QPushButton, QTabBar { icon-size: ${s20}px; }
QToolBar#messages {
    background: $lit; border-bottom: 1px solid $line; border-left: 3px solid $accent; padding: 0; spacing: 0;
}
QToolBar#messages[warning="true"] { background: $warning_ground; border-left-color: $warning; }
QToolBar::separator { background: $line; width: 1px; margin: ${s4}px; }

QAbstractScrollArea { border: none; }
QAbstractItemView {
    background: $surface; border: 1px solid transparent; outline: none;
    selection-background-color: $selection; selection-color: $text;
}
QAbstractItemView:focus { border: 1px solid $focus; }
QAbstractItemView::item { min-height: ${row}px; }
QTreeWidget::item { padding: 0 ${s4}px; }
QPlainTextEdit, QTextEdit {
    background: $surface; border: 1px solid transparent; padding: ${s4}px;
    selection-background-color: $accent; selection-color: $on_accent;
}
QPlainTextEdit:focus, QTextEdit:focus { border: 1px solid $focus; }
QPlainTextEdit[field="true"] { border: 1px solid $outline; border-radius: 4px; }
QPlainTextEdit[field="true"]:focus { border: 2px solid $focus; padding: ${s3}px; }
QPlainTextEdit[quiet="true"]:hover { background: $hover; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section {
    background: $surface; color: $muted; border: none; border-bottom: 1px solid $line; padding: ${s4}px ${s8}px;
}

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {
    background: $surface; border: 1px solid $outline; border-radius: 4px; min-height: ${field}px; padding: 0 ${s8}px;
    selection-background-color: $accent; selection-color: $on_accent;
}
QSpinBox, QDoubleSpinBox { padding-right: ${s24}px; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid $focus; }
QLineEdit:focus, QComboBox:focus { padding: 0 ${s7}px; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { border-color: $line; }
QAbstractItemView QLineEdit { min-height: 0; border-radius: 0; }
QComboBox::drop-down { border: none; width: ${s24}px; }
QComboBox::down-arrow, QAbstractSpinBox::down-arrow { image: url("$down_icon"); width: ${s12}px; height: ${s12}px; }
QAbstractSpinBox::up-arrow { image: url("$up_icon"); width: ${s12}px; height: ${s12}px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; background: transparent; width: ${s20}px; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QCheckBox, QRadioButton { spacing: ${s8}px; min-height: ${s24}px; }
QCheckBox::indicator, QAbstractItemView::indicator, QRadioButton::indicator {
    background: $surface; border: 1px solid $outline; width: ${s14}px; height: ${s14}px; border-radius: 3px;
}
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {
    background: $accent; border-color: $accent; image: url("$check_icon");
}
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {
    background: $accent; border-color: $accent; image: url("$dash_icon");
}
QRadioButton::indicator { border-radius: ${radio}px; }
QRadioButton::indicator:checked { border: 5px solid $accent; width: ${radio_dot}px; height: ${radio_dot}px; }
QCheckBox:focus, QRadioButton:focus { color: $accent; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: $focus; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $line; background: $line; }
QMenu::indicator:checked { image: url("$mark_icon"); width: ${s14}px; height: ${s14}px; padding-left: ${s4}px; }
QComboBox QAbstractItemView { border: 1px solid $outline; padding: ${s4}px; }

QPushButton {
    background: $surface; border: 1px solid $outline; border-radius: 4px;
    min-height: ${field}px; padding: 0 ${s12}px;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $selection; }
QPushButton:focus { border: 2px solid $focus; padding: 0 ${s11}px; }
QPushButton:disabled { border-color: $line; color: $disabled; }
QPushButton[primary="true"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[primary="true"]:hover { background: $accent_strong; border-color: $accent_strong; }
QPushButton[primary="true"]:focus { border: 2px solid $text; }
QPushButton[primary="true"]:disabled { background: $line; border-color: $line; color: $disabled; }

QToolButton {
    background: transparent; border: 2px solid transparent; border-radius: 4px; padding: ${s4}px; margin: 0;
}
QToolButton:hover { background: $hover_strong; }
QToolButton:pressed, QToolButton:checked { background: $selection; }
QToolButton:focus { border: 2px solid $focus; }
QToolButton:disabled { color: $disabled; }
QToolButton[quiet="true"] { color: $muted; border-width: 1px; padding: 0 ${s4}px; icon-size: ${s14}px; }
QToolButton[quiet="true"]:hover { color: $text; }
QToolButton::menu-indicator { image: none; }

QMenuBar { background: $window; border: none; }
QMenuBar::item { padding: ${s4}px ${s8}px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: $selection; }
QMenu { background: $surface; border: 1px solid $line; padding: ${s4}px 0; }
QMenu::item { padding: ${s4}px ${s24}px ${s4}px ${s12}px; min-height: ${s20}px; border: 1px solid transparent; }
QMenu::item:selected { background: $selection; color: $text; border-color: $focus; }
QMenu::item:disabled { color: $disabled; }
QMenu::icon { padding-left: ${s8}px; }
QMenu::separator { height: 1px; background: $line; margin: ${s4}px 0; }

QTabBar { background: $window; qproperty-drawBase: 0; }
QTabBar::tab {
    background: $window; color: $muted; border: none; border-bottom: 2px solid transparent; padding: ${s8}px ${s12}px;
}
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:hover { color: $text; background: $hover_strong; }
QTabBar::tab:focus { border: 2px solid $focus; }
QTabWidget::pane { border: none; border-top: 1px solid $line; }

QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: ${s12}px; }
QScrollBar:horizontal { height: ${s12}px; }
QScrollBar::handle { background: $outline; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: ${s24}px; }
QScrollBar::handle:horizontal { min-width: ${s24}px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }

QProgressBar { background: $line; border: none; border-radius: 3px; max-height: 6px; text-align: center; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QLabel[selectable="true"] { border: 1px solid transparent; }
QLabel[selectable="true"]:focus { border: 1px solid $focus; }
QToolTip { background: $surface; color: $text; border: 1px solid $outline; padding: ${s4}px ${s8}px; }
QGroupBox { border: none; border-top: 1px solid $line; margin-top: ${s12}px; padding-top: ${s12}px; }
QGroupBox::title { subcontrol-origin: margin; left: 0; padding-right: ${s8}px; }
""")


_kept = ExitStack()
atexit.register(_kept.close)


@cache
def _control(name: str) -> str:
    """The path of a control's mark, for `url()`; a stylesheet can take pictures from files alone."""
    return _kept.enter_context(as_file(files("resources").joinpath("icons", "controls", name))).as_posix()


def stylesheet(theme: Theme, zoom: float) -> str:
    """The sheet for a theme; distances that hold text grow with `zoom` (1.0 is the system's own size)."""
    distances = {f"s{n}": str(round(n * zoom)) for n in (3, 4, 7, 8, 11, 12, 14, 20, 24, 28)}
    colours = {
        name: getattr(theme, name).name()
        for name in (
            (
                "surface window hover selection lit text muted disabled accent on_accent warning warning_ground line"
                " outline focus"
            ).split()
        )
    }
    return SHAPES.substitute(
        colours,
        **distances,
        row=str(round(28 * zoom)),
        field=str(round(26 * zoom)),
        hover_strong=theme.line.name(),
        radio=str((round(14 * zoom) + 2) // 2),
        radio_dot=str(round(14 * zoom) + 2 - 10),
        **{f"{name}_icon": _control(f"{name}-{theme.name}.svg") for name in ("check", "dash", "mark", "up", "down")},
        accent_strong=theme.accent.darker(112).name(),
    )
