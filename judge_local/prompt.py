"""The one prompt builder: a judge's prompt as a path of nodes, system -> question -> response -> check.

A node holds parts, and each part is ours (its special tokens count) or somebody's (it is words, whatever it contains).
Everything before the check is the same for all checks of a response, everything before the response the same for all
responses to a question; the engine shares them by that. Pictures will stand between system and question.
"""

import hashlib
import hmac
from dataclasses import dataclass
from enum import StrEnum

from judge_local.port import Asking
from judge_local.prompts import judge_1 as words
from judge_local.prompts.templates import ChatShape
from models.rubric.checklist import CheckText
from models.verdicts import Variant, Verdict

PROMPT_VERSION = words.VERSION
MOST_ORDERS = 4


@dataclass(frozen=True, slots=True)
class Trusted:
    """Text of ours, or of the chat template: special tokens in it are special."""

    text: str


@dataclass(frozen=True, slots=True)
class Untrusted:
    """Text of a question, reference, response or check: `<|im_end|>` in it is ten characters."""

    text: str


Part = Trusted | Untrusted


class NodeKind(StrEnum):
    """Where in the path a node stands."""

    SYSTEM = "system"
    QUESTION = "question"
    RESPONSE = "response"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class Node:
    """One stretch of the prompt, evaluated as a whole and shared as a whole."""

    kind: NodeKind
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """All parts as one text: for people and goldens, never for a tokenizer."""
        return "".join(part.text for part in self.parts)


NodePath = tuple[Node, ...]


def option_order(seed: int, check: CheckText, turn: int = 0) -> tuple[Verdict, Verdict, Verdict, Verdict]:
    """Which verdict stands at A, B, C and D: shuffled by the seed and the check's own kind and text, then turned.

    The four turns of one order put each verdict at each letter once, so that averaging over them cancels a liking for a
    letter.
    """
    names = {verdict: _digest(seed, "order", check.kind, check.text, verdict) for verdict in Verdict}
    a, b, c, d = sorted(Verdict, key=lambda verdict: names[verdict])
    turned = (a, b, c, d) * 2
    return turned[turn], turned[turn + 1], turned[turn + 2], turned[turn + 3]


def _digest(seed: int, *content: str) -> str:
    message = "\0".join(content).encode("utf-8", "surrogatepass")
    return hmac.new(str(seed).encode(), message, hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class PromptBuilder:
    """Builds nodes for one model and one seed: the same input gives the same bytes."""

    shape: ChatShape
    seed: int = 0

    def stem(self, asking: Asking) -> NodePath:
        """All nodes above the checks."""
        return (self.system(), self.question(asking), self.response(asking.response))

    def prior_stem(self, asking: Asking) -> NodePath:
        """The same for a response that says nothing: what the judge answers there is its liking, not its reading."""
        return (self.system(), self.question(asking), self.response(words.CONTENT_FREE_RESPONSE))

    def system(self) -> Node:
        return Node(NodeKind.SYSTEM, (Trusted(self.shape.head + words.SYSTEM + self.shape.between),))

    def question(self, asking: Asking) -> Node:
        unseen = asking.variant is Variant.IMAGE
        parts = self._framed(words.QUESTION, asking.question, before=words.UNSEEN_PICTURE if unseen else "")
        if asking.reference is not None:
            parts += self._framed(words.REFERENCE, asking.reference)
        return Node(NodeKind.QUESTION, parts)

    def response(self, text: str) -> Node:
        return Node(NodeKind.RESPONSE, self._framed(words.RESPONSE, text))

    def check(self, check: CheckText, turn: int = 0) -> Node:
        order = option_order(self.seed, check, turn)
        meanings = [words.MEANINGS[verdict] for verdict in order] + [words.CANNOT_TELL]
        legend = "".join(
            words.OPTION.format(letter=letter, meaning=meaning)
            for letter, meaning in zip(words.LETTERS, meanings, strict=True)
        )
        after = words.ASK.format(legend=legend) + self.shape.tail + words.PREFILL
        return Node(NodeKind.CHECK, self._framed(words.CHECK[check.kind], check.text, after=after))

    @property
    def cue(self) -> str:
        """The words right before the label: the letters must be single tokens after them."""
        return self.shape.tail + words.PREFILL

    def _framed(self, title: str, text: str, before: str = "", after: str = "") -> tuple[Part, ...]:
        """Somebody's text between two codes made from it and the seed, which nothing inside it can have foreseen."""
        code = _digest(self.seed, title, text)[:8]
        opening = before + words.OPEN.format(title=title, code=code)
        return (Trusted(opening), Untrusted(text), Trusted(words.CLOSE.format(code=code) + after))
