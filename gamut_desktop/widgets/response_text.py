"""A response as read-only plain text, with matched words and quoted spans marked.

Spans are offsets of the Python string. Nothing in the text is obeyed: no markup, no links, nothing fetched. A very long
text is shown in part at first, and the rest, on request, in pieces between which the window stays alive.
"""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QResizeEvent, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QTextEdit, QVBoxLayout, QWidget

from gamut_desktop.theme import ThemeController
from gamut_desktop.widgets.labels import Label
from gamut_desktop.widgets.text_offsets import TextMap, begins_right_to_left, displayable, overlong_breaks

Span = tuple[int, int]

AT_FIRST = 40_000  # characters shown at once, about 6,500 words
PIECE = 10_000  # characters added between two turns of the event loop
LONGEST_LINE = 4_000


class _Editor(QPlainTextEdit):
    moved = Signal()  # other text has come into view

    def __init__(self, owner: "ResponseText") -> None:
        super().__init__()
        self._owner = owner
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.verticalScrollBar().valueChanged.connect(self.moved)

    def align(self, *, right: bool) -> None:
        """Lines begin at the right, or at the left."""
        option = self.document().defaultTextOption()
        option.setAlignment(Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)
        self.document().setDefaultTextOption(option)

    def createMimeDataFromSelection(self) -> QMimeData:
        """The selected part of the text itself, without our display's own breaks."""
        data = QMimeData()
        span = self._owner.selected_span()
        data.setText(displayable(self._owner.text()[span[0] : span[1]]) if span else "")
        return data

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.moved.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.moved.emit()

    def visible_positions(self) -> tuple[int, int]:
        """The first and the last position in view."""
        corner = self.viewport().rect().bottomRight()
        return self.cursorForPosition(QPoint(0, 0)).position(), self.cursorForPosition(corner).position()


class ResponseText(QWidget):
    """The text and, while it is shown in part, a line that says so with a button."""

    selection_changed = Signal()
    all_shown = Signal()

    def __init__(self, themes: ThemeController, parent: QWidget | None = None) -> None:
        """Empty until `set_text`."""
        super().__init__(parent)
        self._themes = themes
        self._text = ""
        self._map = TextMap()
        self._shown = 0
        self._words: list[Span] = []
        self._evidence: list[Span] = []
        self._jump: int | None = None
        self.editor = _Editor(self)
        self.editor.setAccessibleName(self.tr("Response"))
        self.editor.setPlaceholderText(self.tr("This response is empty."))
        self.editor.selectionChanged.connect(self.selection_changed)
        self.editor.moved.connect(self._mark)
        self.setFocusProxy(self.editor)
        self._partly = Label("", "small", muted=True)
        self.show_all_button = QPushButton(self.tr("Show all"))
        self.show_all_button.clicked.connect(self.show_all)
        self._more = QTimer(self)
        self._more.setInterval(0)
        self._more.timeout.connect(self._add_piece)
        self._bar = QWidget()
        bar = QHBoxLayout(self._bar)
        bar.setContentsMargins(12, 4, 12, 4)
        bar.addWidget(self._partly, 1)
        bar.addWidget(self.show_all_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.editor, 1)
        column.addWidget(self._bar)
        themes.changed.connect(self._mark)
        self._tell()

    def text(self) -> str:
        """The whole text, shown or not."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show another text from its beginning, without marks."""
        self._more.stop()
        self._text, self._map, self._shown, self._jump = text, TextMap(), 0, None
        self.highlight()
        self.editor.align(right=begins_right_to_left(text))
        self.editor.setPlainText(self._next_piece(AT_FIRST))
        self._tell()

    def highlight(self, words: Iterable[Span] = (), evidence: Iterable[Span] = ()) -> None:
        """Mark matched words and quoted spans, (start, end) each; what was marked before is not."""
        self._words, self._evidence = sorted(words), sorted(evidence)
        self._mark()

    def jump_to_first(self) -> None:
        """Bring the first quoted span into view, else the first matched word, if there is one."""
        spans = self._evidence or self._words
        if spans:
            self.jump_to(spans[0][0])

    def jump_to(self, offset: int) -> None:
        """Bring a character into view; if it is not shown yet, as soon as it is."""
        if offset > self._shown:
            self._jump = min(offset, len(self._text))
            self.show_all()
            return
        cursor = QTextCursor(self.editor.document())
        cursor.setPosition(self._map.to_document(offset))
        self.editor.setTextCursor(cursor)
        self.editor.centerCursor()

    def selected_span(self) -> Span | None:
        """What is selected, as offsets of the text; None if nothing is."""
        cursor = self.editor.textCursor()
        if not cursor.hasSelection():
            return None
        return self._map.to_text(cursor.selectionStart()), self._map.to_text(cursor.selectionEnd())

    def show_all(self) -> None:
        """Add the rest of the text, piece by piece."""
        if self._shown < len(self._text):
            self._more.start()
            self._tell()

    def _add_piece(self) -> None:
        cursor = QTextCursor(self.editor.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(self._next_piece(PIECE))
        if self._jump is not None and self._jump <= self._shown:
            target, self._jump = self._jump, None
            self.jump_to(target)
        if self._shown == len(self._text):
            self._more.stop()
            self._mark()
            self._tell()
            self.all_shown.emit()

    def _next_piece(self, size: int) -> str:
        start, end = self._shown, self._end_of_piece(self._shown, size)
        breaks = overlong_breaks(self._text, start, end, LONGEST_LINE)
        self._map.add(self._text[start:end], breaks)
        self._shown = end
        cuts = [start, *breaks, end]
        return "\n".join(displayable(self._text[a:b]) for a, b in pairwise(cuts))

    def _end_of_piece(self, start: int, size: int) -> int:
        end = start + size
        if end >= len(self._text):
            return len(self._text)
        space = self._text.rfind(" ", start + size // 2, end)
        end = space + 1 if space >= 0 else end
        return end + 1 if self._text[end - 1 : end + 1] == "\r\n" else end

    def _mark(self) -> None:
        """Only what is in view is marked: Qt moves every mark's cursor at every insertion."""
        if not (self._words or self._evidence):
            self.editor.setExtraSelections([])
            return
        first, last = (self._map.to_text(position) for position in self.editor.visible_positions())
        theme = self._themes.active
        single, dashed = QTextCharFormat.UnderlineStyle.SingleUnderline, QTextCharFormat.UnderlineStyle.DashUnderline
        evidence = _look(theme.evidence_ground, theme.evidence_line, dashed)
        words = _look(theme.matched_ground, theme.matched_line, single)
        self.editor.setExtraSelections(
            [
                *(self._selection(span, evidence) for span in _overlapping(self._evidence, first, last)),
                *(self._selection(span, words) for span in _overlapping(self._words, first, last)),
            ]
        )

    def _selection(self, span: Span, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.format = look
        cursor = QTextCursor(self.editor.document())
        cursor.setPosition(self._map.to_document(span[0]))
        cursor.setPosition(self._map.to_document(min(span[1], self._shown)), QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        return selection

    def _tell(self) -> None:
        partly = self._shown < len(self._text)
        self._bar.setVisible(partly)
        self.show_all_button.setEnabled(not self._more.isActive())
        if not partly:
            return
        locale = self.locale()
        shown, everything = (locale.toString(n) for n in (self._shown, len(self._text)))
        adding = self.tr("Adding the rest of {all} characters.").format(all=everything)
        first = self.tr("The first {shown} of {all} characters.").format(shown=shown, all=everything)
        self._partly.setText(adding if self._more.isActive() else first)


def _look(ground: QColor, line: QColor, style: QTextCharFormat.UnderlineStyle) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setBackground(ground)
    look.setUnderlineStyle(style)
    look.setUnderlineColor(line)
    return look


def _overlapping(spans: list[Span], first: int, last: int) -> list[Span]:
    """Those of the sorted spans that begin at or before `last` and end after `first`."""
    return [span for span in spans[: bisect_left(spans, (last + 1, 0))] if span[1] > first]
