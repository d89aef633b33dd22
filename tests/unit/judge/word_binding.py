"""A binding of ours for the engine's and the tree's tests: its logits are a hash of everything in its memory."""

import hashlib
from collections.abc import Sequence

import numpy as np

from judge_local.port import Picture
from judge_local.tree import Piece, Pieces, Seen, Tokens, positions_in, tokens_in

VOCABULARY = 300
PICTURE_TOKENS, PICTURE_POSITIONS = 16, 4


class WordBinding:
    """One token per byte; what it forgets, or mixes up between its sequences, shows in the logits.

    cuts False: memory like a recurrent model's, that cannot be cut. restores False: saved states do not come back.
    says: what a writer writes, whatever the grammar.
    """

    def __init__(
        self,
        context: int = 100_000,
        batch: int = 64,
        cuts: bool = True,
        restores: bool = True,
        sequences: int = 2,
        says: str = "",
    ) -> None:
        self.context, self.batch, self.context_limit = context, batch, context
        self.cuts, self.restores = cuts, restores
        self.sequences, self.pack = sequences, 4
        self.held: list[list[Piece]] = [[] for _ in range(sequences)]
        self.evaluations = 0
        self.evaluated: list[tuple[Piece, ...]] = []  # the path that each evaluation ended
        self.fail_at: dict[int, Exception] = {}
        self.says = says

    def tokenize(self, text: str, special: bool) -> Tokens:
        return tuple(text.replace("Answer: ", "Answer:").encode("utf-8", "replace"))

    def pieces(self, parts: Sequence[tuple[str, bool] | Picture]) -> Pieces:
        return tuple(
            Seen(part.sha256, PICTURE_TOKENS, PICTURE_POSITIONS)
            if isinstance(part, Picture)
            else self.tokenize(part[0], part[1])
            for part in parts
        )

    def evaluate(self, chunk: Piece, start: int, want_logits: bool, sequence: int) -> None:
        self.evaluations += 1
        assert isinstance(chunk, Seen) or 0 < tokens_in([chunk]) <= self.batch
        held = self.held[sequence]
        assert start == positions_in(held), "a gap or an overlap in memory"
        if failure := self.fail_at.pop(self.evaluations, None):
            raise failure
        held.append(chunk)
        self.evaluated.append(tuple(held))
        self.wanted = want_logits
        self.last = sequence

    def evaluate_pack(self, leaves: Sequence[Tokens], start: int) -> list[np.ndarray]:
        assert start == positions_in(self.held[0])
        assert sum(map(len, leaves)) <= self.batch
        assert len(leaves) <= self.pack
        self.evaluations += 1
        return [self._logits([*self.held[0], *leaves[: number + 1], "packed"]) for number in range(len(leaves))]

    def logits(self) -> np.ndarray:
        assert self.wanted
        return self._logits(self.held[self.last])

    @staticmethod
    def _logits(held: Sequence[object]) -> np.ndarray:
        seed = hashlib.sha256(repr(held).encode()).digest()
        logits = np.random.default_rng(list(seed)).normal(size=VOCABULARY).astype(np.float32)
        logits[list(b"ABCDE")] += 4  # most of its probability falls on the letters it is asked for
        return logits

    def cut(self, length: int, sequence: int) -> bool:
        if not self.cuts:
            return False
        held = self.held[sequence]
        while positions_in(held) > length:
            held.pop()
        return positions_in(held) == length

    def copy(self, source: int, target: int) -> None:
        assert self.cuts, "no copies of what cannot be cut"
        assert not self.held[target]
        self.held[target] = list(self.held[source])

    def clear(self, sequence: int) -> None:
        self.held[sequence] = []

    def save(self, sequence: int) -> bytes:
        return repr(self.held[sequence]).encode()

    def restore(self, state: bytes, sequence: int) -> bool:
        self.held[sequence] = list(eval(state)) if self.restores else []  # our own repr, back
        return self.restores

    def writer(self, grammar: str) -> "Recital":
        return Recital(self.says)


class Recital:
    """A writer that writes a given text."""

    def __init__(self, text: str) -> None:
        self._left = list(text.encode())

    def pick(self, logits: np.ndarray) -> int | None:
        return self._left.pop(0) if self._left else None

    def text(self, tokens: Tokens) -> str:
        return bytes(tokens).decode()
