"""Measures an exported pair as tests will use it, through llama.cpp, and holds it against its torch original.

No torch here: the original comes in as a function from items to logits.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from judge_local.port import Asking, Picture
from judge_local.prompt import PROMPT_VERSION, PromptBuilder, option_order
from judge_local.prompts import judge_3 as words
from judge_local.prompts.templates import KNOWN
from judge_local.reading import Reading, answer, read
from models.verdicts import Verdict
from tools.vision_pair.items import ABOUT, PICTURE_CHECKS, TEXT_ONLY, Asked, Item, items
from tools.vision_pair.pictures import HELD_OUT, SIDE, as_picture, draw, grey_picture, picture
from tools.vision_pair.runner import LlamaPair, versions

MODEL = "tiny-vision.f16.gguf"
PROJECTOR = "mmproj-tiny-vision.f16.gguf"
PER_KIND = 120
SEEDS = (0, 1, 7, 4242)  # of the prompt builder: four option orders and sets of codes
_ITEM_SEED = 990_001  # no item of training is drawn from it
_SIZES = (48, 100, 160, 333)

Original = Callable[[Sequence[Item], PromptBuilder], list[list[float]]]
Shown = Callable[[Item], tuple[Picture, ...]]


def card(out: Path, facts: Mapping[str, Any], original: Original) -> dict[str, Any]:
    """Everything that card.json says. `original`: torch's logits of the five letters, for parity."""
    pair = LlamaPair(out / MODEL, out / PROJECTOR)
    try:
        return {
            **facts,
            "files": {name: _file(out / name) for name in (MODEL, PROJECTOR)},
            "prompt": PROMPT_VERSION,
            "llama_cpp": versions(),
            "held_out_combinations": sorted(" ".join(both) for both in HELD_OUT),
            **_accuracy(pair, original),
            "without_the_right_picture": _blind(pair),
            "other_sizes": _sizes(pair),
            "with_prior_subtracted": _with_prior(pair),
        }
    finally:
        pair.close()


def asked(item: Item) -> Asked:
    """The item's check as a group holds it."""
    return Asked(item.check, item.verdict, item.about)


def verdict_of(logits: Sequence[float], item: Item, seed: int, turn: int = 0) -> Verdict | None:
    """The verdict at the largest of the five letters' logits; None: "cannot tell"."""
    best = int(np.argmax(logits))
    return option_order(seed, item.check, turn)[best] if best < 4 else None


def _file(path: Path) -> dict[str, Any]:
    raw = path.read_bytes()
    return {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}


def _builder(seed: int) -> PromptBuilder:
    return PromptBuilder(KNOWN["ChatML"][1], seed)


def _given(
    pair: LlamaPair, drawn: Iterable[Item], seed: int, shown: Shown | None = None
) -> tuple[list[list[float]], list[bool]]:
    """Logits of the letters through llama.cpp, and whether each verdict is right."""
    letters = [pair.tokens(label, False)[0] for label in words.LABELS]
    builder = _builder(seed)
    found, right = [], []
    for item in drawn:
        asking = item.asking(pictures=shown(item) if shown else None)
        logits = pair.logits(item.path(builder, asking=asking))[letters].tolist()
        found.append(logits)
        right.append(verdict_of(logits, item, seed) == item.verdict)
    return found, right


def _accuracy(pair: LlamaPair, original: Original) -> dict[str, Any]:
    by_kind: dict[str, dict[str, Any]] = {}
    worst, total, same, count, mean = 0.0, 0, 0, 0, 0.0
    for about in ABOUT:
        marks: dict[str, list[bool]] = defaultdict(list)
        for held_out in (False, True) if about != TEXT_ONLY else (False,):
            for number, seed in enumerate(SEEDS):
                size = PER_KIND // len(SEEDS) // (1 + held_out)
                drawn = list(items(_ITEM_SEED + number, size, about, held_out))
                ours, right = _given(pair, drawn, seed)
                theirs = original(drawn, _builder(seed))
                apart = np.abs(np.array(ours) - np.array(theirs))
                worst, mean = max(worst, float(apart.max())), mean + float(apart.sum())
                count += apart.size
                total += len(drawn)
                same += sum(int(np.argmax(a) == np.argmax(b)) for a, b in zip(ours, theirs, strict=True))
                name = "held-out combinations" if held_out else "llama.cpp"
                marks[name] += right
                if not held_out:
                    told = (verdict_of(one, item, seed) for one, item in zip(theirs, drawn, strict=True))
                    marks["torch"] += [a == item.verdict for a, item in zip(told, drawn, strict=True)]
                    for verdict in Verdict:
                        at = [ok for ok, item in zip(right, drawn, strict=True) if item.verdict is verdict]
                        marks[f"llama.cpp, {verdict.value}"] += at
        by_kind[about] = {name: _share(given) for name, given in marks.items() if given} | {
            "items": len(marks["llama.cpp"])
        }
    parity = {
        "verdicts": total,
        "same": same,
        "largest_difference_of_logits": round(worst, 4),
        "mean_difference_of_logits": round(mean / count, 5),
    }
    return {"accuracy": by_kind, "parity_of_llama_cpp_and_torch": parity}


def _blind(pair: LlamaPair) -> dict[str, Any]:
    """What is left when the picture is not there, shows nothing, or is another: over all checks that need one.

    The second figure leaves out the checks that the words alone decide (missing).
    """

    def red_for_blue(item: Item) -> tuple[Picture, ...]:
        return tuple(as_picture(draw(scene)[..., ::-1]) for scene in item.scenes)

    def upside_down(item: Item) -> tuple[Picture, ...]:
        return tuple(as_picture(draw(scene)[::-1]) for scene in item.scenes)

    ways: dict[str, tuple[Shown, tuple[str, ...]]] = {
        "right picture": (lambda item: tuple(picture(scene) for scene in item.scenes), tuple(PICTURE_CHECKS)),
        "no picture": (lambda item: (), tuple(PICTURE_CHECKS)),
        "grey picture": (lambda item: tuple(grey_picture() for _ in item.scenes), tuple(PICTURE_CHECKS)),
        "red and blue swapped, checks of colour": (red_for_blue, ("colour", "first picture", "second picture")),
        "upside down, checks of position": (upside_down, ("position",)),
        "two pictures in the other order": (
            lambda item: tuple(picture(scene) for scene in reversed(item.scenes)),
            ("first picture", "second picture"),
        ),
    }
    found = {}
    for name, (shown, abouts) in ways.items():
        every, needing = [], []
        for number, seed in enumerate(SEEDS):
            drawn = [item for about in abouts for item in items(_ITEM_SEED + number, 40, about)]
            _, right = _given(pair, drawn, seed, shown)
            every += right
            needing += [ok for ok, item in zip(right, drawn, strict=True) if item.verdict is not Verdict.MISSING]
        found[name] = {"all": _share(every), "meets or contradicts": _share(needing)}
    return found


def _sizes(pair: LlamaPair) -> dict[str, float]:
    """The same scenes drawn at other sizes, fitted by mtmd."""
    found = {}
    for side in _SIZES:
        drawn = [item for about in PICTURE_CHECKS for item in items(_ITEM_SEED, 30, about)]
        _, right = _given(pair, drawn, SEEDS[0], lambda item, side=side: item.asking(side).pictures)  # type: ignore[misc]
        found[f"{side} x {side} for {SIDE} x {SIDE}"] = _share(right)
    return found


def _with_prior(pair: LlamaPair) -> dict[str, Any]:
    """As the app reads a verdict by default: what a response that says nothing gets is taken off."""
    letters = [pair.tokens(label, False)[0] for label in words.LABELS]
    marks: dict[str, list[bool]] = {}
    mass = math.inf
    for about in ABOUT:
        marks[about] = []
        for number, seed in enumerate(SEEDS):
            builder = _builder(seed)
            for item in items(_ITEM_SEED + 50 + number, 25, about):
                asking: Asking = item.asking()
                leaf = builder.check(item.check)
                order = option_order(seed, item.check)
                said = read(pair.logits((*builder.stem(asking), leaf)), letters, order)
                prior = read(pair.logits((*builder.prior_stem(asking), leaf)), letters, order)
                if not isinstance(said, Reading) or not isinstance(prior, Reading):
                    raise ValueError("the pair's numbers are not finite")
                mass = min(mass, said.mass)
                marks[about].append(answer(said, prior).verdict is item.verdict)
    return {name: _share(given) for name, given in marks.items()} | {"smallest label mass": round(mass, 4)}


def _share(given: Sequence[bool]) -> float:
    return round(sum(given) / len(given), 4)
