"""One edit on the undo stack: it holds the change alone and hands it, or its inverse, to whoever keeps the question.

Typing in one field is one command: commands of the same typing session merge, everything else stays apart.
"""

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from models.rubric.change import Change, changes_nothing, inverse, merged

_TYPING = 1


class EditCommand(QUndoCommand):
    """`session`: the number of the typing session it belongs to, None for an edit that never merges.

    `words` names a change for people; it is asked again after a merge.
    """

    def __init__(
        self,
        change: Change,
        apply: Callable[[Change], None],
        words: Callable[[Change], str],
        session: int | None = None,
    ) -> None:
        super().__init__(words(change))
        self.change = change
        self.session = session
        self.leaves_no_trace = False  # whether it goes from the stack once it is undone
        self._apply = apply
        self._words = words

    def redo(self) -> None:
        self._apply(self.change)

    def undo(self) -> None:
        self._apply(inverse(self.change))
        self.setObsolete(self.leaves_no_trace)

    def id(self) -> int:
        return -1 if self.session is None else _TYPING

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take the other one in if both belong to one typing session and change the same field."""
        if not isinstance(other, EditCommand) or other.session != self.session:
            return False
        both = merged(self.change, other.change)
        if both is None:
            return False
        self.change = both
        self.setText(self._words(both))
        self.setObsolete(changes_nothing(both))
        return True
