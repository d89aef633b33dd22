"""How well each judge tells present from absent facts, on a public set that people have labelled.

Reads sample.jsonl of the set REALSumm (a folder that you name; nothing of it is in this tree): criteria of summaries
with the verdicts of 3 or 4 people, majority taken, ties left out. Prints a Markdown table: AUC, kappa, accuracy, with
95 % intervals from a bootstrap over summaries, since criteria of one summary are not independent.

    python -m benchmarks.judge_quality PATH/realsumm --rows 40
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp
from pathlib import Path

import numpy as np
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from gamut_desktop.wiring import BUNDLED, KEYWORD, Wiring
from judge_local.keyword import content_words
from judge_local.port import Answer, Asking, Judge
from models.rubric.checklist import CheckText, Kind
from models.rubric.profile import states
from models.verdicts import Outcome, Variant, Verdict

QUESTION = "What does the text say?"
BOOTSTRAPS = 1000


@dataclass(frozen=True)
class Case:
    """One criterion of one summary: what people said, what the judge said, and how sure it was of "present"."""

    summary: int
    present: bool
    said_present: bool | None
    sureness: float


def rows_of(folder: Path, count: int, seed: int) -> list[dict]:
    """`count` summaries, drawn once by the seed."""
    rows = [json.loads(line) for line in (folder / "sample.jsonl").read_text(encoding="utf-8").splitlines()]
    return random.Random(seed).sample(rows, min(count, len(rows)))


def majority(verdicts: list[str]) -> bool | None:
    """Present, not present, or None for a tie."""
    present = sum(v == "p" for v in verdicts)
    return None if 2 * present == len(verdicts) else 2 * present > len(verdicts)


def cases(judge: Judge, rows: list[dict], sureness: Callable[[CheckText, str, Answer], float]) -> Iterator[Case]:
    """Ask the judge about every criterion that people agree on."""
    for number, row in enumerate(rows):
        wanted = [(c["text"], majority(c["human_verdict"])) for c in row["criteria"]]
        wanted = [(text, present) for text, present in wanted if present is not None]
        asks = tuple(CheckText(Kind.PRESENCE, states(text)) for text, _ in wanted)
        asking = Asking(QUESTION, row["response"], asks, Variant.TEXT)
        for index, answer in judge.judge(asking, lambda: False):
            said = None
            if answer.outcome is Outcome.VERDICT:
                said = answer.verdict is Verdict.MEETS
            yield Case(number, bool(wanted[index][1]), said, sureness(asks[index], row["response"], answer))
        print(f"\r{judge.id}: {number + 1}/{len(rows)}", end="", file=sys.stderr)
    print(file=sys.stderr)


def by_probability(_check: CheckText, _response: str, answer: Answer) -> float:
    """Expected credit: P(meets) + P(partially meets) / 2."""
    logs = answer.log_probabilities
    return exp(logs[0]) + exp(logs[1]) / 2 if logs else 0.0


def by_share(check: CheckText, response: str, _answer: Answer) -> float:
    """The share of the fact's content words in the response, which the keyword rule cuts at its thresholds."""
    wanted = set(content_words(check.text.removeprefix("States: ")))
    return len(wanted & set(content_words(response))) / len(wanted) if wanted else 0.0


def figures(found: list[Case]) -> dict[str, float]:
    """AUC over all; kappa and accuracy over the criteria that got a verdict, meets against the rest."""
    judged = [case for case in found if case.said_present is not None]
    truth, said = [c.present for c in judged], [bool(c.said_present) for c in judged]
    return {
        "AUC": float(roc_auc_score([c.present for c in found], [c.sureness for c in found])),
        "kappa": float(cohen_kappa_score(truth, said)),
        "accuracy": float(np.mean([a == b for a, b in zip(truth, said, strict=True)])),
    }


def with_intervals(found: list[Case], seed: int) -> dict[str, tuple[float, float, float]]:
    """Each figure with the ends of its 95 % interval."""
    draw = random.Random(seed)
    by_summary: dict[int, list[Case]] = {}
    for case in found:
        by_summary.setdefault(case.summary, []).append(case)
    samples = []
    for _ in range(BOOTSTRAPS):
        drawn = [case for _ in by_summary for case in by_summary[draw.choice(list(by_summary))]]
        if len({case.present for case in drawn}) == 2:
            samples.append(figures(drawn))
    point = figures(found)
    ends = {name: np.nanpercentile([s[name] for s in samples], [2.5, 97.5]) for name in point}
    return {name: (point[name], float(ends[name][0]), float(ends[name][1])) for name in point}


def main() -> None:
    """Measure the keyword judge and the bundled model, print the table."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("folder", type=Path)
    reader.add_argument("--rows", type=int, default=40)
    reader.add_argument("--seed", type=int, default=0)
    asked = reader.parse_args()
    rows = rows_of(asked.folder, asked.rows, asked.seed)
    print("| judge | criteria | with a verdict | AUC | kappa | accuracy | checks a second |")
    print("|---|---|---|---|---|---|---|")
    wiring = Wiring.of_user(lambda sentence: print(sentence, file=sys.stderr))
    for judge_id, sureness in ((KEYWORD, by_share), (BUNDLED, by_probability)):
        with wiring.judge(judge_id) as judge:
            judge.ruler()
            began = time.monotonic()
            found = list(cases(judge, rows, sureness))
            pace = len(found) / (time.monotonic() - began)
        shown = [f"{v:.2f} ({low:.2f} to {high:.2f})" for v, low, high in with_intervals(found, asked.seed).values()]
        judged = sum(case.said_present is not None for case in found)
        print(f"| {judge_id} | {len(found)} | {judged} | {' | '.join(shown)} | {pace:.1f} |", flush=True)


if __name__ == "__main__":
    main()
