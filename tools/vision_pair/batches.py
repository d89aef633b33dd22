"""Turns groups into one training batch, token by token what the app's prompt builder and llama.cpp's tokenizer give.

A batch is a tree: one system text, its groups (pictures and question), their responses, their checks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import torch
from torch import Tensor

from judge_local.port import Asking, Picture
from judge_local.prompt import Node, PromptBuilder, option_order
from judge_local.prompts import judge_3 as words
from models.verdicts import Verdict
from tools.vision_pair.items import VALUES, Asked, Group, truth
from tools.vision_pair.network import Eye, Llama
from tools.vision_pair.pictures import Scene, picture
from tools.vision_pair.runner import Tokenizer

_SLOT = -1  # where a picture token stands
_VERDICTS = tuple(Verdict)


@dataclass
class Batch:
    """Padded ids with their lengths at each level, and what is right.

    system (tokens,); trunks (groups, tokens), `_SLOT` for pictures; responses (groups * r, tokens); checks
    (groups * r, c, tokens). verdicts: index into Verdict, letters: 0..3, both (groups * r, c), -1 where every letter
    is as good (a response that says nothing at all is the judge's prior). ends: where each check's own text is over.
    abouts: the kind of each check.

    At the words of responses that claim a value (-1 elsewhere): claims, whether it is right (1 or 0); shown, the number
    of the picture they speak of (0 or 1); ordinals, the place of the word that says so; facts, what that picture shows
    (index over all values). For each check: sources, the place in its response where what it asks is claimed, 0 where
    it is not; named, where in the check its attribute, or its picture, is named; wanted, where a value is named, -1
    where none is. titles: at picture tokens, the place in the trunk of what stands before the picture, -1 elsewhere.
    """

    system: Tensor
    pixels: Tensor
    trunks: Tensor
    responses: Tensor
    checks: Tensor
    verdicts: Tensor
    letters: Tensor
    ends: Tensor
    claims: Tensor
    abouts: list[list[str]]
    shown: Tensor
    sources: Tensor
    named: Tensor
    ordinals: Tensor
    titles: Tensor
    facts: Tensor
    wanted: Tensor

    @property
    def per_group(self) -> int:
        return self.responses.shape[0] // self.trunks.shape[0]


@dataclass
class Outcome:
    """States of checks, early (rows, c, tokens, width) and at the end (rows, c, width); of responses; of pictures."""

    first_responses: Tensor
    middle: Tensor
    last: Tensor
    early_responses: Tensor
    responses: Tensor
    seen: Tensor
    looks_at_pictures: Tensor
    looks_at_titles: Tensor
    looks_at_ordinals: Tensor
    looks_at_values: Tensor
    looks_at_names: Tensor
    looks_at_claims: Tensor


def build(
    groups: Sequence[Group],
    builder: PromptBuilder,
    tokenizer: Tokenizer,
    image_tokens: int,
    rng: Random | None,
    system: str,
    legend: bool = True,
) -> Batch:
    """All groups have as many responses, all responses as many checks. rng: turns the option orders; None: turn 0.

    legend: False ends every check where its own text ends; no letter is asked for then.
    """

    def ids(node: Node) -> list[int]:
        found: list[int] = []
        for stretch in tokenizer.stretches(node.parts):
            found += [_SLOT] * image_tokens if isinstance(stretch, Picture) else list(stretch)
        return found

    pixels, trunks, responses, checks, verdicts, letters, claims, ends = [], [], [], [], [], [], [], []
    shown_at, sources, named, ordinals, facts, wanted = [], [], [], [], [], []
    for group in groups:
        pictures = tuple(picture(scene) for scene in group.scenes)
        pixels += [torch.frombuffer(bytearray(p.rgb), dtype=torch.uint8).view(p.height, p.width, 3) for p in pictures]
        stem = builder.stem(Asking(group.question, "", (), group.variant, pictures))
        trunks.append([token for node in stem[1:-1] for token in ids(node)])
        for response, asked in group.responses:
            responses.append(ids(builder.response(response)))
            right, which, places, said, fact = _claims(responses[-1], group.scenes, tokenizer)
            ordinals.append(said)
            facts.append(fact)
            claims.append(right)
            shown_at.append(which)
            mute = response == words.CONTENT_FREE_RESPONSE
            for one in asked:
                turn = rng.randrange(4) if rng else 0
                node = builder.check(one.check, turn)
                checks.append(ids(node))
                ends.append(len(ids(Node(node.kind, node.parts[:-1]))))
                if not legend:
                    del checks[-1][ends[-1] + 1 :]
                order = option_order(builder.seed, one.check, turn)
                letters.append(-1 if mute else order.index(one.verdict))
                verdicts.append(-1 if mute else _VERDICTS.index(one.verdict))
                sources.append(places.get(_attribute(one), 0))
                told = [i for i, t in enumerate(checks[-1]) if tokenizer.word(t).strip() in _VALUES]
                wanted.append(told[-1] if told else -1)
                telling = _ORDINALS if len(group.scenes) > 1 else _NAMES
                named.append(next(i for i, t in enumerate(checks[-1]) if tokenizer.word(t).strip() in telling))
    each = len(groups[0].responses[0][1])
    shown = torch.stack(pixels).permute(0, 3, 1, 2).float() if pixels else torch.zeros(0, 3, 1, 1)
    return Batch(
        torch.tensor(tokenizer.tokens(builder.shape.head + system + builder.shape.between, True)),
        shown,
        _padded(trunks),
        _padded(responses),
        _padded(checks).unflatten(0, (-1, each)),
        torch.tensor(verdicts).view(-1, each),
        torch.tensor(letters if legend else [-1] * len(letters)).view(-1, each),
        torch.tensor(ends).view(-1, each),
        _padded(claims).clamp(min=-1),
        [[one.about for one in asked] for group in groups for _, asked in group.responses],
        _padded(shown_at).clamp(min=-1),
        torch.tensor(sources).view(-1, each),
        torch.tensor(named).view(-1, each),
        _padded(ordinals).clamp(min=-1),
        _padded([_titles(trunk) for trunk in trunks]).clamp(min=-1),
        _padded(facts).clamp(min=-1),
        torch.tensor(wanted).view(-1, each),
    )


def _titles(trunk: list[int]) -> list[int]:
    last, found = -1, []
    for place, token in enumerate(trunk):
        last = last if token == _SLOT else place
        found.append(last if token == _SLOT else -1)
    return found


_NAMES = ("colour", "shape", "number", "position")
_ATTRIBUTE = re.compile(f"the ({'|'.join(_NAMES)})")


def _attribute(one: Asked) -> tuple[str, int]:
    """The attribute that a check is about, and of which picture."""
    match = _ATTRIBUTE.search(one.check.text)
    assert match is not None
    return match[1].replace("number", "count"), int("second" in one.check.text)


def _claims(
    response: list[int], scenes: Sequence[Scene], tokenizer: Tokenizer
) -> tuple[list[int], list[int], dict[tuple[str, int], int], list[int], list[int]]:
    """For each token of a response: whether the value it claims is what the pictures show, and of which picture it
    speaks, -1 where it claims none; by attribute and picture where its value stands; where a claim's picture is named;
    and what is shown."""
    right, shown, places, ordinals, facts = [], [], {}, [], []
    which, at = 0, -1
    for place, token in enumerate(response):
        word = tokenizer.word(token).strip().lower()
        if word in _ORDINALS:
            which, at = _ORDINALS[word], place
        truths = truth(scenes[which]) if which < len(scenes) else {}
        claimed = next((name for name, values in VALUES.items() if word.removesuffix("s") in values), "")
        if len(scenes) > 1 and claimed != "colour":
            claimed = ""
        if claimed:
            places[claimed, which] = place
        right.append(int(truths[claimed] == word.removesuffix("s")) if claimed in truths else -1)
        shown.append(which if claimed in truths else -1)
        ordinals.append(at if claimed in truths else -1)
        facts.append(_VALUES.index(truths[claimed]) if claimed in truths else -1)
    return right, shown, places, ordinals, facts


_VALUES = [value for values in VALUES.values() for value in values]


_ORDINALS = {"first": 0, "second": 1, "then": 1}


def _padded(rows: list[list[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [_PAD] * (longest - len(row)) for row in rows])


_PAD = -2


def run(batch: Batch, llama: Llama, eye: Eye) -> Outcome:
    """Every check as if its own path stood alone."""
    start = len(batch.system)
    real = torch.ones(1, 1, start, dtype=torch.bool)
    _, _, past, _ = llama(llama.embedding(batch.system)[None, None], torch.arange(start)[None, None], real, None)

    groups, tokens = batch.trunks.shape
    seen = eye(batch.pixels) if len(batch.pixels) else torch.zeros(0, 0, llama.config.width)
    x = llama.embedding(batch.trunks.clamp(min=0))
    x = x.masked_scatter((batch.trunks == _SLOT)[..., None], seen)
    real = batch.trunks != _PAD
    positions = (start + torch.arange(tokens)).expand(groups, -1)
    past = past.at(torch.zeros(groups, dtype=torch.long))
    _, _, past, titles = llama(x[:, None], positions[:, None], real[:, None], past)

    of = torch.arange(groups).repeat_interleave(batch.per_group)
    begin = start + real.sum(1)[of]
    real = batch.responses != _PAD
    positions = begin[:, None] + torch.arange(real.shape[1])
    x = llama.embedding(batch.responses.clamp(min=0))
    early, told, past, looks = llama(x[:, None], positions[:, None], real[:, None], past.at(of))

    begin = begin + real.sum(1)
    _, each, tokens = batch.checks.shape
    real = batch.checks != _PAD
    positions = (begin[:, None] + torch.arange(tokens))[:, None].expand(-1, each, -1)
    x = llama.embedding(batch.checks.clamp(min=0))
    states, last, _, looks_back = llama(x, positions, real, past, real.sum(2) - 1)
    return Outcome(
        early[0][:, 0],
        states[2],
        last[:, :, 0],
        early[1][:, 0],
        told[:, 0],
        seen,
        looks[1],
        titles[0],
        looks[0],
        looks_back[1],
        looks_back[2],
        looks_back[3],
    )
