"""The engine: walks the tree of prompts over a binding that is passed in, and evaluates each shared part once.

It keeps one path in the model's memory, cuts back to what the next path shares with it and evaluates the rest, in
chunks that end where nodes end; so an answer depends on its own path and on nothing judged before, after or beside it.
It knows no llama.cpp: processes are the supervisor's, probabilities are reading.py's.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from judge_local.port import Answer, Asking, JudgeUnavailable
from judge_local.prompt import Node, NodePath, PromptBuilder, Trusted, option_order
from judge_local.prompts import judge_1 as words
from judge_local.reading import Reading, answer, mean, read
from models.rubric.checklist import CheckText
from models.verdicts import Outcome

Tokens = tuple[int, ...]
_PRIORS_KEPT = 20_000


class Aborted(Exception):
    """The computation was ended because somebody asked for that."""


class EngineFailure(Exception):
    """The model could not evaluate something; the message is a sentence."""


class Binding(Protocol):
    """What the engine needs of a model: one sequence that grows, and is cut back."""

    context: int
    batch: int

    def tokenize(self, text: str, special: bool) -> Tokens: ...
    def evaluate(self, tokens: Sequence[int], start: int, want_logits: bool) -> None: ...
    def logits(self) -> NDArray[np.float32]: ...
    def cut(self, length: int) -> bool: ...
    def clear(self) -> None: ...
    def save(self) -> bytes: ...
    def restore(self, state: bytes) -> bool: ...


def chunks_of(nodes: Sequence[Tokens], batch: int) -> list[Tokens]:
    """The chunks that a path is evaluated in: they end at nodes, and never hold one token alone if that can be helped.

    A node of a single token joins its child; a node longer than `batch` is cut counting from its own start, and a last
    chunk of one token takes a second from the chunk before it. Boundaries so depend on the path alone.
    """
    chunks: list[Tokens] = []
    carried: Tokens = ()
    for number, node in enumerate(nodes):
        stretch = carried + node
        carried = ()
        if len(stretch) == 1 and number < len(nodes) - 1:
            carried = stretch
            continue
        cuts = [*range(0, len(stretch), batch), len(stretch)]
        if len(cuts) > 2 and cuts[-1] - cuts[-2] == 1 and batch > 2:
            cuts[-2] -= 1
        chunks += [stretch[a:b] for a, b in pairwise(cuts)]
    return chunks


class PathMemory:
    """The path that the binding's sequence holds. `evaluated` counts the tokens that were really computed."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._held: list[Tokens] = []
        self._saved: list[tuple[int, bytes]] = []  # (number of chunks, state): only where memory cannot be cut
        self._saves = False
        self.evaluated = 0
        binding.clear()

    def logits_after(self, nodes: Sequence[Tokens]) -> NDArray[np.float32]:
        """Logits after the last token of that path. Raises Aborted or EngineFailure; then nothing is held any more."""
        chunks = chunks_of(nodes, self._binding.batch)
        try:
            self._back_to(_shared(self._held, chunks[:-1]))
            while len(self._held) < len(chunks):
                self._append(chunks[len(self._held)], last=len(self._held) == len(chunks) - 1)
            return self._binding.logits()
        except (Aborted, EngineFailure):
            self._forget()
            raise

    def _append(self, chunk: Tokens, last: bool) -> None:
        self._binding.evaluate(chunk, sum(map(len, self._held)), last)
        self.evaluated += len(chunk)
        self._held.append(chunk)
        if self._saves and not last:
            self._saved.append((len(self._held), self._binding.save()))

    def _back_to(self, count: int) -> None:
        """Hold the first `count` chunks, or fewer where memory cannot be cut: then a saved state, or nothing."""
        if count == len(self._held):
            return
        if count == 0:
            self._forget()
        elif not self._saves and self._binding.cut(sum(map(len, self._held[:count]))):
            del self._held[count:]
        else:
            self._saves = True
            self._restore(count)

    def _restore(self, count: int) -> None:
        while self._saved and self._saved[-1][0] > count:
            self._saved.pop()
        if self._saved and self._binding.restore(self._saved[-1][1]):
            del self._held[self._saved[-1][0] :]
        else:
            self._forget()

    def _forget(self) -> None:
        self._binding.clear()
        self._held.clear()
        self._saved.clear()


def _shared(a: Sequence[Tokens], b: Sequence[Tokens]) -> int:
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


class Engine:
    """Answers checks with one forward pass each (style `direct`).

    prior: subtract what the same check gets under a content-free response. orders: how many option orders are averaged,
    1 to 4. Raises JudgeUnavailable where the model's letters are not single tokens.
    """

    def __init__(self, binding: Binding, builder: PromptBuilder, prior: bool = True, orders: int = 1) -> None:
        self._binding = binding
        self._builder = builder
        self._prior = prior
        self._orders = orders
        self._memory = PathMemory(binding)
        self._letters = self._label_tokens()
        self._priors: OrderedDict[str, Reading] = OrderedDict()

    @property
    def evaluated(self) -> int:
        """Tokens computed so far."""
        return self._memory.evaluated

    def judge(
        self, asking: Asking, wanted: Sequence[int], started: Callable[[int], None] = lambda index: None
    ) -> Iterator[tuple[int, Answer]]:
        """Answer the wanted checks of that asking, by index. `started` is told the check about to be worked on.

        Work order is depth first: all priors not yet known, then all checks under the response. Raises Aborted.
        """
        stem = self._tokens_of(self._builder.stem(asking))
        prior_stem = self._tokens_of(self._builder.prior_stem(asking))
        fitting: dict[int, list[Tokens]] = {}
        for index in wanted:
            leaves = [self._tokens(self._builder.check(asking.checks[index], turn)) for turn in range(self._orders)]
            longest = max(map(len, leaves))
            if max(_length(stem), _length(prior_stem)) + longest > self._binding.context:
                note = self._too_long(asking, asking.checks[index], _length(stem) + longest)
                yield index, Answer(Outcome.TOO_LONG, note=note)
            else:
                fitting[index] = leaves
        priors: dict[int, Reading | str] = {}
        if self._prior:
            for index, leaves in fitting.items():
                priors[index] = self._prior_of(prior_stem, leaves, asking.checks[index], partial(started, index))
        for index, leaves in fitting.items():
            started(index)
            yield index, self._answer(stem, leaves, asking.checks[index], priors.get(index))

    def _answer(
        self, stem: list[Tokens], leaves: list[Tokens], check: CheckText, prior: Reading | str | None
    ) -> Answer:
        reading = self._reading(stem, leaves, check) if not isinstance(prior, str) else prior
        if isinstance(reading, str):
            return Answer(Outcome.FAILED, note=reading)
        return answer(reading, prior if isinstance(prior, Reading) else None)

    def _prior_of(
        self, stem: list[Tokens], leaves: list[Tokens], check: CheckText, started: Callable[[], None]
    ) -> Reading | str:
        key = hashlib.sha256(repr((stem, leaves)).encode()).hexdigest()
        if (known := self._priors.get(key)) is not None:
            self._priors.move_to_end(key)
            return known
        started()
        reading = self._reading(stem, leaves, check)
        if isinstance(reading, Reading):
            self._priors[key] = reading
            if len(self._priors) > _PRIORS_KEPT:
                self._priors.popitem(last=False)
        return reading

    def _reading(self, stem: list[Tokens], leaves: list[Tokens], check: CheckText) -> Reading | str:
        """What the model says, over all option orders; a sentence where it failed."""
        readings = []
        for turn, leaf in enumerate(leaves):
            try:
                logits = self._memory.logits_after([*stem, leaf])
            except EngineFailure as failure:
                return str(failure)
            reading = read(logits, self._letters, option_order(self._builder.seed, check, turn))
            if reading is None:
                return "The model's numbers are not finite: its file or the computation is broken."
            readings.append(reading)
        return mean(readings)

    # Tokens ---------------------------------------------------------------------------------------------------------

    def _tokens(self, node: Node) -> Tokens:
        return tuple(
            token for part in node.parts for token in self._binding.tokenize(part.text, isinstance(part, Trusted))
        )

    def _tokens_of(self, path: NodePath) -> list[Tokens]:
        return [self._tokens(node) for node in path]

    def _label_tokens(self) -> Tokens:
        cue = self._binding.tokenize(self._builder.cue, True)
        letters = []
        for label in words.LABELS:
            whole = self._binding.tokenize(self._builder.cue + label, True)
            if whole[:-1] != cue:
                raise JudgeUnavailable(
                    f"This model's vocabulary has no single token for the answer '{label.strip()}'.",
                    "It cannot be asked for one letter; choose another model.",
                )
            letters.append(whole[-1])
        return tuple(letters)

    def _too_long(self, asking: Asking, check: CheckText, total: int) -> str:
        texts = {
            "response": asking.response,
            "question": asking.question,
            "reference answer": asking.reference or "",
            "check": check.text,
        }
        name = max(texts, key=lambda each: len(texts[each]))
        size = len(self._binding.tokenize(texts[name], False))
        return (
            f"This {name} is {size:,} tokens; the judge's context holds {self._binding.context:,}."
            f" The whole prompt would be {total:,} tokens. Nothing was cut off; a judge with a longer context reads it."
        )


def _length(nodes: Sequence[Tokens]) -> int:
    return sum(map(len, nodes))
