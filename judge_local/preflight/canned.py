"""All canned items together, and the fingerprint of everything that preflight asks."""

import hashlib
from collections.abc import Sequence

from judge_local.preflight.facts import FACTS
from judge_local.preflight.hard import HARD
from judge_local.preflight.items import Item, Passage
from judge_local.preflight.lists import LISTS
from judge_local.preflight.scenes import SCENES, Scene
from models.provenance import canonical_json

PASSAGES: tuple[Passage, ...] = (*FACTS, *LISTS, *HARD)
ITEMS: tuple[Item, ...] = tuple(item for passage in PASSAGES for item in passage.items)


def fingerprint(passages: Sequence[Passage], scenes: Sequence[Scene]) -> str:
    """16 hex digits of sha256 over every text and true verdict: results of other items are not compared with these."""
    content = [
        *([p.question, p.response, [_content(item) for item in p.items]] for p in passages),
        *([s.question, s.response, _content(s.item), _drawn(s)] for s in scenes),
    ]
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()[:16]


def _content(item: Item) -> list[str]:
    return [item.id, item.category, item.check.kind, item.check.text, item.truth, item.rule]


def _drawn(scene: Scene) -> list[object]:
    return [[drawing.shape, list(drawing.colour), drawing.count] for drawing in (scene.right, scene.wrong)]


FINGERPRINT = fingerprint(PASSAGES, SCENES)
