"""The actions of the rubric panel: names, texts and keys. What they do is the panel's; which are possible is told here.

Object names begin with "rubric."; the window takes the actions into its menus, the palette and the sheet of keys.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QTreeView

from gamut_desktop.views.panel_parts import tree_action
from models.rubric.metarubric import (
    ITEM_TYPES,
    TIERS,
    Element,
    Item,
    MetaInsight,
    Process,
    Relationship,
    SimpleKnowledge,
    Step,
    StrictList,
    insights,
    pool,
)


def tr(text: str) -> str:
    """Translate in the context "RubricPanel"."""
    return QCoreApplication.translate("RubricPanel", text)


class Doer(Protocol):
    """What the panel does for the actions."""

    def add_item(self, item_type: str) -> None: ...
    def add_element(self) -> None: ...
    def add_insight(self) -> None: ...
    def edit_text(self) -> None: ...
    def shift_tier(self, steps: int) -> None: ...
    def toggle_required(self) -> None: ...
    def move_row(self, rows: int) -> None: ...
    def delete(self) -> None: ...


class RubricActions:
    """All of them, in the order of the menu."""

    def __init__(self, tree: QTreeView, doer: Doer) -> None:
        def make(name: str, text: str, slot: Callable[[], object], *keys: str, checkable: bool = False) -> QAction:
            return tree_action(tree, f"rubric.{name}", text, slot, *keys, checkable=checkable)

        self._tree = tree
        self.add = make("add", tr("&Add\N{HORIZONTAL ELLIPSIS}"), self.choose_type, "Ctrl+Shift+N")
        self.menu = QMenu(tr("Add"), tree)
        self.types = []
        for item_type, (text, tip) in _types().items():
            one = make(f"add_{item_type}", text, partial(doer.add_item, item_type))
            one.setToolTip(tip)
            one.setStatusTip(tip)
            self.types.append(one)
        self.menu.setToolTipsVisible(True)
        self.add_element = make("add_element", tr("Add &element"), doer.add_element, "Ins", "Ctrl+Shift+E")
        self.add_insight = make("add_insight", tr("Add &meta-insight"), doer.add_insight, "Ctrl+Shift+I")
        self.menu.addActions(self.types)
        self.menu.addSeparator()
        self.menu.addActions([self.add_element, self.add_insight])
        self.edit = make("edit", tr("&Edit text"), doer.edit_text, "Return", "Enter", "F2")
        self.tier_up = make("tier_up", tr("Raise &tier"), lambda: doer.shift_tier(-1), "Ctrl+Shift+Up")
        self.tier_down = make("tier_down", tr("Lo&wer tier"), lambda: doer.shift_tier(1), "Ctrl+Shift+Down")
        self.required = make("required", tr("Re&quired step"), doer.toggle_required, "Ctrl+R", checkable=True)
        self.move_up = make("move_up", tr("Move &up"), lambda: doer.move_row(-1), "Alt+Up")
        self.move_down = make("move_down", tr("Move &down"), lambda: doer.move_row(1), "Alt+Down")
        self.delete = make("delete", tr("Delete"), doer.delete, "Del")

    def all(self) -> list[QAction]:
        """Every action, in the order of the menu, the types of items after "Add"."""
        rest = [self.add_element, self.add_insight, self.edit, self.tier_up, self.tier_down, self.required]
        return [self.add, *self.types, *rest, self.move_up, self.move_down, self.delete]

    def choose_type(self) -> None:
        """Ask for the type of a new item, beside the row that is chosen."""
        rect = self._tree.visualRect(self._tree.currentIndex())
        corner = rect.bottomLeft() if rect.isValid() else QPoint(0, 0)
        self.menu.setActiveAction(self.menu.actions()[0])
        self.menu.popup(self._tree.viewport().mapToGlobal(corner))

    def context_menu(self) -> QMenu:
        """What can be done with the row that is chosen."""
        menu = QMenu(self._tree)
        menu.addMenu(self.menu)
        menu.addSeparator()
        menu.addActions([self.edit, self.tier_up, self.tier_down])
        if self.required.isEnabled():
            menu.addAction(self.required)
        menu.addSeparator()
        menu.addActions([self.move_up, self.move_down])
        menu.addSeparator()
        menu.addAction(self.delete)
        return menu

    def suit(self, item: Item | None, element: Element | None, place: int, places: int) -> None:
        """Enable what fits the chosen row, the `place`-th of its `places` siblings."""
        tier = element.tier if isinstance(element, MetaInsight) else item.tier if item and element is None else None
        has_elements = item is not None and not isinstance(item, SimpleKnowledge)
        self.add_element.setEnabled(has_elements)
        self.add_element.setText(_add_text(item))
        self.add_insight.setEnabled(has_elements and not isinstance(item, Relationship))
        self.tier_up.setEnabled(tier is not None and tier is not TIERS[0])
        self.tier_down.setEnabled(tier is not None and tier is not TIERS[-1])
        self.required.setEnabled(isinstance(element, Step))
        self.required.setChecked(isinstance(element, Step) and element.required)
        self.move_up.setEnabled(item is not None and place > 0)
        self.move_down.setEnabled(item is not None and place < places - 1)
        self.edit.setEnabled(item is not None)
        self.delete.setEnabled(item is not None)


def siblings(item: Item, element: Element) -> tuple[Element, ...]:
    """The elements that an element can change places with."""
    return insights(item) if isinstance(element, MetaInsight) else pool(item)


def _add_text(item: Item | None) -> str:
    if isinstance(item, StrictList):
        return tr("Add list &entry")
    if isinstance(item, Process):
        return tr("Add st&ep")
    return tr("Add asp&ect") if isinstance(item, Relationship) else tr("Add &option")


def _types() -> dict[str, tuple[str, str]]:
    texts = {
        "simple_knowledge": (tr("&Fact"), tr("One sentence that must be true of the answer.")),
        "strict_list": (tr("&Strict list"), tr("Every entry belongs in a complete answer.")),
        "flexible_list": (tr("Fle&xible list"), tr("A number of the options is enough.")),
        "process": (tr("&Process"), tr("Steps whose order matters.")),
        "relationship": (tr("Relations&hip"), tr("How the subject hangs together with something else.")),
    }
    return {name: texts[name] for name in ITEM_TYPES}
