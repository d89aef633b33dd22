"""How well each judge tells present from absent facts, on public sets that people have labelled.

Reads sample.jsonl of a set in a folder that you name; nothing of it is in this tree.
realsumm: criteria of summaries with the verdicts of 3 or 4 people; majority taken, ties left out.
factcheck_bench: claims taken from answers. A claim that people found true and left as it is stands in the answer; of a
claim that they corrected, the correction is asked for, which the answer does not state but contradicts.
Prints a Markdown table: AUC, kappa, accuracy, with 95 % intervals from a bootstrap over texts, since criteria of one
text are not independent.

    python -m benchmarks.judge_quality PATH/realsumm --rows 40 --judges keyword,direct,reasoned
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
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
MANNERS = {  # of the bundled model: what of the judge's settings differs
    "direct": {"style": "direct"},
    "direct, no prior": {"style": "direct", "subtract_prior": False},
    "direct, 4 orders": {"style": "direct", "orders": 4},
    "reasoned": {"style": "reasoned"},
    "reasoned, counted by code": {"style": "reasoned", "count_by_code": True},
}
BOOTSTRAPS = 1000


@dataclass(frozen=True)
class Labelled:
    """One text with criteria that people have decided: (text, whether it is present)."""

    question: str
    response: str
    criteria: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Case:
    """One criterion of one text: what people said, what the judge said, and how sure it was of "present"."""

    summary: int
    present: bool
    said_present: bool | None
    sureness: float


def rows_of(folder: Path, count: int, seed: int) -> list[Labelled]:
    """`count` texts, drawn once by the seed."""
    lines = (folder / "sample.jsonl").read_text(encoding="utf-8").splitlines()
    read = corrected if folder.name == "factcheck_bench" else summary
    rows = [row for line in lines if (row := read(json.loads(line))).criteria]
    return random.Random(seed).sample(rows, min(count, len(rows)))


def summary(row: dict) -> Labelled:
    """A row of REALSumm."""
    decided = [(each["text"], majority(each["human_verdict"])) for each in row["criteria"]]
    return Labelled(QUESTION, row["response"], tuple((text, here) for text, here in decided if here is not None))


def corrected(row: dict) -> Labelled:
    """A row of Factcheck-GPT's benchmark."""
    criteria = []
    for each in row["criteria"]:
        revised = ((each.get("extra") or {}).get("revised_claim") or "").strip()
        if each["human_verdict"] is True and revised in ("", each["text"].strip()):
            criteria.append((each["text"], True))
        elif each["human_verdict"] is False and revised and revised != each["text"].strip():
            criteria.append((revised, False))
    return Labelled(row["question"], row["response"], tuple(criteria))


def majority(verdicts: list[str]) -> bool | None:
    """Present, not present, or None for a tie."""
    present = sum(v == "p" for v in verdicts)
    return None if 2 * present == len(verdicts) else 2 * present > len(verdicts)


def cases(judge: Judge, rows: list[Labelled], sureness: Callable[[CheckText, str, Answer], float]) -> Iterator[Case]:
    """Ask the judge about every criterion."""
    for number, row in enumerate(rows):
        asks = tuple(CheckText(Kind.PRESENCE, states(text)) for text, _ in row.criteria)
        for index, answer in judge.judge(Asking(row.question, row.response, asks, Variant.TEXT), lambda: False):
            said = answer.verdict is Verdict.MEETS if answer.outcome is Outcome.VERDICT else None
            yield Case(number, row.criteria[index][1], said, sureness(asks[index], row.response, answer))
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
    reader.add_argument("--judges", default="keyword,direct,reasoned", help=f"keyword, or one of: {'; '.join(MANNERS)}")
    asked = reader.parse_args()
    rows = rows_of(asked.folder, asked.rows, asked.seed)
    print("| judge | criteria | with a verdict | AUC | kappa | accuracy | checks a second |")
    print("|---|---|---|---|---|---|---|")
    wiring = Wiring.of_user(lambda sentence: print(sentence, file=sys.stderr))
    for name in asked.judges.split(","):
        judge_id, sureness = (KEYWORD, by_share) if name == KEYWORD else (BUNDLED, by_probability)
        settings = wiring.settings.judge.model_copy(update=MANNERS.get(name, {}))
        manner = replace(wiring, settings=wiring.settings.model_copy(update={"judge": settings}))
        with manner.judge(judge_id) as judge:
            judge.ruler()
            began = time.monotonic()
            found = list(cases(judge, rows, sureness))
            pace = len(found) / (time.monotonic() - began)
        shown = [f"{v:.2f} ({low:.2f} to {high:.2f})" for v, low, high in with_intervals(found, asked.seed).values()]
        judged = sum(case.said_present is not None for case in found)
        shown_as = KEYWORD if name == KEYWORD else f"{BUNDLED}, {name}"
        print(f"| {shown_as} | {len(found)} | {judged} | {' | '.join(shown)} | {pace:.1f} |", flush=True)


if __name__ == "__main__":
    main()
