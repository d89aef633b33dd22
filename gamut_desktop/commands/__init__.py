"""Undoable edits: one QUndoCommand per edit, and the words that name it in the Edit menu."""
