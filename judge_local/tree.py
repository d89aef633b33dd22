"""The tree of prompts in a model's memory: each stretch is evaluated once, whatever path is asked for next.

A path is a list of nodes, a node a list of pieces (tokens, or a picture). It is evaluated in chunks that end where
nodes end, so that an answer depends on its own path alone. The branches that may be come back to stay in the binding's
sequences; where these do not suffice, their states wait on disk (parking.py). It knows no llama.cpp and no prompts.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from judge_local.parking import Parking

Tokens = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture, or a slice of one, as a piece of a path: its own name, and how many tokens and positions it takes."""

    name: str
    tokens: int
    positions: int


Piece = Tokens | Seen
Pieces = tuple[Piece, ...]  # one node


class Aborted(Exception):
    """The computation was ended because somebody asked for that."""


class EngineFailure(Exception):
    """The model could not evaluate something; the message is a sentence."""


class Memory(Protocol):
    """What the tree needs of a model: sequences that grow, are cut back, copied, saved and restored.

    batch: the most tokens of a chunk. sequences: how many there are. pack: how many leaves a packed pass takes. cuts:
    whether sequences can be cut back and copied; False for recurrent and hybrid models, whose branches go through saved
    states.
    """

    batch: int
    sequences: int
    pack: int
    cuts: bool

    def evaluate(self, chunk: Piece, start: int, want_logits: bool, sequence: int) -> None: ...
    def logits(self) -> NDArray[np.float32]: ...
    def cut(self, length: int, sequence: int) -> bool: ...
    def copy(self, source: int, target: int) -> None: ...
    def clear(self, sequence: int) -> None: ...
    def evaluate_pack(self, leaves: Sequence[Tokens], start: int) -> list[NDArray[np.float32]]: ...
    def save(self, sequence: int) -> bytes: ...
    def restore(self, state: bytes, sequence: int) -> bool: ...


def tokens_in(pieces: Sequence[Piece]) -> int:
    """How many tokens are evaluated for these."""
    return sum(piece.tokens if isinstance(piece, Seen) else len(piece) for piece in pieces)


def positions_in(pieces: Sequence[Piece]) -> int:
    """How many positions these take; a picture may take fewer than it has tokens."""
    return sum(piece.positions if isinstance(piece, Seen) else len(piece) for piece in pieces)


def chunks_of(nodes: Sequence[Pieces], batch: int) -> list[Piece]:
    """The chunks that a path is evaluated in: they end at nodes and pictures, and hold no token alone if that can be
    helped (a chunk of one token moved the probabilities of some weights by up to 1e-3).

    A node of a single token joins its child; a stretch longer than `batch` is cut counting from its own start, and a
    last chunk of one token takes a second from the chunk before it. Boundaries so depend on the path alone.
    """
    chunks: list[Piece] = []
    carried: Tokens = ()
    for number, node in enumerate(nodes):
        for place, piece in enumerate(node):
            if isinstance(piece, Seen):
                chunks += [carried] if carried else []
                chunks.append(piece)
                carried = ()
                continue
            stretch = carried + piece
            carried = ()
            if len(stretch) == 1 and (number, place) != (len(nodes) - 1, len(node) - 1):
                carried = stretch
                continue
            cuts = [*range(0, len(stretch), batch), len(stretch)]
            if len(cuts) > 2 and cuts[-1] - cuts[-2] == 1 and batch > 2:
                cuts[-2] -= 1
            chunks += [stretch[a:b] for a, b in pairwise(cuts)]
    return chunks


@dataclass
class _Slot:
    """What one sequence holds. kept: how many of its first chunks may be come back to."""

    chunks: list[Piece] = field(default_factory=list)
    kept: int = 0
    used: int = 0


class TreeMemory:
    """Evaluates paths over a Memory. `evaluated` counts the tokens that were really computed."""

    def __init__(self, memory: Memory, parking: Parking) -> None:
        self._memory = memory
        self._parking = parking
        self._slots = [_Slot() for _ in range(memory.sequences if memory.cuts else 1)]
        self._parked: dict[str, tuple[Piece, ...]] = {}
        self._current = 0
        self._clock = 0
        self.evaluated = 0
        self.start_over()

    def start_over(self) -> None:
        """Hold nothing, on disk neither."""
        for key in list(self._parked):
            self._drop(key)
        for number in range(len(self._slots)):
            self._empty(number)

    def logits_after(self, stem: Sequence[Pieces], leaf: Pieces) -> NDArray[np.float32]:
        """Logits after the last token of that path. What `leaf` adds is not kept, what is above it is, until released.

        Raises Aborted or EngineFailure; then the sequence that was worked on is empty.
        """
        chunks = chunks_of([*stem, leaf], self._memory.batch)
        kept = min(_shared(chunks_of(stem, self._memory.batch), chunks), len(chunks) - 1)
        try:
            slot = self._slot_for(chunks[:-1])
            slot.kept = min(len(slot.chunks), kept)
            while len(slot.chunks) < len(chunks):
                self._append(slot, chunks[len(slot.chunks)], last=len(slot.chunks) == len(chunks) - 1)
                if len(slot.chunks) <= kept:
                    slot.kept = len(slot.chunks)
                    if not self._memory.cuts:
                        self._park(self._current)  # a state that cannot be cut back to must be there before it is left
            return self._memory.logits()
        except (Aborted, EngineFailure):
            self._empty(self._current)
            raise

    def extend(self, tokens: Tokens) -> NDArray[np.float32]:
        """Logits after some more tokens below the path that was evaluated last: a judge's own words, one by one."""
        slot = self._slots[self._current]
        try:
            self._append(slot, tokens, last=True)
            return self._memory.logits()
        except (Aborted, EngineFailure):
            self._empty(self._current)
            raise

    def logits_after_each(self, stem: Sequence[Pieces], leaves: Sequence[Tokens]) -> list[NDArray[np.float32] | None]:
        """Logits after each leaf below that stem, many leaves a pass: they come out a little otherwise than alone.

        The passes are filled in the order of the leaves, so they depend on the stem and the leaves alone. None for a
        leaf that is longer than a pass. Raises Aborted or EngineFailure.
        """
        above = chunks_of(stem, self._memory.batch)
        try:
            slot = self._slot_for(above)
            while len(slot.chunks) < len(above):
                self._append(slot, above[len(slot.chunks)], last=False)
            slot.kept = len(above)
            start = positions_in(above)
            found: list[NDArray[np.float32] | None] = [None] * len(leaves)
            for pack in _packs(leaves, self._memory.batch, self._memory.pack):
                for number, logits in zip(
                    pack, self._memory.evaluate_pack([leaves[i] for i in pack], start), strict=True
                ):
                    found[number] = logits
                self.evaluated += sum(len(leaves[i]) for i in pack)
            return found
        except (Aborted, EngineFailure):
            self._empty(self._current)
            raise

    def release(self, stem: Sequence[Pieces], kept: int) -> None:
        """Nothing under the first `kept` nodes of that path is wanted again; what stands above stays."""
        path = chunks_of(stem, self._memory.batch)
        length = min(_shared(chunks_of(stem[:kept], self._memory.batch), path), len(path))
        for slot in self._slots:
            if _shared(slot.chunks, path) > length:
                slot.kept = min(slot.kept, length)
        below = [key for key, parked in self._parked.items() if _shared(parked, path) > length]
        for key in below:
            self._drop(key)

    # Which sequence ------------------------------------------------------------------------------------------------

    def _slot_for(self, path: Sequence[Piece]) -> _Slot:
        """A slot that holds a first part of that path and nothing else, as long a part as there is."""
        self._clock += 1
        best = max(range(len(self._slots)), key=lambda i: (_shared(self._slots[i].chunks, path), self._slots[i].used))
        have = _shared(self._slots[best].chunks, path)
        if not self._memory.cuts and have < len(self._slots[best].chunks):
            have = 0
        if (key := self._longest_parked(path, have)) is not None:
            best, have = self._unpark(key, path)
        elif self._slots[best].kept > have:
            best = self._branch(best, have)
        self._cut(best, have)
        self._current = best
        self._slots[best].used = self._clock
        return self._slots[best]

    def _branch(self, number: int, have: int) -> int:
        """A slot with the first `have` chunks of that one, which is left as it is where another can be had."""
        other = self._free(number)
        if other is None:
            self._park(number)
            return number
        if have:
            self._memory.copy(number, other)
            self._slots[other].chunks = list(self._slots[number].chunks)
        return other

    def _free(self, but: int | None) -> int | None:
        """An empty slot; what it held is parked if it may be wanted. None: there is no other slot."""
        others = [i for i in range(len(self._slots)) if i != but]
        if not others:
            return None
        number = min(others, key=lambda i: (bool(self._slots[i].kept), self._slots[i].used))
        self._park(number)
        self._empty(number)
        return number

    def _cut(self, number: int, count: int) -> None:
        slot = self._slots[number]
        if count == len(slot.chunks):
            return
        if count == 0:
            self._empty(number)
        elif self._memory.cuts and self._memory.cut(positions_in(slot.chunks[:count]), number):
            del slot.chunks[count:]
            slot.kept = min(slot.kept, count)
        else:
            self._empty(number)

    def _append(self, slot: _Slot, chunk: Piece, last: bool) -> None:
        self._memory.evaluate(chunk, positions_in(slot.chunks), last, self._current)
        self.evaluated += tokens_in([chunk])
        slot.chunks.append(chunk)

    def _empty(self, number: int) -> None:
        self._memory.clear(number)
        used = self._slots[number].used
        self._slots[number] = _Slot(used=used)

    # On disk -------------------------------------------------------------------------------------------------------

    def _park(self, number: int) -> None:
        """Save what of that slot may be wanted again, unless it is there already. It may be cut for that."""
        slot = self._slots[number]
        kept = tuple(slot.chunks[: slot.kept])
        if not kept or (key := _name(kept)) in self._parked:
            return
        elsewhere = (other for i, other in enumerate(self._slots) if i != number)
        if any(_shared(other.chunks, kept) == len(kept) and other.kept >= len(kept) for other in elsewhere):
            return
        if len(kept) < len(slot.chunks):
            self._cut(number, len(kept))
        if not slot.chunks:
            return
        self._parked[key] = kept
        for gone in self._parking.put(key, self._memory.save(number)):
            self._parked.pop(gone, None)

    def _longest_parked(self, path: Sequence[Piece], above: int) -> str | None:
        """The parked path that shares most with this one, if that is more than `above` chunks."""
        found, most = None, above
        for key, parked in self._parked.items():
            shared = _shared(parked, path)
            usable = self._memory.cuts or shared == len(parked)
            if usable and shared > most:
                found, most = key, shared
        return found

    def _unpark(self, key: str, path: Sequence[Piece]) -> tuple[int, int]:
        """The slot that holds the parked state now, and how much of it is of that path; an empty one if it is gone."""
        number = self._free(None)
        assert number is not None
        parked, state = self._parked[key], self._parking.get(key)
        if state is None or not self._memory.restore(state, number):
            self._drop(key)
            self._empty(number)
            return number, 0
        self._slots[number].chunks = list(parked)
        return number, _shared(parked, path)

    def _drop(self, key: str) -> None:
        self._parked.pop(key, None)
        self._parking.drop(key)


def _shared(a: Sequence[Piece], b: Sequence[Piece]) -> int:
    """How many first chunks are the same in both."""
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


def _packs(leaves: Sequence[Tokens], batch: int, most: int) -> list[list[int]]:
    """The leaves by number, in order, filled into passes of at most `batch` tokens and `most` leaves."""
    packs: list[list[int]] = []
    size = 0
    for number, leaf in enumerate(leaves):
        if len(leaf) > batch:
            continue
        if not packs or size + len(leaf) > batch or len(packs[-1]) == most:
            packs.append([])
            size = 0
        packs[-1].append(number)
        size += len(leaf)
    return packs


def _name(path: tuple[Piece, ...]) -> str:
    return hashlib.sha256(repr(path).encode()).hexdigest()
