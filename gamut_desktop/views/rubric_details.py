"""The fields of the row that is chosen in the rubric tree: text, tier, numbers, sources. Only those that it has.

Every field writes to the editor as it is changed and follows it when something else changes; typing is one undo step
until the field is left.
"""

import re
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QRegularExpression, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QRegularExpressionValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from gamut_desktop.editor import RubricEditor
from gamut_desktop.qmodels.rubric_words import type_name
from gamut_desktop.views.panel_parts import LeaveUndoToTheStack
from gamut_desktop.widgets.words import tier_name
from models.rubric.change import Change, ElementChanged, ItemChanged
from models.rubric.compile import default_coverage
from models.rubric.edit import MAIN_FIELD, TextField, clean
from models.rubric.metarubric import (
    TIERS,
    Element,
    FlexibleList,
    Item,
    MetaInsight,
    Relationship,
    SimpleKnowledge,
    Step,
    elements,
)
from models.rubric.problems import is_long
from models.rubric.profile import GAMUT_1, PROFILES

_MOST = 999


class RubricDetails(QWidget):
    """left: Enter or Esc in a text field; the focus should go back to the tree."""

    left = Signal()

    def __init__(self, editor: RubricEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._item: str | None = None
        self._element: str | None = None
        self._undo_keys = LeaveUndoToTheStack(self)
        self._make_fields()
        self._lay_out()
        editor.question_changed.connect(self._follow)
        editor.loaded.connect(lambda: self.show_node(None, None))
        self._refresh()

    def show_node(self, item: str | None, element: str | None) -> None:
        """Show the fields of that row; (None, None) for none."""
        self._item, self._element = item, element
        self._refresh()

    def edit_text(self) -> None:
        """Put the focus into the row's main text, all of it selected."""
        field = self.subject if self.subject.isVisibleTo(self) else self.text
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        field.selectAll()

    # The fields ------------------------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        self.text = QPlainTextEdit()
        self.text.setProperty("field", True)
        self.text.setTabChangesFocus(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * 2 + 20)
        self.text.textChanged.connect(lambda: self._type(None, self.text.toPlainText()))
        self.subject = self._line(self.tr("Subject"), "subject")
        self.related = self._line(self.tr("Related"), "related")
        self.tier = QComboBox()
        self.tier.setAccessibleName(self.tr("Tier"))
        for tier in TIERS:
            self.tier.addItem(tier_name(tier), tier)
        self.tier.activated.connect(self._set_tier)
        self.required = QCheckBox(self.tr("Required step"))
        self.required.setToolTip(self.tr("An optional step earns extra credit, one tier lower."))
        self.required.clicked.connect(self._set_required)
        self.identifies = QCheckBox(self.tr("Names the subject"))
        self.identifies.setToolTip(
            self.tr("A text-only question gives this fact away, so its checklist leaves it out.")
        )
        self.identifies.clicked.connect(self._set_identifies)
        self.at_least = self._count(self.tr("At least"), 1)
        self.at_least_too = self._count(self.tr("Second baseline"), 0)
        self.at_least_too.setSpecialValueText("\N{EN DASH}")
        self.coverage = QLineEdit()
        self.coverage.setAccessibleName(self.tr("Coverage"))
        self.coverage.setToolTip(
            self.tr("Numbers of options that earn extra credit; empty for the numbers of the rule.")
        )
        self.coverage.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]{0,3}([, ]+[0-9]{0,3})*")))
        self.coverage.editingFinished.connect(self._set_coverage)
        self.sources = QPushButton()
        self.sources.setMenu(QMenu(self.sources))
        for field in (self.text, self.subject, self.related, self.coverage):
            field.installEventFilter(self._undo_keys)
            field.installEventFilter(self)

    def _line(self, name: str, field: TextField) -> QLineEdit:
        line = QLineEdit()
        line.setAccessibleName(name)
        line.textEdited.connect(lambda text: self._type(field, text))
        return line

    def _count(self, name: str, least: int) -> QSpinBox:
        box = QSpinBox()
        box.setAccessibleName(name)
        box.setRange(least, _MOST)
        box.setKeyboardTracking(False)
        box.valueChanged.connect(self._set_at_least)
        return box

    def _lay_out(self) -> None:
        self.text_label = QLabel()
        self.text_label.setBuddy(self.text)
        self._tier_row = _side_by_side(self.tier, self.required, self.identifies)
        and_also = QLabel(self.tr("and"))
        and_also.setBuddy(self.at_least_too)
        self._counts = _side_by_side(self.at_least, and_also, self.at_least_too)
        form = QFormLayout(self)
        form.setContentsMargins(8, 8, 8, 8)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignTop)
        form.addRow(self.text_label, self.text)
        form.addRow(self.tr("Su&bject"), self.subject)
        form.addRow(self.tr("&Related"), self.related)
        form.addRow(self.tr("&Tier"), self._tier_row)
        form.addRow(self.tr("At &least"), self._counts)
        form.addRow(self.tr("&Coverage"), self.coverage)
        form.addRow(self.tr("So&urces"), _side_by_side(self.sources))
        self._form = form
        self._order()

    def _order(self) -> None:
        chain = [self.text, self.subject, self.related, self.tier, self.required, self.identifies]
        chain += [self.at_least, self.at_least_too, self.coverage, self.sources]
        for first, then in pairwise(chain):
            QWidget.setTabOrder(first, then)

    # From the editor -------------------------------------------------------------------------------------------------

    def _found(self) -> tuple[Item, Element | None] | None:
        question = self._editor.question
        item = next((i for i in question.rubric if i.id == self._item), None) if question else None
        if item is None:
            return None
        if self._element is None:
            return item, None
        element = next((e for e in elements(item) if e.id == self._element), None)
        return (item, element) if element else None

    def _follow(self, change: Change) -> None:
        if isinstance(change, ItemChanged) and change.item == self._item:
            self._item = change.becomes
        if isinstance(change, ElementChanged) and (change.item, change.element) == (self._item, self._element):
            self._element = change.becomes
        self._refresh()

    def _refresh(self) -> None:
        found = self._found()
        self.setEnabled(found is not None)
        self.setVisible(found is not None)
        if found is None:
            return
        item, element = found
        self._show_texts(item, element)
        self._show_tier(item, element)
        self._show_counts(item, element)
        self._show_sources(element.cites if element else item.cites)

    def _show_texts(self, item: Item, element: Element | None) -> None:
        pair = isinstance(item, Relationship) and element is None
        self._form.setRowVisible(self.text, not pair)
        self._form.setRowVisible(self.subject, pair)
        self._form.setRowVisible(self.related, pair)
        if isinstance(item, Relationship) and element is None:
            _put(self.subject, item.subject)
            _put(self.related, item.related)
            return
        text = element.text if element else getattr(item, MAIN_FIELD[item.type])
        named = element is None and not isinstance(item, SimpleKnowledge)
        self.text_label.setText(self.tr("Name") if named else type_name(item, element))
        self.text.setAccessibleName(self.text_label.text())
        if clean(self.text.toPlainText()) != text:
            with QSignalBlocker(self.text):
                self.text.setPlainText(text)

    def _show_tier(self, item: Item, element: Element | None) -> None:
        tier = element.tier if isinstance(element, MetaInsight) else item.tier if element is None else None
        is_step, is_fact = isinstance(element, Step), isinstance(item, SimpleKnowledge)
        self._form.setRowVisible(self._tier_row, tier is not None or is_step)
        self.tier.setVisible(tier is not None)
        self.required.setVisible(is_step)
        self.identifies.setVisible(is_fact)
        label = self._form.labelForField(self._tier_row)
        if isinstance(label, QLabel):
            label.setText(self.tr("&Tier") if tier is not None else "")
            label.setBuddy(self.tier if tier is not None else self.required)
        if tier is not None:
            self.tier.setCurrentIndex(TIERS.index(tier))
        self.required.setChecked(isinstance(element, Step) and element.required)
        self.identifies.setChecked(isinstance(item, SimpleKnowledge) and item.identifies_subject)

    def _show_counts(self, item: Item, element: Element | None) -> None:
        is_list = isinstance(item, FlexibleList) and element is None
        self._form.setRowVisible(self._counts, is_list)
        self._form.setRowVisible(self.coverage, is_list)
        if not isinstance(item, FlexibleList) or element is not None:
            return
        first, *more = item.at_least or (1,)
        for box, value in ((self.at_least, first), (self.at_least_too, more[0] if more else 0)):
            with QSignalBlocker(box):
                box.setValue(value)
        question = self._editor.question
        profile = PROFILES.get((question.profile if question else None) or GAMUT_1.name, GAMUT_1)
        used = is_long(item, profile) or item.coverage is not None
        self._form.setRowVisible(self.coverage, used)
        by_rule = default_coverage(len(item.options), max(item.at_least, default=0))
        self.coverage.setPlaceholderText(", ".join(map(str, by_rule)))
        _put(self.coverage, ", ".join(map(str, item.coverage or ())))

    def _show_sources(self, cites: tuple[str, ...]) -> None:
        snippets = self._editor.question.snippets if self._editor.question else ()
        unknown = [one for one in cites if one not in {snippet.id for snippet in snippets}]
        menu = self.sources.menu()
        menu.clear()
        for one, title in [(s.id, s.title or s.url or "") for s in snippets] + [(u, "") for u in unknown]:
            action = menu.addAction(f"{one}   {title}".rstrip().replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(one in cites)
            action.setData(one)
            action.triggered.connect(lambda *_: self._set_cites(menu.actions()))
        self.sources.setText(", ".join(cites) if cites else self.tr("None"))
        self.sources.setEnabled(bool(snippets or cites))
        self.sources.setAccessibleName(self.tr("Sources: {ids}").format(ids=self.sources.text()))
        self.sources.setToolTip("" if snippets or cites else self.tr("This question has no sources yet."))

    # To the editor ---------------------------------------------------------------------------------------------------

    def _type(self, field: TextField | None, text: str) -> None:
        if self._item is not None:
            self._editor.set_text(self._item, text, element=self._element, field=field)

    def _set_tier(self, row: int) -> None:
        if self._item is not None:
            self._editor.set_tier(self._item, TIERS[row], element=self._element)

    def _set_required(self, required: bool) -> None:
        if self._item is not None and self._element is not None:
            self._editor.set_required(self._item, self._element, required)

    def _set_identifies(self, identifies: bool) -> None:
        if self._item is not None:
            self._editor.set_identifies_subject(self._item, identifies)

    def _set_at_least(self) -> None:
        if self._item is not None:
            more = (self.at_least_too.value(),) if self.at_least_too.value() else ()
            self._editor.set_at_least(self._item, (self.at_least.value(), *more))

    def _set_coverage(self) -> None:
        found = self._found()
        if found is not None and isinstance(found[0], FlexibleList):
            values = tuple(int(number) for number in re.findall("[0-9]+", self.coverage.text()))
            self._editor.set_coverage(found[0].id, values or None)

    def _set_cites(self, actions: list[QAction]) -> None:
        if self._item is not None:
            chosen = tuple(str(action.data()) for action in actions if action.isChecked())
            self._editor.set_cites(self._item, chosen, element=self._element)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Esc leave a text field; leaving one ends its undo step."""
        if event.type() == QEvent.Type.FocusOut:
            self._editor.end_typing()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and _leaves(event):
            self.left.emit()
            return True
        return super().eventFilter(watched, event)


def _leaves(event: QKeyEvent) -> bool:
    bare = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return bare and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)


def _put(line: QLineEdit, text: str) -> None:
    """Show the text unless it is what was typed, white space aside."""
    if clean(line.text()) != text:
        line.setText(text)
        if not line.hasFocus():
            line.setCursorPosition(0)


def _side_by_side(*fields: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for field in fields:
        layout.addWidget(field)
    layout.addStretch(1)
    row.setFocusProxy(fields[0])
    return row
