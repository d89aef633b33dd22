"""A response cut into pieces at the edges of what is quoted: nothing is lost, every piece knows its quotes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.exchange.sheet_answers import pieces


@pytest.mark.parametrize(
    ("spans", "cut"),
    [
        ([], [("abcdef", (), ())]),
        ([(0, 6)], [("abcdef", (1,), (1,))]),
        ([(1, 3)], [("a", (), ()), ("bc", (1,), (1,)), ("def", (), ())]),
        ([(1, 4), (2, 6)], [("a", (), ()), ("b", (1,), ()), ("cd", (1, 2), (1,)), ("ef", (2,), (2,))]),
        ([(2, 4), (1, 4)], [("a", (), ()), ("b", (2,), ()), ("cd", (1, 2), (1, 2)), ("ef", (), ())]),
    ],
)
def test_text_is_cut_at_the_edges_of_quotes(spans, cut):
    assert [(piece.text, piece.marks, piece.ends) for piece in pieces("abcdef", spans)] == cut


@given(st.text(min_size=2), st.data())
def test_no_letter_is_lost_and_each_quote_is_whole(text, data):
    edge = st.integers(0, len(text))
    spans = [tuple(sorted(pair)) for pair in data.draw(st.lists(st.tuples(edge, edge))) if pair[0] != pair[1]]
    cut = pieces(text, spans)
    assert "".join(piece.text for piece in cut) == text
    for number, (start, end) in enumerate(spans, start=1):
        assert "".join(piece.text for piece in cut if number in piece.marks) == text[start:end]
        assert sum(number in piece.ends for piece in cut) == 1


def test_an_empty_text_has_no_pieces():
    assert pieces("", []) == []
