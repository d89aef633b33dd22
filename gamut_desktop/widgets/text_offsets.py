"""Where a character of a Python string lies in a QTextDocument, and back.

The two count differently: Qt counts UTF-16 units, takes CR LF for one line break, and our display breaks overlong
paragraphs. Spans come from Python code, so every position that crosses into Qt goes through here.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from unicodedata import bidirectional

_TWO_TO_ONE = re.compile("[\U00010000-\U0010ffff]|\r\n")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class TextMap:
    """Translates offsets of a text into document positions and back; the text may be added in pieces."""

    def __init__(self) -> None:
        """Of an empty text."""
        self._length = 0
        self._offsets: list[int] = []  # where the difference between the two counts changes
        self._shifts = [0]  # the difference before the first such place, from there on, ...
        self._positions: list[int] = []

    def add(self, piece: str, breaks: Iterable[int] = ()) -> None:
        """Take in the next piece, which must not split CR LF.

        `breaks`: offsets of the whole text, within the piece, before which the display has a line break of its own.
        """
        start = self._length
        steps = [(start + found.end(), -1 if found.group() == "\r\n" else 1) for found in _TWO_TO_ONE.finditer(piece)]
        for at, shift in sorted([*steps, *((at, 1) for at in breaks)]):
            self._offsets.append(at)
            self._shifts.append(self._shifts[-1] + shift)
            self._positions.append(at + self._shifts[-1])
        self._length += len(piece)

    def to_document(self, offset: int) -> int:
        """The position of the character at `offset`; offsets outside the text are held to its ends."""
        held = max(0, min(offset, self._length))
        return held + self._shifts[bisect_right(self._offsets, held)]

    def to_text(self, position: int) -> int:
        """The offset of the character at a position; within a pair of surrogates, the one after it."""
        offset = position - self._shifts[bisect_right(self._positions, position)]
        return max(0, min(offset, self._length))


def begins_right_to_left(text: str) -> bool:
    """Whether the first letter with a direction of its own, among the first 200 characters, is right-to-left."""
    strong = (bidirectional(one) for one in text[:200])
    return next((one in ("R", "AL") for one in strong if one in ("L", "R", "AL")), False)


def displayable(text: str) -> str:
    """The text as Qt can hold it: CR LF as one break, and a lone surrogate as the replacement character."""
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def overlong_breaks(text: str, start: int, end: int, longest: int) -> list[int]:
    """Offsets in start..end at which to break lines of more than `longest` characters, after a space if there is one.

    Qt lays a paragraph out as a whole, so that one of a million characters would block the window for seconds. A line
    that was broken before `start` counts from there.
    """
    breaks: list[int] = []
    line = max(text.rfind("\n", max(0, start - longest), start) + 1, start - longest, 0)
    while line < end:
        line_end = text.find("\n", line, end)
        line_end = end if line_end < 0 else line_end
        while line_end - line > longest:
            space = text.rfind(" ", line + longest // 2, line + longest)
            line = space + 1 if space >= 0 else line + longest
            if line > start:
                breaks.append(line)
        line = line_end + 1
    return breaks
