"""The open question's checklist in each variant: the editor's own for the one it shows, the other compiled once."""

from gamut_desktop.editor import RubricEditor
from models.errors import GamutError
from models.rubric.checklist import Checklist
from models.rubric.compile import compile_question
from models.rubric.metarubric import Question
from models.verdicts import Variant


class Checklists:
    """Asked for by variant; `clear` when the question has changed."""

    def __init__(self, editor: RubricEditor) -> None:
        self._editor = editor
        self._compiled: dict[Variant, Checklist | None] = {}

    def clear(self) -> None:
        """Forget what was compiled."""
        self._compiled.clear()

    def of(self, question: Question, variant: Variant) -> Checklist | None:
        """None where the question does not compile in that variant."""
        if variant is self._editor.variant:
            return self._editor.checklist
        if variant not in self._compiled:
            try:
                self._compiled[variant] = compile_question(question, variant)
            except GamutError:
                self._compiled[variant] = None
        return self._compiled[variant]
