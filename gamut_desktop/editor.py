"""The editing desk's core: one question as it stands, its undo stack, and the checklist it compiles into.

Every edit is a method call that pushes one command; models and panels listen to the change and never edit by
themselves. What an edit does is in models/rubric/edit.py, what is stored is the business of the session.
"""

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from gamut_desktop.commands.edit_command import EditCommand
from gamut_desktop.commands.wording import refusal, words
from models.errors import GamutError
from models.rubric import edit, edit_overrides
from models.rubric.change import Change, ElementAdded, ItemAdded, OverrideChanged, apply
from models.rubric.checklist import Check, Checklist, Kind
from models.rubric.compile import compile_question
from models.rubric.metarubric import Override, Question, TextOnly, Tier, label
from models.rubric.overrides import Place
from models.rubric.problems import Problem, rubric_problems
from models.rubric.profile import profile_named
from models.verdicts import Variant


class RubricEditor(QObject):
    """Holds a question, or none.

    question_changed: the models.rubric.change.Change that was just made (or unmade). loaded: another question, or the
    same read anew, took its place. checklist_changed: checklist, problems or refusal are new. refused: an edit was not
    made, and why.
    """

    question_changed = Signal(object)
    loaded = Signal()
    checklist_changed = Signal()
    clean_changed = Signal(bool)
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None, *, author: str | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self.clean_changed)
        self._author = author
        self._question: Question | None = None
        self._variant = Variant.IMAGE
        self._checklist = Checklist(())
        self._raw: dict[Place, Check] = {}
        self._problems: tuple[Problem, ...] = ()
        self._refusal: str | None = None
        self._session = 0

    # What stands -----------------------------------------------------------------------------------------------------

    @property
    def question(self) -> Question | None:
        """The question as it stands, edits included."""
        return self._question

    @property
    def checklist(self) -> Checklist:
        """The checklist of the question as it stands; the last good one while `refusal` says why there is none."""
        return self._checklist

    @property
    def refusal(self) -> str | None:
        """Why the rubric does not compile as it stands, and what to do; None if it does."""
        return self._refusal

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that keeps the rubric from compiling, item by item."""
        return self._problems

    @property
    def variant(self) -> Variant:
        """Which variant of the question is compiled."""
        return self._variant

    @property
    def is_clean(self) -> bool:
        """Whether everything is saved."""
        return self.undo_stack.isClean()

    def can_undo(self) -> bool:
        return self.undo_stack.canUndo()

    def can_redo(self) -> bool:
        return self.undo_stack.canRedo()

    def raw_check(self, check: Check) -> Check | None:
        """The check as the rules give it, without a person's edit; None for one that a person added."""
        return self._raw.get((check.rule, check.origin))

    def load(self, question: Question | None, *, saved: bool = True) -> None:
        """Hold another question (or none) with an empty undo history. `saved`: False for a draft."""
        self._question, self._checklist, self._raw = question, Checklist(()), {}
        self._session += 1
        self.undo_stack.clear()
        if not saved:
            self.undo_stack.resetClean()
        self._compile()
        self.loaded.emit()
        self.checklist_changed.emit()

    def set_variant(self, variant: Variant) -> None:
        """Compile the other variant of the question."""
        if variant is not self._variant:
            self._variant = variant
            self._compile()
            self.checklist_changed.emit()

    def mark_saved(self) -> None:
        """What stands now is stored."""
        self.undo_stack.setClean()

    def undo(self) -> None:
        self.end_typing()
        self.undo_stack.undo()

    def redo(self) -> None:
        self.end_typing()
        self.undo_stack.redo()

    def end_typing(self) -> None:
        """What is typed next is an edit of its own."""
        self._session += 1

    def take_back_new(self) -> bool:
        """Undo the last edit without a trace if it added something that is still as it was added (an inline editor was
        left by Esc); whether it did."""
        index = self.undo_stack.index() - 1
        last = self.undo_stack.command(index) if index >= 0 and not self.can_redo() else None
        if not isinstance(last, EditCommand) or not _is_untouched(last.change):
            return False
        last.leaves_no_trace = True
        self.undo_stack.undo()
        return True

    # Items -----------------------------------------------------------------------------------------------------------

    def add_item(self, item_type: str, index: int | None = None, *, tier: Tier = Tier.VALUABLE) -> str | None:
        """A blank item; its id. Its first text, if typed next, is part of the same undo step."""
        self.end_typing()
        change = self.make(lambda q: edit.add_item(q, item_type, index, tier=tier), typing=True)
        return change.item.id if isinstance(change, ItemAdded) else None

    def remove_item(self, item: str) -> bool:
        return self._did(lambda q: edit.remove_item(q, item))

    def move_item(self, item: str, to: int) -> bool:
        return self._did(lambda q: edit.move_item(q, item, to))

    def set_text(
        self, item: str, text: str, *, element: str | None = None, field: edit.TextField | None = None
    ) -> bool:
        """Type into an item (None: its main text, else fact, name, subject or related) or into one of its elements.

        Calls for one field merge into one undo step until `end_typing`.
        """
        if element is not None:
            return self._did(lambda q: edit.set_element_text(q, item, element, text), typing=True)
        return self._did(lambda q: edit.set_item_text(q, item, text, field), typing=True)

    def set_tier(self, item: str, tier: Tier, *, element: str | None = None) -> bool:
        """Of an item, or of a meta-insight."""
        if element is not None:
            return self._did(lambda q: edit.set_insight_tier(q, item, element, tier))
        return self._did(lambda q: edit.set_item_tier(q, item, tier))

    def set_cites(self, item: str, cites: tuple[str, ...], *, element: str | None = None) -> bool:
        if element is not None:
            return self._did(lambda q: edit.set_element_cites(q, item, element, cites))
        return self._did(lambda q: edit.set_item_cites(q, item, cites))

    def set_identifies_subject(self, item: str, identifies: bool) -> bool:
        return self._did(lambda q: edit.set_identifies_subject(q, item, identifies))

    def set_at_least(self, item: str, at_least: tuple[int, ...]) -> bool:
        return self._did(lambda q: edit.set_at_least(q, item, at_least))

    def set_coverage(self, item: str, coverage: tuple[int, ...] | None) -> bool:
        return self._did(lambda q: edit.set_coverage(q, item, coverage))

    # Elements --------------------------------------------------------------------------------------------------------

    def add_element(self, item: str, text: str = "", index: int | None = None) -> str | None:
        """An option, list item, step or aspect; its id."""
        self.end_typing()
        change = self.make(lambda q: edit.add_element(q, item, text, index), typing=True)
        return change.element.id if isinstance(change, ElementAdded) else None

    def add_insight(
        self, item: str, text: str = "", index: int | None = None, *, tier: Tier = Tier.VALUABLE
    ) -> str | None:
        """A meta-insight; its id."""
        self.end_typing()
        change = self.make(lambda q: edit.add_insight(q, item, text, index, tier=tier), typing=True)
        return change.element.id if isinstance(change, ElementAdded) else None

    def remove_element(self, item: str, element: str) -> bool:
        return self._did(lambda q: edit.remove_element(q, item, element))

    def move_element(self, item: str, element: str, to: int) -> bool:
        return self._did(lambda q: edit.move_element(q, item, element, to))

    def set_required(self, item: str, step: str, required: bool) -> bool:
        return self._did(lambda q: edit.set_required(q, item, step, required))

    # The question itself ---------------------------------------------------------------------------------------------

    def set_question_text(self, text: str) -> bool:
        return self._did(lambda q: edit.set_question_text(q, text), typing=True)

    def set_text_only(self, text_only: TextOnly | None) -> bool:
        return self._did(lambda q: edit.set_text_only(q, text_only), typing=True)

    def set_field(self, field: Literal["entity", "domain", "topic", "reason"], text: str | None) -> bool:
        return self._did(lambda q: edit.set_field(q, field, text), typing=True)

    def set_status(self, status: Literal["active", "dropped"]) -> bool:
        return self._did(lambda q: edit.set_status(q, status))

    # Edits of the checklist ------------------------------------------------------------------------------------------

    def reword_check(self, check: Check, text: str) -> bool:
        if check.rule == "override.added":
            return self._did(lambda q: edit_overrides.change_added(q, check.origin.item, text=text), typing=True)
        return self._did_to(check, lambda q, raw: edit_overrides.reword(q, raw, text, by=self._author))

    def retier_check(self, check: Check, tier: Tier) -> bool:
        if check.rule == "override.added":
            return self._did(lambda q: edit_overrides.change_added(q, check.origin.item, tier=tier))
        return self._did_to(check, lambda q, raw: edit_overrides.retier(q, raw, tier, by=self._author))

    def drop_check(self, check: Check) -> bool:
        """Drop a compiled check; one that a person added is removed."""
        if check.rule == "override.added":
            return self.reset_check(check)
        return self._did_to(check, lambda q, raw: edit_overrides.drop(q, raw, by=self._author))

    def bring_back_check(self, check: Check) -> bool:
        return self._did_to(check, edit_overrides.bring_back)

    def add_check(self, text: str, tier: Tier = Tier.VALUABLE, kind: Kind = Kind.PRESENCE) -> str | None:
        """A check that no item gives; its id."""
        self.end_typing()
        made = self.make(lambda q: edit_overrides.add_check(q, text, tier, kind=kind, by=self._author), typing=True)
        return made.new.id if isinstance(made, OverrideChanged) and made.new else None

    def reset_check(self, check: Check) -> bool:
        """Take a person's edit of that check back."""
        behind = edit_overrides.override_behind(self._question, check) if self._question else None
        return behind is not None and self.remove_override(behind)

    def remove_override(self, override: Override) -> bool:
        """Also for an override whose origin is gone."""
        return self._did(lambda q: edit_overrides.remove_override(q, override))

    # Inside ----------------------------------------------------------------------------------------------------------

    def _did(self, make: Callable[[Question], edit.Edited], *, typing: bool = False) -> bool:
        return self.make(make, typing=typing) is not None

    def _did_to(self, check: Check, make: Callable[[Question, Check], edit.Edited]) -> bool:
        raw = self.raw_check(check)
        if raw is None or self._problems:
            self.refused.emit(self._refusal or self.tr("This check is no longer in the checklist."))
            return False
        return self._did(lambda q: make(q, raw))

    def make(self, make: Callable[[Question], edit.Edited], *, typing: bool = False) -> Change | None:
        """Push an edit of models/rubric/edit.py; the change, or None if nothing changed or it was refused."""
        if self._question is None:
            return None
        if not typing:
            self.end_typing()
        try:
            _, change = make(self._question)
        except GamutError as error:
            self.refused.emit(str(error))
            return None
        if change is not None:
            session = self._session if typing else None
            self.undo_stack.push(EditCommand(change, self._apply, self._words, session))
        return change

    def _words(self, change: Change) -> str:
        assert self._question is not None
        return words(self._question, change)

    def _apply(self, change: Change) -> None:
        assert self._question is not None
        self._question = apply(self._question, change)
        before = (self._checklist, self._problems, self._refusal)
        self._compile()
        self.question_changed.emit(change)
        if before != (self._checklist, self._problems, self._refusal):
            self.checklist_changed.emit()

    def _compile(self) -> None:
        """Compile anew; on a refusal the last good checklist stays."""
        self._problems, self._refusal = (), None
        question = self._question
        if question is None:
            return
        try:
            self._problems = tuple(rubric_problems(question.rubric, profile_named(question.profile)))
            if self._problems:
                self._refusal = refusal(question, self._problems)
                return
            raw = compile_question(question, self._variant, raw=True)
            self._raw = {(check.rule, check.origin): check for check in raw.checks}
            self._checklist = self._checklist if self._checklist.checks else raw
            self._checklist = compile_question(question, self._variant)
        except GamutError as error:
            self._refusal = str(error)


def _is_untouched(change: Change) -> bool:
    """Whether the change added something that has no text of its own yet."""
    match change:
        case ItemAdded(_, item):
            return not label(item).strip(" -")
        case ElementAdded(_, _, _, element):
            return not element.text
        case OverrideChanged(_, None, new):
            return new is not None and new.action == "add"
    return False
