"""Is this quote really in that text? Compared as a reader would: Unicode forms, case, spaces and quote marks aside."""

import unicodedata

_SAME = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("‐‑‒–—―−", "-") | {"…": "..."}
)
_IGNORED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_ENDS = " \"'.,;:!?()[]-"


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """(start, end) of the quote's first occurrence in `text`, in characters of `text`; None if it is not there.

    Both are compared after NFKC and case folding, with runs of white space as one space, typographic quote marks and
    dashes as plain ones, invisible characters left out, and marks at the quote's two ends ignored.
    """
    wanted, _ = _plain(quote)
    wanted = wanted.strip(_ENDS)
    if not wanted:
        return None
    plain, places = _plain(text)
    at = plain.find(wanted)
    if at < 0:
        return None
    return places[at][0], places[at + len(wanted) - 1][1]


def _plain(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text in its compared form, and for each of its characters the stretch of the original it came from.

    A character goes together with the combining marks after it, so that both ways of writing an accent are one.
    """
    plain: list[str] = []
    places: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text[start:end]).casefold())
        for character in folded.translate(_SAME):
            if character in _IGNORED:
                continue
            shown = " " if character.isspace() else character
            if shown == " " and plain and plain[-1] == " ":
                places[-1] = (places[-1][0], end)
                continue
            plain.append(shown)
            places.append((start, end))
        start = end
    return "".join(plain), places
