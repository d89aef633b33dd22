"""The engine: answers checks over a binding that is passed in, with one forward pass each or with a reason first.

What paths share is evaluated once (tree.py), what a pass means is read.py's. It knows no llama.cpp, and processes are
the supervisor's.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from judge_local import reasoning
from judge_local.manner import Manner
from judge_local.parking import Parking
from judge_local.port import Answer, Asking, JudgeUnavailable, Picture
from judge_local.prompt import Node, NodePath, PromptBuilder, Trusted, Untrusted, option_order
from judge_local.prompts import judge_3 as words
from judge_local.reading import Reading, answer, margin, mean, read
from judge_local.tree import Aborted, EngineFailure, Memory, Piece, Pieces, Tokens, TreeMemory, tokens_in
from models.rubric.checklist import CheckText
from models.verdicts import Outcome, Verdict

_PRIORS_KEPT = 20_000
_UNFINITE = "The model's numbers are not finite: its file or the computation is broken."


class Binding(Memory, Protocol):
    """What the engine needs of a model besides its memory: words to tokens, its own words, packs.

    context: positions of one sequence. context_limit: the longest context the model was trained for.
    """

    context: int
    context_limit: int

    def tokenize(self, text: str, special: bool) -> Tokens: ...
    def pieces(self, parts: Sequence[tuple[str, bool] | Picture]) -> Pieces: ...
    def writer(self, grammar: str) -> "Writer": ...
    def evaluate_pack(self, leaves: Sequence[Tokens], start: int) -> list[NDArray[np.float32]]: ...


class Writer(Protocol):
    """Picks the likeliest token that a grammar allows, and follows along. None: the grammar has come to its end."""

    def pick(self, logits: NDArray[np.float32]) -> int | None: ...
    def text(self, tokens: Tokens) -> str: ...


class Engine:
    """Answers askings by one model, one manner, one seed. Raises JudgeUnavailable if letters are no single tokens."""

    def __init__(
        self, binding: Binding, builder: PromptBuilder, manner: Manner | None = None, parking: Parking | None = None
    ) -> None:
        self._binding = binding
        self._builder = builder
        self._manner = manner or Manner()
        self._parking = parking or Parking()
        self._memory = TreeMemory(binding, self._parking)
        self._letters = self._label_tokens()
        self._priors: OrderedDict[str, Reading] = OrderedDict()

    @property
    def evaluated(self) -> int:
        """Tokens computed so far, those of pictures and of the judge's own words among them."""
        return self._memory.evaluated

    def close(self) -> None:
        """Remove what was spilled to disk."""
        self._parking.close()

    def judge(
        self, asking: Asking, wanted: Sequence[int], started: Callable[[int], None] = lambda index: None
    ) -> Iterator[tuple[int, Answer]]:
        """Answer the wanted checks of that asking, by index. `started` is told the check about to be worked on.

        Work order is depth first: all priors not yet known, then all checks under the response. Raises Aborted.
        """
        stem = self._pieces_of(self._builder.stem(asking))
        fitting: list[int] = []
        for index in wanted:
            if too_long := self._too_long(asking, stem, index):
                yield index, Answer(Outcome.TOO_LONG, note=too_long)
            else:
                fitting.append(index)
        if asking.explain is not None:
            for index in fitting:
                started(index)
                yield index, self._explained(asking, stem, index, asking.explain)
            return
        priors = dict(self._priors_for(asking, fitting, started)) if self._manner.prior else {}
        readings = self._packed(asking, stem, fitting) if self._manner.packed and fitting else {}
        for index in fitting:
            started(index)
            yield index, self._answer(asking, stem, index, priors.get(index), readings.get(index))
        self._release(asking, stem)

    def deviation(self, asking: Asking, indices: Sequence[int]) -> float:
        """The largest difference of a label's probability between shared memory and an empty one, over these checks.

        For weights and devices where it is not 0, it says how far an answer depends on what was shared before it.
        """
        stem = self._pieces_of(self._builder.stem(asking))
        shared = [self._reading(stem, asking.checks[index]) for index in indices]
        most = 0.0
        for index, one in zip(indices, shared, strict=True):
            self._memory.start_over()
            other = self._reading(stem, asking.checks[index])
            if isinstance(one, Reading) and isinstance(other, Reading):
                most = max(most, float(np.abs(np.exp(one.logs) - np.exp(other.logs)).max()))
        return most

    # One check -----------------------------------------------------------------------------------------------------

    def _answer(
        self,
        asking: Asking,
        stem: list[Pieces],
        index: int,
        prior: Reading | str | None,
        known: Reading | None = None,
    ) -> Answer:
        check, manner = asking.checks[index], self._manner
        if isinstance(prior, str):
            return Answer(Outcome.FAILED, note=prior)
        if manner.style == "reasoned":
            return self._reasoned(asking, stem, check)
        reading = known or self._reading(stem, check)
        if isinstance(reading, str):
            return Answer(Outcome.FAILED, note=reading)
        direct = answer(reading, prior)
        if manner.style == "adaptive" and margin(direct) < manner.margin:
            return self._reasoned(asking, stem, check)
        if manner.rationale == "always" and direct.verdict is not None:
            return replace(direct, rationale=self._why(stem, check, direct.verdict))
        return direct

    def _reading(self, stem: list[Pieces], check: CheckText) -> Reading | str:
        """What the model says at once, over all option orders; a sentence where it failed."""
        readings = []
        for turn in range(self._manner.orders):
            try:
                logits = self._memory.logits_after(stem, self._pieces(self._builder.check(check, turn)))
            except EngineFailure as failure:
                return str(failure)
            reading = read(logits, self._letters, option_order(self._builder.seed, check, turn))
            if reading is None:
                return _UNFINITE
            readings.append(reading)
        return mean(readings)

    def _reasoned(self, asking: Asking, stem: list[Pieces], check: CheckText) -> Answer:
        """The verdict after a reason; over several orders the first one's reason stands for all."""
        readings, said = [], None
        for turn in range(self._manner.orders):
            leaf = self._pieces(self._builder.check(check, turn, reasoned=True))
            try:
                text, logits = self._write(stem, leaf, (), reasoning.GRAMMAR, reasoning.MOST_TOKENS)
            except EngineFailure as failure:
                return Answer(Outcome.FAILED, note=str(failure))
            written = reasoning.read_reasoned(text)
            if written is None:
                capped = f"The judge's reason reached its cap of {reasoning.MOST_TOKENS} tokens before a verdict."
                return Answer(Outcome.UNPARSABLE, rationale=self._kept(text.strip()), note=capped)
            reading = read(logits, self._letters, option_order(self._builder.seed, check, turn))
            if reading is None:
                return Answer(Outcome.FAILED, note=_UNFINITE)
            said = said or written
            readings.append(reading)
        assert said is not None
        got = replace(answer(mean(readings), None), rationale=self._kept(said.reason))
        if got.verdict is None:
            return got
        evidence, note = reasoning.evidence_for(got.verdict, said.quote, asking.response)
        return replace(got, evidence=evidence, note=note)

    def _kept(self, rationale: str) -> str | None:
        return rationale if self._manner.rationale != "never" and rationale else None

    def _explained(self, asking: Asking, stem: list[Pieces], index: int, verdict: Verdict) -> Answer:
        try:
            return Answer(Outcome.VERDICT, verdict, rationale=self._why(stem, asking.checks[index], verdict))
        except EngineFailure as failure:
            return Answer(Outcome.FAILED, note=str(failure))

    def _why(self, stem: list[Pieces], check: CheckText, verdict: Verdict) -> str:
        """The model's reason for a verdict that stands. Cut at the cap, which an ellipsis shows."""
        leaf = self._pieces(self._builder.check(check))
        letter = self._letters[option_order(self._builder.seed, check).index(verdict)]
        lead = (letter, *self._binding.tokenize(words.EXPLAIN, True))
        text, _ = self._write(stem, leaf, lead, reasoning.EXPLAINING_GRAMMAR, reasoning.MOST_EXPLAINING_TOKENS)
        return text.strip() if text.endswith("\n") else text.strip() + " ..."

    def _write(
        self, stem: list[Pieces], leaf: Pieces, lead: Tokens, grammar: str, most: int
    ) -> tuple[str, NDArray[np.float32]]:
        """The likeliest words that the grammar allows below that path, and the logits after them."""
        logits = self._memory.logits_after(stem, leaf)
        if lead:
            logits = self._memory.extend(lead)
        writer = self._binding.writer(grammar)
        written: Tokens = ()
        while len(written) < most and (token := writer.pick(logits)) is not None:
            written += (token,)
            logits = self._memory.extend((token,))
        return writer.text(written), logits

    # Priors, packs -------------------------------------------------------------------------------------------------

    def _priors_for(
        self, asking: Asking, wanted: Sequence[int], started: Callable[[int], None]
    ) -> Iterator[tuple[int, Reading | str]]:
        stem = self._pieces_of(self._builder.prior_stem(asking))
        for index in wanted:
            yield index, self._prior_of(stem, asking.checks[index], partial(started, index))
        if asking.later is not None:
            self._memory.release(stem, len(stem) - 1)

    def _prior_of(self, stem: list[Pieces], check: CheckText, started: Callable[[], None]) -> Reading | str:
        key = hashlib.sha256(repr((stem, check)).encode("utf-8", "surrogatepass")).hexdigest()
        if (known := self._priors.get(key)) is not None:
            self._priors.move_to_end(key)
            return known
        started()
        reading = self._reading(stem, check)
        if isinstance(reading, Reading):
            self._priors[key] = reading
            if len(self._priors) > _PRIORS_KEPT:
                self._priors.popitem(last=False)
        return reading

    def _packed(self, asking: Asking, stem: list[Pieces], wanted: Sequence[int]) -> dict[int, Reading]:
        """Readings of the whole checklist in one pass, in its order whatever is wanted: a pack is always the same."""
        checklist = asking.checklist or asking.checks
        texts = [self._flat(self._builder.check(check)) for check in checklist]
        try:
            found = self._memory.logits_after_each(stem, texts)
        except EngineFailure:
            return {}  # then each is asked by itself, and says what failed
        by_check = {}
        for check, logits in zip(checklist, found, strict=True):
            reading = (
                read(logits, self._letters, option_order(self._builder.seed, check)) if logits is not None else None
            )
            if reading is not None:
                by_check[check] = reading
        return {index: by_check[asking.checks[index]] for index in wanted if asking.checks[index] in by_check}

    def _release(self, asking: Asking, stem: list[Pieces]) -> None:
        if asking.later is not None:
            self._memory.release(stem, 1 + asking.later)

    # Tokens --------------------------------------------------------------------------------------------------------

    def _flat(self, node: Node) -> Tokens:
        """The tokens of a node of words."""
        texts = [(part.text, isinstance(part, Trusted)) for part in node.parts if isinstance(part, Trusted | Untrusted)]
        return tuple(token for text, special in texts for token in self._binding.tokenize(text, special))

    def _pieces(self, node: Node) -> Pieces:
        if any(isinstance(part, Picture) for part in node.parts):
            return self._binding.pieces(
                [part if isinstance(part, Picture) else (part.text, isinstance(part, Trusted)) for part in node.parts]
            )
        return (self._flat(node),)

    def _pieces_of(self, path: NodePath) -> list[Pieces]:
        return [self._pieces(node) for node in path]

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

    # Length --------------------------------------------------------------------------------------------------------

    def _too_long(self, asking: Asking, stem: list[Pieces], index: int) -> str | None:
        """A sentence with the numbers and the choices, if that check's whole prompt does not fit the context."""
        check, manner = asking.checks[index], self._manner
        reasons = manner.style != "direct" or manner.rationale == "always" or asking.explain is not None
        leaf = len(self._flat(self._builder.check(check, reasoned=manner.style == "reasoned")))
        prior = self._pieces_of(self._builder.prior_stem(asking)) if manner.prior else []
        above = max(_length(stem), _length(prior))
        needed = above + leaf + (reasoning.MOST_TOKENS if reasons else 0)
        if needed <= self._binding.context:
            return None
        texts = {
            "response": asking.response,
            "question": asking.question,
            "reference answer": asking.reference or "",
            "check": check.text,
        }
        sizes = {name: len(self._binding.tokenize(text, False)) for name, text in texts.items()}
        sizes["pictures"] = sum(p.tokens for node in stem for p in node if not isinstance(p, tuple))
        name = max(sizes, key=lambda each: sizes[each])
        are = "These pictures are" if name == "pictures" else f"This {name} is"
        choice = (
            f"set a context of {needed:,} or more"
            if needed <= self._binding.context_limit
            else f"this model reads {self._binding.context_limit:,} at most: take one with a longer context"
        )
        return (
            f"{are} {sizes[name]:,} tokens; the judge's context holds {self._binding.context:,}."
            f" The whole prompt would be {needed:,} tokens. Nothing was cut off; {choice}, or another judge."
        )


def _length(nodes: Sequence[Sequence[Piece]]) -> int:
    return sum(map(tokens_in, nodes))


__all__ = ["Aborted", "Binding", "Engine", "EngineFailure", "Writer"]
