"""The actions of the checklist panel: names, texts, keys. What they do is the panel's; which are possible is told here.

Object names begin with "checklist."; the window takes the actions into its menus, the palette and the sheet of keys.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QTreeView

from gamut_desktop.views.panel_parts import tree_action
from gamut_desktop.widgets.words import verdict_name
from models.rubric.checklist import Check
from models.rubric.metarubric import TIERS
from models.verdicts import Verdict


def tr(text: str) -> str:
    """Translate in the context "ChecklistPanel"."""
    return QCoreApplication.translate("ChecklistPanel", text)


class Doer(Protocol):
    """What the panel does for the actions."""

    def reword(self) -> None: ...
    def shift_tier(self, steps: int) -> None: ...
    def drop(self) -> None: ...
    def bring_back(self) -> None: ...
    def remove_override(self) -> None: ...
    def add_check(self) -> None: ...
    def give_verdict(self, verdict: Verdict | None) -> None: ...
    def ask_why(self) -> None: ...


class ChecklistActions:
    """All of them, in the order of the menu. `takes_verdicts`: whether a response is chosen that can be judged."""

    def __init__(self, tree: QTreeView, doer: Doer) -> None:
        def make(name: str, text: str, slot: Callable[[], object], *keys: str) -> QAction:
            return tree_action(tree, f"checklist.{name}", text, slot, *keys)

        self._tree = tree
        self.takes_verdicts = False
        self.reword = make("reword", tr("Re&word"), doer.reword, "Return", "Enter", "F2")
        self.tier_up = make("tier_up", tr("&Raise tier"), lambda: doer.shift_tier(-1), "Ctrl+Shift+Up")
        self.tier_down = make("tier_down", tr("&Lower tier"), lambda: doer.shift_tier(1), "Ctrl+Shift+Down")
        self.drop = make("drop", tr("&Drop"), doer.drop, "Del")
        self.bring_back = make("bring_back", tr("&Bring back"), doer.bring_back, "Ctrl+B")
        self.add = make("add", tr("&Add a check"), doer.add_check, "Ins", "Ctrl+Shift+A")
        self.reset = make("remove_override", tr("Remove &edit"), doer.remove_override, "Ctrl+Backspace")
        self.verdicts = [
            make(
                f"verdict_{verdict.value}",
                verdict_name(verdict).capitalize(),
                partial(doer.give_verdict, verdict),
                str(n),
            )
            for n, verdict in enumerate(Verdict, start=1)
        ]
        self.withdraw = make("verdict_withdraw", tr("The &judge's own verdict"), partial(doer.give_verdict, None), "0")
        self.why = make("why", tr("Ask the judge wh&y"), doer.ask_why, "W")

    def all(self) -> list[QAction]:
        """Every action, in the order of the menu."""
        edits = [self.reword, self.tier_up, self.tier_down, self.drop, self.bring_back, self.reset, self.add]
        return [*edits, *self.verdicts, self.withdraw, self.why]

    def context_menu(self) -> QMenu:
        """What can be done with the row that is chosen."""
        menu = QMenu(self._tree)
        if self.withdraw.isEnabled():
            menu.addActions([*self.verdicts, self.withdraw, self.why])
            menu.addSeparator()
        menu.addActions([self.reword, self.tier_up, self.tier_down])
        menu.addAction(self.bring_back if self.bring_back.isEnabled() else self.drop)
        menu.addAction(self.reset)
        menu.addSeparator()
        menu.addAction(self.add)
        return menu

    def suit(self, check: Check | None, dropped: bool, lost: bool, has_question: bool) -> None:
        """Enable what fits the chosen row. `lost`: it is an edit without a check."""
        live = check is not None and not dropped
        self.reword.setEnabled(live)
        self.tier_up.setEnabled(live and check is not None and check.tier is not TIERS[0])
        self.tier_down.setEnabled(live and check is not None and check.tier is not TIERS[-1])
        self.drop.setEnabled(live or lost)
        added = check is not None and check.rule == "override.added"
        self.drop.setText(tr("&Delete") if added or lost else tr("&Drop"))
        self.bring_back.setEnabled(dropped)
        self.reset.setEnabled(lost or (check is not None and check.override is not None))
        self.add.setEnabled(has_question)
        for action in (*self.verdicts, self.withdraw, self.why):
            action.setEnabled(live and self.takes_verdicts)
