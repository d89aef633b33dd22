"""The one prompt builder: a judge's prompt as a path of nodes, system -> pictures -> question -> response -> check.

A node holds parts, and each part is ours (its special tokens count), somebody's (it is words, whatever it contains) or
a picture. Everything before the check is the same for all checks of a response, everything before the response the
same for all responses to a question; the engine shares them by that.
"""

import hashlib
import hmac
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from judge_local.port import Asking, Picture
from judge_local.prompts import judge_3 as words
from judge_local.prompts.templates import ChatShape
from models.rubric.checklist import CheckText
from models.verdicts import Verdict

PROMPT_VERSION = words.VERSION
MOST_ORDERS = 4
_CODE_LETTERS = "bcdfghjklmnpqrstvwxz"  # no vowels: a code is no word


@dataclass(frozen=True, slots=True)
class Trusted:
    """Text of ours, or of the chat template: special tokens in it are special."""

    text: str


@dataclass(frozen=True, slots=True)
class Untrusted:
    """Text of a question, reference, response or check: `<|im_end|>` in it is ten characters."""

    text: str


Part = Trusted | Untrusted | Picture


class NodeKind(StrEnum):
    """Where in the path a node stands."""

    SYSTEM = "system"
    PICTURE = "picture"
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
        """All parts as one text, a picture by its hash: for people and goldens, never for a tokenizer."""
        return "".join(f"<{p.sha256}>" if isinstance(p, Picture) else p.text for p in self.parts)


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


def code_for(seed: int, title: str, text: str) -> str:
    """Consonants made from the seed and the text, and made anew until the text does not hold them: mostly three.

    So a text cannot close its own frame, however long somebody searched for one that does: not in other letter case,
    and not in letters that Unicode's compatibility forms call the same. For a text that holds very many codes they
    grow longer.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    code, attempt = "", 0
    while not code or code in folded:
        digest = bytes.fromhex(_digest(seed, "code", title, text, str(attempt)))
        code = "".join(_CODE_LETTERS[byte % len(_CODE_LETTERS)] for byte in digest[: 3 + attempt // 100])
        attempt += 1
    return code


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
        return (*self._shared(asking), self.response(asking.response))

    def prior_stem(self, asking: Asking) -> NodePath:
        """The same for a response that says nothing: what the judge answers there is its liking, not its reading."""
        return (*self._shared(asking), self.response(words.CONTENT_FREE_RESPONSE))

    def _shared(self, asking: Asking) -> NodePath:
        """What all responses to a question stand under."""
        pictures = (self.picture(number, picture) for number, picture in enumerate(asking.pictures, 1))
        return (self.system(), *pictures, self.question(asking))

    def system(self) -> Node:
        return Node(NodeKind.SYSTEM, (Trusted(self.shape.head + words.SYSTEM + self.shape.between),))

    def picture(self, number: int, picture: Picture) -> Node:
        title = Trusted(words.PICTURE.format(number=number))
        return Node(NodeKind.PICTURE, (title, picture, Trusted(words.PICTURE_END)))

    def question(self, asking: Asking) -> Node:
        before = words.SEEN_PICTURE if asking.pictures else words.UNSEEN_PICTURE if asking.unseen else ""
        parts = self._framed(words.QUESTION, asking.question, before=before)
        if asking.reference is not None:
            parts += self._framed(words.REFERENCE, asking.reference)
        return Node(NodeKind.QUESTION, parts)

    def response(self, text: str) -> Node:
        return Node(NodeKind.RESPONSE, self._framed(words.RESPONSE, text))

    def check(self, check: CheckText, turn: int = 0, reasoned: bool = False) -> Node:
        """The check, its legend, and the cue: for a letter at once, or for a reason that comes before the letter."""
        order = option_order(self.seed, check, turn)
        legend = words.BETWEEN_OPTIONS.join(
            words.OPTION.format(letter=letter, meaning=words.MEANINGS[verdict])
            for letter, verdict in zip(words.LETTERS, order, strict=False)
        )
        ask, cue = (words.ASK_REASONED, words.REASON_PREFILL) if reasoned else ("", words.PREFILL)
        after = legend + ask + self.shape.tail + cue
        return Node(NodeKind.CHECK, self._framed(words.CHECK[check.kind], check.text, "", words.CLOSE_CHECK, after))

    @property
    def cue(self) -> str:
        """The words right before the label: the letters must be single tokens after them."""
        return self.shape.tail + words.PREFILL

    def _framed(
        self, title: str, text: str, before: str = "", close: str = words.CLOSE, after: str = ""
    ) -> tuple[Part, ...]:
        """Somebody's text between two codes that do not stand in it."""
        code = code_for(self.seed, title, text)
        opening = before + words.OPEN.format(title=title, code=code)
        return (Trusted(opening), Untrusted(text), Trusted(close.format(code=code) + after))
