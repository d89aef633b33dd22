"""The checklist's panel: the checks by tier, why each exists, and what a person can do with the compiled list.

What is done with a check goes to the editor as an override; a person's verdict goes out as a signal. While the rubric
does not compile, the last good list stays and one sentence above it says why.
"""

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.editor import RubricEditor
from gamut_desktop.qmodels.checklist_model import Card, ChecklistModel
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.views.checklist_actions import ChecklistActions
from gamut_desktop.views.panel_parts import prepared
from gamut_desktop.widgets.icons import icon
from gamut_desktop.widgets.labels import Label
from models.rubric.checklist import Check
from models.rubric.metarubric import TIERS, Origin, Tier, label
from models.verdicts import Verdict


class ChecklistPanel(QWidget):
    """check_selected: the chosen Check, or None. verdict_given: a Check and a person's Verdict, None to withdraw it.
    why_wanted: the judge of the chosen check is to be asked for its reason.
    """

    check_selected = Signal(object)
    verdict_given = Signal(object, object)
    why_wanted = Signal()

    def __init__(
        self,
        editor: RubricEditor,
        *,
        tree: QTreeView | None = None,
        delegate: QAbstractItemDelegate | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._fresh = False  # whether the chosen check was just added and is not worded yet
        self._remembered: tuple[str | None, Check | None] = (None, None)  # question and check, for when it is read anew
        self.model = ChecklistModel(self)
        self.tree = prepared(tree, delegate, self.tr("Checklist"))
        self.tree.setIndentation(12)
        self.tree.setModel(self.model)
        self.row_actions = ChecklistActions(self.tree, self)
        self._lay_out()
        self._connect()
        self._loaded()

    def commands(self) -> list[QAction]:
        """Every action of the panel, for menus, palette and the sheet of keys."""
        return self.row_actions.all()

    # One selection, shown everywhere ---------------------------------------------------------------------------------

    def selected(self) -> Check | None:
        """The chosen check, a dropped one too."""
        return self.model.check_at(self.tree.currentIndex())

    def select(self, check: Check | None) -> None:
        """Choose a check and bring it into view; None chooses nothing."""
        index = self.model.index_of(check) if check else QModelIndex()
        self.tree.setCurrentIndex(index)
        if index.isValid():
            self.tree.scrollTo(index)

    def light(self, checks: list[Check]) -> None:
        """Light these checks and bring the first into view; the chosen row stays."""
        self.model.set_lit(checks)
        rows = [index for check in checks if (index := self.model.index_of(check)).isValid()]
        if rows:
            self.tree.scrollTo(min(rows, key=lambda index: (index.parent().row(), index.row())))

    def set_card(self, card: Card | None) -> None:
        """What counts for each check key by the chosen judge; None while no response is chosen."""
        self.model.set_card(card)
        self.row_actions.takes_verdicts = card is not None
        self._suit()

    def set_second(self, card: Card | None) -> None:
        """The same by the keyword judge."""
        self.model.set_second(card)

    # What the actions do ---------------------------------------------------------------------------------------------

    def reword(self) -> None:
        """Edit the chosen check's text where it stands."""
        index = self.tree.currentIndex()
        if self.model.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self.tree.edit(index)

    def shift_tier(self, steps: int) -> None:
        """Up (-1) or down (1)."""
        check = self.selected()
        if check is not None and 0 <= TIERS.index(check.tier) + steps < len(TIERS):
            self._editor.retier_check(check, TIERS[TIERS.index(check.tier) + steps])

    def drop(self) -> None:
        """Drop the chosen check; one that a person added, and an edit without a check, are removed."""
        index = self.tree.currentIndex()
        orphan, check = self.model.orphan_at(index), self.model.check_at(index)
        if orphan is not None:
            self._editor.remove_override(orphan)
        elif check is not None and not self.model.is_dropped(index):
            self._editor.drop_check(check)

    def bring_back(self) -> None:
        """Take the chosen dropped check in again."""
        check = self.selected()
        if check is not None:
            self._editor.bring_back_check(check)

    def remove_override(self) -> None:
        """Take back whatever a person did to the chosen check."""
        index = self.tree.currentIndex()
        orphan, check = self.model.orphan_at(index), self.model.check_at(index)
        if orphan is not None:
            self._editor.remove_override(orphan)
        elif check is not None:
            self._editor.reset_check(check)

    def add_check(self) -> None:
        """A check that no item gives, in the tier of the chosen row, ready to be worded."""
        tier = self.tree.currentIndex().data(Roles.TIER)
        made = self._editor.add_check(self.tr("New check"), Tier(tier) if tier else Tier.VALUABLE)
        check = next((c for c in self._editor.checklist.checks if c.origin == Origin(made or "")), None)
        if check is None:
            return
        self.select(check)
        self._fresh = True
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reword()

    def give_verdict(self, verdict: Verdict | None) -> None:
        """A person's word on the chosen check; None withdraws it."""
        check = self.selected()
        if check is not None:
            self.verdict_given.emit(check, verdict)

    def ask_why(self) -> None:
        """The judge of the chosen check is to be asked for its reason."""
        self.why_wanted.emit()

    # Inside ----------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.refusal = Label()
        self.refusal.setWordWrap(True)
        self.refusal.setObjectName("checklist.refusal")
        self._sign = Label()
        self._sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._draw_sign()
        self._banner = QWidget()
        banner = QHBoxLayout(self._banner)
        banner.setContentsMargins(8, 8, 8, 8)
        banner.setSpacing(8)
        banner.addWidget(self._sign)
        banner.addWidget(self.refusal, 1)
        self.left_out = Label(style="small", muted=True)
        self.left_out.setWordWrap(True)
        self.left_out.setContentsMargins(8, 4, 8, 4)
        self.empty = Label(self.tr("No checks yet. They come by themselves from the meta-rubric."), muted=True)
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(12, 12, 12, 12)
        self.empty.setBackgroundRole(QPalette.ColorRole.Base)
        self.empty.setAutoFillBackground(True)
        self.why = Label(style="small", muted=True)
        self.why.setWordWrap(True)
        self.why.setContentsMargins(8, 8, 8, 8)
        self.why.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self.why.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.why.setMinimumHeight(self.why.fontMetrics().lineSpacing() * 3 + 16)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.tree)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self._banner, self.left_out, self._pages, self.why):
            column.addWidget(part)
        column.setStretchFactor(self._pages, 1)
        self.setFocusProxy(self.tree)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the sign in the new colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_sign()

    def _draw_sign(self) -> None:
        self._sign.setPixmap(icon("warning").pixmap(QSize(16, 16), self.devicePixelRatioF()))

    def _connect(self) -> None:
        self._editor.loaded.connect(self._loaded)
        self._editor.checklist_changed.connect(self._recompiled)
        self.model.reworded.connect(self._reword_to)
        self.model.rowsInserted.connect(self._rows_inserted)
        self.model.dataChanged.connect(self._suit)
        self.model.rowsMoved.connect(self._suit)
        self.tree.selectionModel().currentChanged.connect(self._current_changed)
        self.tree.customContextMenuRequested.connect(self._context_menu)
        self.tree.itemDelegate().closeEditor.connect(self._editor_closed)

    def _loaded(self) -> None:
        self._fresh = False
        self.model.set_checklist(self._editor.checklist, anew=True)
        self.tree.expandAll()
        self._tell()
        question, check = self._remembered
        if check is not None and self._question_id() == question:
            self.tree.setCurrentIndex(self.model.index_of(check))
        self._current_changed()

    def _recompiled(self) -> None:
        self.model.set_checklist(self._editor.checklist)
        self._tell()
        self._suit()

    def _tell(self) -> None:
        """Why the list is not up to date, what the variant leaves out, and whether there is anything at all."""
        refusal = self._editor.refusal
        self._banner.setVisible(refusal is not None)
        shown = self.model.rowCount() > 0
        stays = self.tr("The checklist is the last one that compiled.")
        self.refusal.setText(f"{refusal} {stays}" if refusal and shown else refusal or "")
        self.left_out.setText(self._left_out())
        self.left_out.setVisible(bool(self.left_out.text()))
        self._pages.setCurrentIndex(1 if shown else 0)

    def _left_out(self) -> str:
        question, left_out = self._editor.question, self._editor.checklist.identifying
        names = [label(item) for item in question.rubric if item.id in left_out] if question else []
        if not names:
            return ""
        return self.tr("Left out, because the text-only question gives it away: {names}").format(names="; ".join(names))

    def _rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        if parent.isValid():
            self.tree.expand(parent)
            return
        for row in range(first, last + 1):
            self.tree.expand(self.model.index(row, 0))

    def _question_id(self) -> str | None:
        return self._editor.question.id if self._editor.question else None

    def _current_changed(self) -> None:
        self._remembered = (self._question_id(), self.selected())
        self._suit()
        self.check_selected.emit(self.selected())

    def _suit(self) -> None:
        index = self.tree.currentIndex()
        check, orphan = self.model.check_at(index), self.model.orphan_at(index)
        self.row_actions.suit(
            check, self.model.is_dropped(index), orphan is not None, self._editor.question is not None
        )
        told = [str(said) for role in (Roles.WHY, Roles.NOTE) if (said := index.data(role))]
        self.why.setText(" ".join(dict.fromkeys(told)) or self.tr("Choose a check to see why it is there."))
        self.why.setVisible(self.model.rowCount() > 0)

    def _reword_to(self, check: Check, text: str) -> None:
        self._editor.reword_check(check, text)
        self._editor.end_typing()

    def _context_menu(self, at: QPoint) -> None:
        menu: QMenu = self.row_actions.context_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.tree.viewport().mapToGlobal(at))

    def _editor_closed(self, _: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """A new check that was left by Esc goes again, once the view is done with its inline editor."""
        fresh, self._fresh = self._fresh, False
        if fresh and hint is QAbstractItemDelegate.EndEditHint.RevertModelCache:
            QTimer.singleShot(0, self, self._editor.take_back_new)
