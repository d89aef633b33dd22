"""How far hostile responses move verdicts: each against the same facts made harmless, by the same judge.

Tokens of ours do not move (tests/judge/test_hostile_tokens.py); what a model makes of words may. Each item is asked
three times: hostile, harmless, and a second harmless one with other small talk in it, whose movement is what any words
of that length would have done. Prints Markdown tables. Run from the tree:

    python -m benchmarks.hostile --threads 2
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp

import numpy as np

from gamut_desktop.wiring import BUNDLED, KEYWORD, Wiring
from judge_local.port import Answer, Asking, Judge
from models.verdicts import Outcome, Variant, Verdict
from tests.hostile import CORPUS, FAMILIES, Hostile

BOOTSTRAPS = 2000
CREDIT = {Verdict.MEETS: 2, Verdict.PARTIALLY_MEETS: 1, Verdict.MISSING: 0, Verdict.CONTRADICTS: -1}


@dataclass(frozen=True)
class Move:
    """One check of one item, before (harmless) and after (hostile, or the other harmless one)."""

    item: str
    family: str
    absent: bool
    before: Answer
    after: Answer

    @property
    def decided(self) -> bool:
        """Whether both got a verdict."""
        return self.before.outcome is Outcome.VERDICT is self.after.outcome

    @property
    def changed(self) -> bool:
        return (self.before.outcome, self.before.verdict) != (self.after.outcome, self.after.verdict)

    @property
    def towards_meets(self) -> bool:
        """The verdict is a better one now; a check without a verdict before or after counts as not moved."""
        if self.before.verdict is None or self.after.verdict is None:
            return False
        return CREDIT[self.after.verdict] > CREDIT[self.before.verdict]

    @property
    def rise(self) -> float:
        """P(meets) after minus before."""
        return p_meets(self.after) - p_meets(self.before)


def p_meets(answer: Answer) -> float:
    """The judge's probability of "meets" among the five labels; a judge of words alone says 0 or 1."""
    if answer.log_probabilities is not None:
        return exp(answer.log_probabilities[0])
    return float(answer.verdict is Verdict.MEETS)


def moves(judge: Judge, items: Sequence[Hostile]) -> tuple[list[Move], list[Move], Counter[str]]:
    """(harmless to hostile, harmless to other harmless, items that were too long) over all items and checks."""
    attacks: list[Move] = []
    controls: list[Move] = []
    too_long: Counter[str] = Counter()
    for number, item in enumerate(items, 1):
        print(f"\r{judge.id}: {number}/{len(items)}", end="", file=sys.stderr, flush=True)
        asked = [answers(judge, item, item.text)]
        if not any(answer.outcome is Outcome.TOO_LONG for answer in asked[0]):
            asked += [answers(judge, item, text) for text in (item.harmless, item.second)]
        if any(answer.outcome is Outcome.TOO_LONG for each in asked for answer in each):
            too_long[item.family] += 1
            continue
        hostile, harmless, second = asked
        attacks += _moves(item, harmless, hostile)
        controls += _moves(item, harmless, second)
    print(file=sys.stderr)
    return attacks, controls, too_long


def answers(judge: Judge, item: Hostile, response: str) -> list[Answer]:
    """The judge's answers to the item's checks about that response, in checklist order."""
    asking = Asking(item.topic.question, response, item.topic.checks, Variant.TEXT)
    found = dict(judge.judge(asking, lambda: False))
    return [found[index] for index in range(len(asking.checks))]


def _moves(item: Hostile, before: list[Answer], after: list[Answer]) -> Iterator[Move]:
    for index, (one, other) in enumerate(zip(before, after, strict=True)):
        yield Move(item.id, item.family, index >= len(item.topic.stated), one, other)


def row(name: str, found: list[Move], too_long: int, seed: int) -> str:
    """One line of the table; the interval is from a bootstrap over items, whose checks are not independent."""
    if not found:
        return f"| {name} | 0 | {too_long} | – | – | – |"
    by_item: dict[str, list[float]] = {}
    for move in found:
        by_item.setdefault(move.item, []).append(move.rise)
    sums = np.array([(sum(rises), len(rises)) for rises in by_item.values()])
    drawn = np.random.default_rng(seed).integers(len(sums), size=(BOOTSTRAPS, len(sums)))
    totals = sums[drawn].sum(axis=1)
    low, high = np.percentile(totals[:, 0] / totals[:, 1], [2.5, 97.5])
    mean = np.mean([move.rise for move in found])
    cells = (
        f"{len(by_item)} | {too_long} | {np.mean([m.changed for m in found]):.0%}",
        f"{np.mean([m.towards_meets for m in found]):.0%} | {mean:+.3f} ({low:+.3f} to {high:+.3f})",
    )
    return f"| {name} | {' | '.join(cells)} |"


def tables(judge_id: str, attacks: list[Move], controls: list[Move], too_long: Counter[str], seed: int) -> str:
    """The judge's table as Markdown."""
    absent = [move for move in attacks if move.absent]
    lines = [
        f"### {judge_id}: {len(attacks)} checks",
        "",
        "| family | items | too long | verdicts changed | towards meets | change of P(meets), 95 % |",
        "|---|---|---|---|---|---|",
        *(row(f, [m for m in attacks if m.family == f], too_long[f], seed) for f in FAMILIES),
        row("**all**", attacks, too_long.total(), seed),
        row("all, facts that are absent", absent, too_long.total(), seed),
        row("*other small talk instead*", controls, too_long.total(), seed),
        row("*the same, absent facts*", [move for move in controls if move.absent], too_long.total(), seed),
        "",
        f"Without a verdict before or after: {sum(not move.decided for move in attacks)} of {len(attacks)} checks"
        f" (other small talk: {sum(not move.decided for move in controls)}). Verdicts before:"
        f" {_tally(move.before for move in controls)}; hostile: {_tally(move.after for move in attacks)}.",
    ]
    return "\n".join(lines)


def _tally(found: Iterator[Answer]) -> str:
    counted = Counter((a.verdict or a.outcome).value.replace("_", " ") for a in found)
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())


def main() -> None:
    """Ask both judges about the whole corpus, print the tables."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--threads", type=int, default=2)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--items", type=int, default=len(CORPUS), help="only every so many items, for a trial")
    reader.add_argument("--no-prior", action="store_true", help="do not subtract the judge's prior")
    asked = reader.parse_args()
    wiring = Wiring.of_user(lambda sentence: print(sentence, file=sys.stderr))
    update = {"threads": asked.threads, "subtract_prior": not asked.no_prior}
    settings = wiring.settings.model_copy(update={"judge": wiring.settings.judge.model_copy(update=update)})
    wiring = replace(wiring, settings=settings)
    items = CORPUS[:: max(1, len(CORPUS) // asked.items)]
    for judge_id in (KEYWORD, BUNDLED):
        with wiring.judge(judge_id) as judge:
            facts = dict(judge.ruler().facts)
            began = time.monotonic()
            print(tables(judge_id, *moves(judge, items), asked.seed))
            told = {name: facts[name] for name in ("prompt", "quantization", "context", "prior") if name in facts}
            print(f"\n{time.monotonic() - began:.0f} s; {told}\n", flush=True)


if __name__ == "__main__":
    main()
