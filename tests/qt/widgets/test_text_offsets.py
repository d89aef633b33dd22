"""Offsets of a Python string against a real QTextDocument, for any text."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument

from gamut_desktop.widgets.text_offsets import TextMap, displayable, overlong_breaks

texts = st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from("a \r\n🙂𝔊é\u2029")), max_size=60)


def mapped(text: str) -> TextMap:
    found = TextMap()
    found.add(text)
    return found


def between(document: QTextDocument, start: int, end: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


@given(texts, st.data())
@example("a\r\nb🙂c", None)
def test_a_span_of_the_string_selects_the_same_characters_in_the_document(qapp, text, data):
    cuts = [i for i in range(len(text) + 1) if text[i - 1 : i + 1] != "\r\n"]
    start = data.draw(st.sampled_from(cuts)) if data else 2 + 1
    end = data.draw(st.sampled_from([i for i in cuts if i >= start])) if data else 5
    document = QTextDocument()
    document.setPlainText(displayable(text))
    places = mapped(text)
    shown = between(document, places.to_document(start), places.to_document(end))
    wanted = displayable(text[start:end])
    for newline in "\r\n\u2029\ufdd0\ufdd1":
        wanted = wanted.replace(newline, "\u2029")
    assert shown == wanted


@given(texts)
def test_a_position_comes_back_to_its_offset(text):
    places = mapped(text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            assert places.to_text(places.to_document(offset)) == offset


@given(texts, texts)
def test_a_text_may_be_added_in_pieces(first, second):
    if first.endswith("\r") and second.startswith("\n"):
        second = second[1:]
    whole, pieces = mapped(first + second), mapped(first)
    pieces.add(second)
    ends = range(len(first + second) + 1)
    assert [pieces.to_document(i) for i in ends] == [whole.to_document(i) for i in ends]


def test_a_break_of_our_own_shifts_what_comes_after_it():
    places = TextMap()
    places.add("abcdef", [3])
    assert [places.to_document(i) for i in (2, 3, 6)] == [2, 4, 7]
    assert [places.to_text(position) for position in (2, 4, 7)] == [2, 3, 6]


def test_offsets_outside_the_text_are_held_to_its_ends():
    places = mapped("ab")
    assert (places.to_document(-5), places.to_document(99), places.to_text(99)) == (0, 2, 2)


def test_a_lone_surrogate_is_shown_as_the_replacement_character():
    assert displayable("a\ud83db") == "a\ufffdb"


@given(st.text("ab \n", max_size=200), st.integers(2, 20))
def test_broken_lines_are_short_enough_and_lose_nothing(text, longest):
    breaks = overlong_breaks(text, 0, len(text), longest)
    cuts = [0, *breaks, len(text)]
    pieces = [text[a:b] for a, b in pairwise(cuts)]
    assert "".join(pieces) == text
    assert max((len(line) for piece in pieces for line in piece.split("\n")), default=0) <= longest


def test_a_long_line_is_broken_after_a_space():
    assert overlong_breaks("aaaa bbbb cccc", 0, 14, 8) == [5, 10]
