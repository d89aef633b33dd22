"""Somebody's text as tokens that are words and nothing else, also where llama.cpp would see a mark in it.

`llama_tokenize(parse_special=false)` leaves control tokens alone, but matches *user-defined* ones in any text: in
Command R's vocabulary those are the marks that open a turn, in DeepSeek Coder's `<|User|>`, in Gemma 4's `<|channel>`.
Where one comes out, the text is cut after the mark's first character and its parts are tokenized one by one, so that
the same letters come out as words. Text without such marks gives llama.cpp's own tokens.
"""

import re
from collections.abc import Callable
from itertools import pairwise

Tokens = tuple[int, ...]
CONTROL, USER_DEFINED = 1 << 3, 1 << 4  # LLAMA_TOKEN_ATTR_...
_SPACE = "▁"  # how vocabularies of the SentencePiece kind spell a space


class Words:
    """Words of one vocabulary, given by llama.cpp's three calls: to tokenize without special tokens, and what a token's
    attributes and text are.
    """

    def __init__(
        self, tokenize: Callable[[str], Tokens], attributes_of: Callable[[int], int], text_of: Callable[[int], str]
    ) -> None:
        self._tokenize = tokenize
        self._attributes_of = attributes_of
        self._text_of = text_of
        self._marks: dict[int, str | None] = {}

    def mark(self, token: int) -> str | None:
        """The token's text, if the token means something to the model that its letters do not say.

        User-defined single characters and runs of spaces are no marks: some vocabularies list them so for compression.
        """
        if token not in self._marks:
            self._marks[token] = self._read_mark(token)
        return self._marks[token]

    def _read_mark(self, token: int) -> str | None:
        attributes = self._attributes_of(token)
        if not attributes & (CONTROL | USER_DEFINED):
            return None
        text = self._text_of(token)
        plain = len(text) <= 1 or not text.replace(_SPACE, " ").strip()
        return None if plain and not attributes & CONTROL else text

    def tokens(self, text: str) -> Tokens:
        """Tokens of that text, no mark among them.

        A vocabulary that puts a space before every text (SentencePiece) puts one before each part too; a mark's letters
        then come out with a space in them.
        """
        tokens = self._tokenize(text)
        marks = {mark for token in set(tokens) if (mark := self.mark(token))}
        parts = _cut(text, marks)
        if len(parts) == 1:
            return tokens
        return tuple(token for part in parts for token in self.tokens(part))


def _cut(text: str, marks: set[str]) -> list[str]:
    """The text in parts, none of which holds one of the marks whole: each is cut after its first character."""
    if not marks:
        return [text]
    longest_first = sorted(marks, key=lambda mark: (-len(mark), mark))
    found = re.finditer("|".join(map(re.escape, longest_first)), text)
    ends = [0, *(match.start() + 1 for match in found), len(text)]
    return [text[a:b] for a, b in pairwise(ends) if a < b]
