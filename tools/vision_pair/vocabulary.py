"""Learns a small byte-level BPE from the prompts themselves, so that the fixed texts cost few tokens.

Every byte has a token, so any text can be told; the letters after "Answer:" and the words that claims are made of are
one token each.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from random import Random

from judge_local.prompt import PromptBuilder, Trusted, Untrusted
from judge_local.prompts import judge_3 as words
from judge_local.prompts.templates import KNOWN
from models.rubric.checklist import Kind
from tools.vision_pair.items import items

CONTROL = ("<|im_start|>", "<|im_end|>")
_WORDS = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?[^\s\w]+|\s+(?!\S)|\s+")
_CODES = re.compile(r"\[[b-z]{3,}\]")


def learn(merges: int, seed: int) -> tuple[list[str], list[str]]:
    """Tokens (bytes, one a merge, control tokens, fixed phrases) and merges, in GPT-2's spelling of bytes."""
    spelling = _spelling()
    counted = Counter(word for text in _texts(seed) for word in _WORDS.findall(text))
    found = dict.fromkeys(words.LABELS, 10**9)
    split = {word: [spelling[byte] for byte in word.encode()] for word in {**counted, **found}}
    weight = {**counted, **found}
    learnt: list[str] = []
    tokens = [spelling[byte] for byte in range(256)]
    while len(learnt) < merges:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, pieces in split.items():
            for pair in pairwise(pieces):
                pairs[pair] += weight[word]
        if not pairs:
            break
        (a, b), _ = max(pairs.items(), key=lambda one: (one[1], one[0]))
        learnt.append(f"{a} {b}")
        tokens.append(a + b)
        split = {word: _merged(pieces, a, b) for word, pieces in split.items()}
    return [*tokens, *CONTROL, *phrases()], learnt


def phrases() -> list[str]:
    """The prompt's fixed phrases, each one token of its own.

    So a path is short, and an option of the legend is one vector that holds letter and verdict together: the letter is
    found in one step. They are user-defined tokens, which the judge keeps out of what anybody wrote
    (judge_local/llama/words.py). A changed wording of the prompt needs a new training.
    """
    shape = KNOWN["ChatML"][1]
    legend = [
        words.OPTION.format(letter=letter, meaning=meaning) + end
        for letter, end in zip(words.LETTERS, (*[words.BETWEEN_OPTIONS] * 3, ""), strict=False)
        for meaning in words.MEANINGS.values()
    ]
    return [
        shape.head + words.SYSTEM + shape.between,
        *(words.PICTURE.format(number=number) for number in (1, 2)),
        *(before + words.QUESTION + " [" for before in (words.SEEN_PICTURE, words.UNSEEN_PICTURE, "")),
        words.RESPONSE + " [",
        *(title + " [" for title in words.CHECK.values()),
        *legend,
        shape.tail + words.PREFILL,
    ]


def _merged(pieces: list[str], a: str, b: str) -> list[str]:
    joined: list[str] = []
    for piece in pieces:
        if joined and joined[-1] == a and piece == b:
            joined[-1] = a + b
        else:
            joined.append(piece)
    return joined


def _texts(seed: int) -> Iterable[str]:
    """What the tokenizer is learnt from: many drawn prompts, without their codes, and the fixed texts."""
    builder = PromptBuilder(KNOWN["ChatML"][1], seed)
    for item in items(seed, 1500):
        for node in item.path(builder)[1:]:
            for part in node.parts:
                if isinstance(part, Trusted | Untrusted):
                    yield _CODES.sub("\n", part.text)
    for _ in range(20):
        yield words.SYSTEM
    for kind in Kind:
        yield words.CHECK[kind]
    yield from (words.REFERENCE, words.UNSEEN_PICTURE, words.CONTENT_FREE_RESPONSE, *plain_sentences(Random(seed), 50))


def _spelling() -> dict[int, str]:
    """GPT-2's printable character for each byte."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    spelling = {byte: chr(byte) for byte in shown}
    hidden = (byte for byte in range(256) if byte not in spelling)
    return spelling | {byte: chr(256 + n) for n, byte in enumerate(hidden)}


def system_text(rng: Random, whole: float) -> str:
    """The app's system text (with probability `whole`), else sentences of it and others, in any number and order."""
    if rng.random() < whole:
        return words.SYSTEM
    own = [sentence for line in words.SYSTEM.splitlines() for sentence in re.split(r"(?<=[.:]) ", line) if sentence]
    sentences = rng.sample(own, rng.randint(0, 6)) + plain_sentences(rng, rng.randint(0, 3))
    if rng.random() < 0.2:
        sentences = rng.sample(own, rng.randint(8, len(own))) + plain_sentences(rng, rng.randint(0, 15))
    rng.shuffle(sentences)
    return rng.choice((" ", "\n", "\n\n")).join(sentences) or "Grade."


def plain_sentences(rng: Random, count: int) -> list[str]:
    """Sentences that could stand in a system text and mean nothing to the task."""
    who = ("You", "The reader", "A person", "The judge", "Somebody", "An editor")
    does = ("reads", "considers", "compares", "weighs", "keeps in mind", "looks at", "goes through")
    what = ("every word", "the whole answer", "one check at a time", "the listed options", "each step", "the material")
    how = ("with care", "from start to end", "before choosing", "without haste", "in this order", "and nothing else")
    choices = (who, does, what, how)
    return [" ".join(rng.choice(some) for some in choices) + "." for _ in range(count)]
