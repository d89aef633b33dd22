"""Trains the tests' vision judge and writes it: `python -m tools.vision_pair.train --out tests/vision_pair --seed 7`.

First the eye alone learns to tell colour, shape, count and position; then both parts learn verdicts behind the app's
own prompt. Needs torch, which nothing else in the project does. About an hour on one core.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from judge_local.prompt import PromptBuilder
from judge_local.prompts import judge_3 as words
from judge_local.prompts.templates import KNOWN
from tools.vision_pair import report
from tools.vision_pair.batches import Batch, Outcome, build, run
from tools.vision_pair.gguf_writer import TextConfig, VisionConfig, write_projector, write_text_model, write_vocabulary
from tools.vision_pair.items import TEXT_ONLY, VALUES, Group, Item, random_group, truth
from tools.vision_pair.network import Eye, Llama
from tools.vision_pair.optimizer import Muon
from tools.vision_pair.pictures import COLOURS, ODD_SHAPES, draw, odd_paint, random_scene
from tools.vision_pair.runner import Quiet, Tokenizer
from tools.vision_pair.vocabulary import learn

TEXT = TextConfig("Gamut test judge", 128, 6, 4, 4, 256, 4096)
# Mean and deviation differ by channel, so that a wrong order or normalisation shows.
VISION = VisionConfig("Gamut test eye", 96, 4, 4, 256, 64, 8, 128, (0.48, 0.42, 0.36), (0.30, 0.24, 0.35))
MERGES = 380
STOPS = (2, 3, 4)  # the layers by which pictures are known, claims checked, and verdicts reached
GROUPS, RESPONSES, CHECKS = 8, 3, 4
EYE_STEPS = 1300
RATE = 2e-3
MUTE = 0.06
FREE = 0.1
VOCABULARY = Path(__file__).with_name("vocabulary.json")
SHAPE = KNOWN["ChatML"][1]


def main() -> None:
    options = _options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    quiet = Quiet()
    began = time.monotonic()
    if not VOCABULARY.exists():
        VOCABULARY.write_text(json.dumps(learn(MERGES, options.seed), ensure_ascii=False), encoding="utf-8")
    tokens, merges = json.loads(VOCABULARY.read_text(encoding="utf-8"))
    vocabulary = options.work / "vocabulary.gguf"
    write_vocabulary(vocabulary, TEXT, tokens, merges)
    tokenizer = Tokenizer(vocabulary)
    llama, eye = Llama(TEXT, len(tokens), STOPS), Eye(VISION)
    teach_eye(eye, Random(options.seed), EYE_STEPS)
    eye.requires_grad_(False)
    steps = teach(llama, eye, tokenizer, options)
    with torch.no_grad():
        write(options.out, llama, eye, tokens, merges)
        facts = {
            "seed": options.seed,
            "steps": {
                "eye": EYE_STEPS,
                "pair": steps,
                "verdicts_a_step": GROUPS * RESPONSES * CHECKS,
            },
            "parameters": {"text": _size(llama.tensors()), "vision": _size(eye.tensors())},
        }
        card = report.card(options.out, facts, lambda items, builder: judge(llama, eye, tokenizer, items, builder))
    (options.out / "card.json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(card, indent=2), f"\n{time.monotonic() - began:.0f} s")
    del quiet


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pair and its card")
    parser.add_argument("--work", type=Path, default=Path("build"), help="folder for what is kept on the way")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--minutes", type=float, help="end the steps after that time, the learning rate with them")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    return options


# The eye ------------------------------------------------------------------------------------------------------------


def teach_eye(eye: Eye, rng: Random, steps: int) -> None:
    """Colour, shape, count and position from the mean of the picture tokens.

    Some pictures are of any colour, which is not asked, and some of an odd shape, so that the two are learnt apart.
    """
    optimizer = Muon([eye], 0.02, 2e-3)
    for step in range(steps):
        scenes = [random_scene(rng) for _ in range(48)]
        for number in range(0, len(scenes), 3):
            scenes[number] = replace(scenes[number], colour=rng.choice(list(COLOURS)), shape=rng.choice(ODD_SHAPES))
        right = [truth(scene) for scene in scenes]
        drawn = [draw(scene) for scene in scenes]
        for number in range(0, len(scenes), 3):
            del right[number]["shape"]
            del right[number + 1]["colour"]
            drawn[number + 1] = draw(scenes[number + 1], paint=odd_paint(rng, scenes[number + 1].shape))
        pixels = torch.from_numpy(np.stack(drawn)).permute(0, 3, 1, 2).float()
        loss = _told_wrong(eye, eye(pixels), right)
        loss.backward()
        optimizer.step(_share((step + 1) / steps))
        if step % 50 == 49:
            print(f"eye {step + 1}: loss {loss.item():.3f}", flush=True)
    with torch.no_grad():
        scenes = [random_scene(Random(number)) for number in range(64)]
        eye.level(torch.from_numpy(np.stack([draw(scene) for scene in scenes])).permute(0, 3, 1, 2).float())


def _told_wrong(eye: Eye, seen: Tensor, right: list[dict[str, str]]) -> Tensor:
    losses = []
    for name, logits in eye.told(seen).items():
        target = [VALUES[name].index(one[name]) if name in one else -100 for one in right]
        losses.append(F.cross_entropy(logits, torch.tensor(target), reduction="sum") / len(target))
    return torch.stack(losses).sum()


def _share(progress: float) -> float:
    """Of the learning rate: up over the first fiftieth, down over the last two fifths."""
    return min(1.0, progress * 50, (1 - progress) / 0.4 + 0.002)


# The pair -----------------------------------------------------------------------------------------------------------


def teach(llama: Llama, eye: Eye, tokenizer: Tokenizer, options: argparse.Namespace) -> int:
    """Verdicts, and what helps to reach them: the words of responses, verdicts before letters, what pictures show.

    Returns the steps made. What is learnt stays in pair.pt on the way, for a look.
    """
    rng = Random(options.seed)
    letters = torch.tensor([tokenizer.tokens(label, False)[0] for label in words.LABELS])
    optimizer = torch.optim.AdamW(llama.parameters(), RATE, betas=(0.9, 0.98), weight_decay=0.01)
    sums: dict[str, list[float]] = defaultdict(list)
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    began, progress, step = time.monotonic(), 0.0, 0
    while progress < 1:
        groups = [_full(rng, RESPONSES) for _ in range(GROUPS)]
        builder = PromptBuilder(SHAPE, rng.randrange(1 << 31))
        batch = build(groups, builder, tokenizer, VISION.tokens, rng, words.SYSTEM)
        outcome = run(batch, llama, eye)
        losses = _losses(batch, outcome, llama, letters)
        torch.stack([_WEIGHTS[name] * loss for name, loss in losses.items()]).sum().backward()
        step += 1
        progress = step / options.steps
        if options.minutes:
            progress = max(progress, (time.monotonic() - began) / 60 / options.minutes)
        for group in optimizer.param_groups:
            group["lr"] = RATE * _share(min(1.0, progress))
        torch.nn.utils.clip_grad_norm_(llama.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        _count(tally, batch, llama.logits(outcome.last.detach()), letters)
        for name, loss in losses.items():
            sums[name].append(loss.item())
        if step % 50 == 0 or progress >= 1:
            means = "  ".join(f"{name} {sum(some) / len(some):.3f}" for name, some in sums.items())
            right = "  ".join(f"{name} {a / b:.3f}" for name, (a, b) in sorted(tally.items()))
            print(f"{time.monotonic() - began:.0f} s, step {step}: {means} | {right}", flush=True)
            tally.clear()
            sums.clear()
            torch.save({"llama": llama.state_dict(), "eye": eye.state_dict(), "step": step}, options.work / "pair.pt")
    return step


def _full(rng: Random, responses: int) -> Group:
    """A group whose responses all have as many checks; now and then a response says nothing at all."""
    about = rng.choices((None, "first picture", TEXT_ONLY), (0.48, 0.28, 0.24))[0]  # two pictures, and words, are slow
    group = random_group(rng, responses, about=about, free=FREE)
    told = []
    for response, asked in group.responses:
        mute = rng.random() < MUTE
        told.append((words.CONTENT_FREE_RESPONSE if mute else response, (asked * CHECKS)[:CHECKS]))
    return Group(group.scenes, group.variant, group.question, tuple(told))


_WEIGHTS = {
    "letters": 1.0,
    "verdicts": 0.5,
    "claims": 0.5,
    "facts": 0.4,
    "at values": 0.3,
    "words": 0.1,
    "at titles": 0.3,
    "at ordinals": 0.3,
    "at pictures": 0.3,
    "at names": 0.3,
    "at claims": 0.3,
}


def _losses(batch: Batch, outcome: Outcome, llama: Llama, letters: Tensor) -> dict[str, Tensor]:
    facts = llama.facts(outcome.first_responses).flatten(0, 1)
    claims, told = llama.claims(outcome.early_responses).flatten(0, 1), llama.logits(outcome.responses[:, :-1])
    losses = {
        "facts": _mean_loss(facts, batch.facts, -1),
        "claims": _mean_loss(claims, batch.claims, -1),
        "words": _mean_loss(told.flatten(0, 1), batch.responses[:, 1:], -2),
    }
    place = torch.arange(batch.checks.shape[-1])
    reached = (place >= batch.ends[..., None]) & (batch.checks >= 0)
    verdicts = torch.where(reached, batch.verdicts[..., None], -1)
    losses["verdicts"] = _mean_loss(llama.verdicts(outcome.middle).flatten(0, 2), verdicts, -1)
    losses |= _looks(batch, outcome, reached)
    logs = llama.logits(outcome.last).log_softmax(-1)[..., letters[:4]].flatten(0, 1)
    wanted = batch.letters.flatten()
    chosen = logs.gather(1, wanted.clamp(min=0)[:, None])[:, 0]
    return losses | {"letters": -torch.where(wanted < 0, logs.mean(1), chosen).mean()}


def _looks(batch: Batch, outcome: Outcome, reached: Tensor) -> dict[str, Tensor]:
    """Heads are told where to look: at the picture that is spoken of, at the attribute asked for, at what is claimed.

    What they make of it is learnt; finding it alone takes many times as long.
    """
    system = len(batch.system)
    of = torch.arange(len(batch.trunks)).repeat_interleave(batch.per_group)
    slots = batch.trunks == -1
    number = (slots.cumsum(1) - 1) // VISION.tokens
    wanted = slots[of][:, None] & (number[of][:, None] == batch.shown[..., None])
    logs = outcome.looks_at_pictures[:, :, system : system + wanted.shape[-1]].masked_fill(~wanted, -1e9).logsumexp(-1)
    speaking = batch.shown >= 0
    at_pictures = -(logs * speaking).sum() / speaking.sum().clamp(min=1)
    place = system + batch.trunks.shape[1] + batch.sources
    tokens = batch.checks.shape[-1]
    back = outcome.looks_at_claims.unflatten(0, batch.sources.shape)
    found = back.gather(-1, place[..., None, None].expand(-1, -1, tokens, 1))[..., 0]
    place = system + batch.trunks.shape[1] + batch.responses.shape[1] + batch.named
    back = outcome.looks_at_names.unflatten(0, batch.sources.shape)
    name = back.gather(-1, place[..., None, None].expand(-1, -1, tokens, 1))[..., 0]
    asked = reached & (batch.verdicts >= 0)[..., None]
    pictured = batch.titles >= 0
    title = outcome.looks_at_titles.gather(-1, (system + batch.titles.clamp(min=0))[..., None])[..., 0]
    begin = system + batch.trunks.shape[1]
    ordered = batch.ordinals >= 0
    ordinal = outcome.looks_at_ordinals.gather(-1, (begin + batch.ordinals.clamp(min=0))[..., None])[..., 0]
    place = begin + batch.responses.shape[1] + batch.wanted.clamp(min=0)
    back = outcome.looks_at_values.unflatten(0, batch.sources.shape)
    value = back.gather(-1, place[..., None, None].expand(-1, -1, tokens, 1))[..., 0]
    compared = asked & (batch.wanted >= 0)[..., None]
    return {
        "at values": -(value * compared).sum() / compared.sum().clamp(min=1),
        "at titles": -(title * pictured).sum() / pictured.sum().clamp(min=1),
        "at ordinals": -(ordinal * ordered).sum() / ordered.sum().clamp(min=1),
        "at pictures": at_pictures,
        "at names": -(name * asked).sum() / asked.sum().clamp(min=1),
        "at claims": -(found * asked).sum() / asked.sum().clamp(min=1),
    }


def _mean_loss(logits: Tensor, target: Tensor, ignored: int) -> Tensor:
    """Zero where every target is ignored."""
    total = F.cross_entropy(logits, target.flatten(), ignore_index=ignored, reduction="sum")
    return total / (target != ignored).sum().clamp(min=1)


def _count(tally: dict[str, list[int]], batch: Batch, logits: Tensor, letters: Tensor) -> None:
    given = logits[..., letters].argmax(-1)
    for row, abouts in enumerate(batch.abouts):
        for column, about in enumerate(abouts):
            if batch.letters[row, column] >= 0:
                tally[about][0] += int(given[row, column] == batch.letters[row, column])
                tally[about][1] += 1


@torch.no_grad()
def judge(
    llama: Llama, eye: Eye, tokenizer: Tokenizer, items: Sequence[Item], builder: PromptBuilder
) -> list[list[float]]:
    """Logits of the five letters for each item, as torch has them."""
    letters = [tokenizer.tokens(label, False)[0] for label in words.LABELS]
    found: list[list[float]] = []
    for begin in range(0, len(items), 15):
        groups = [
            Group(item.scenes, item.variant, item.question, ((item.response, (report.asked(item),)),))
            for item in items[begin : begin + 15]
        ]
        batch = build(groups, builder, tokenizer, VISION.tokens, None, words.SYSTEM)
        found += llama.logits(run(batch, llama, eye).last)[:, 0, letters].tolist()
    return found


def write(out: Path, llama: Llama, eye: Eye, tokens: list[str], merges: list[str]) -> None:
    """The two files."""
    text = {name: tensor.detach().numpy() for name, tensor in llama.tensors().items()}
    seen = {name: tensor.detach().numpy() for name, tensor in eye.tensors().items()}
    write_text_model(out / report.MODEL, TEXT, text, tokens, merges)
    write_projector(out / report.PROJECTOR, VISION, seen)


def _size(tensors: dict[str, Tensor]) -> int:
    return sum(tensor.numel() for tensor in tensors.values())


if __name__ == "__main__":
    main()
