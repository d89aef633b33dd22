"""A quote is found as a reader would find it, and its place is a place in the text as it stands."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.quotes import find_quote


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("steamed milk", "Espresso with steamed milk.", "steamed milk"),
        ("STEAMED  milk", "Espresso with steamed\n milk.", "steamed\n milk"),
        ('"It\'s done", he said', "“It’s done”, he said.", "It’s done”, he said"),
        ("a well-known drink", "A well‑known drink", "A well‑known drink"),
        ("café", "A cafe\u0301 in Wien", "cafe\u0301"),
        ("cafe\u0301", "A café in Wien", "café"),
        ("Straße", "in der STRASSE dort", "STRASSE"),
        ("ﬁne foam", "with fine foam", "fine foam"),
        ("H2O", "the formula H₂O is", "H₂O"),
        ("micro\u00adfoam", "a micro\u200bfoam layer", "micro\u200bfoam"),
        ("... and so on...", "milk, and so on.", "and so on"),
        ("咖啡", "这是咖啡。", "咖啡"),
        ("10–12 g", "takes 10-12 g", "10-12 g"),
    ],
)
def test_a_quote_is_found_in_its_own_words(quote: str, text: str, found: str) -> None:
    span = find_quote(quote, text)
    assert span is not None
    assert text[span[0] : span[1]] == found


@pytest.mark.parametrize("quote", ["", "  ", '"."', "oat milk", "milk steamed", "teamed milks"])
def test_what_is_not_there_is_not_found(quote: str) -> None:
    assert find_quote(quote, "Espresso with steamed milk.") is None


@given(st.text(min_size=1, max_size=60), st.data())
def test_any_stretch_of_a_text_is_found_in_it_in_any_normal_form(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    alone = unicodedata.combining(text[start]) or (end < len(text) and unicodedata.combining(text[end]))
    span = find_quote(text[start:end], text)
    if span is not None:
        assert 0 <= span[0] < span[1] <= len(text)
    elif not alone:
        assert not any(character.isalnum() for character in text[start:end])
