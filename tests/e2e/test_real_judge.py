"""The bundled model through the real worker: stored verdicts, kill -9 and resume, and verdicts that stand alone."""

import json
import os
import random
import signal
import sqlite3
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from models.verdicts import Verdict
from tests.e2e.conftest import Gamut, start

RUBRIC = """gamut: 1
id: {id}
question: {question}
rubric:
  - {{type: simple_knowledge, tier: answer_critical, fact: The drink is a flat white}}
  - {{type: strict_list, tier: valuable, name: parts of a flat white, items: [espresso, steamed milk, microfoam]}}
"""
ANSWERS = {
    "a": "This is a flat white. Pull the espresso, steam the milk to microfoam, and pour it over the shot.",
    "b": "It looks like a cup of black tea with lemon, steeped for about four minutes.",
}
CHECKS = 1 + 3
SOAK = os.environ.get("GAMUT_SOAK") == "1"
# What a judge of flat probabilities says differs from processor to processor; that it says something does not.
ANSWERED = {("abstained", None)} | {("verdict", each.value) for each in Verdict}


def make_project(gamut: Gamut, folder: Path, name: str, *questions: str) -> Path:
    """Questions with two answers each, imported into a new project."""
    folder.mkdir(exist_ok=True)
    rows = []
    for number, question in enumerate(questions):
        text = RUBRIC.format(id=f"q{number}", question=question)
        (folder / f"q{number}.yaml").write_text(text, encoding="utf-8")
        rows += [{"question_id": f"q{number}", "model": m, "response": t} for m, t in ANSWERS.items()]
    (folder / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    path = folder / name
    assert gamut("new", path).code == 0
    assert gamut("import", path, folder).code == 0
    return path


def stored(path: Path) -> list[tuple]:
    """What plain sqlite3 sees of the verdicts."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute(
            "SELECT r.model, q.key, c.text, v.outcome, v.verdict, v.lp_meets, v.lp_partially_meets, v.lp_missing,"
            " v.lp_contradicts, v.lp_cannot_tell, v.label_mass, u.judge FROM verdict v"
            " JOIN response r ON r.id = v.response_id JOIN question q ON q.id = r.question_id"
            " JOIN check_text c ON c.id = v.check_text_id JOIN ruler u ON u.id = v.ruler_id ORDER BY 1, 2, 3"
        ).fetchall()
    connection.close()
    return rows


def test_one_response_graded_by_the_real_model_is_in_the_file(gamut: Gamut, tmp_path: Path):
    path = make_project(gamut, tmp_path / "p", "a.gamut", "What is this drink?")
    done = gamut("grade", path, "--judge", "smollm2", "--model", "a")
    assert (done.code, done.out) == (0, "")
    rows = stored(path)
    assert len(rows) == CHECKS
    for row in rows:
        model, key, _, outcome, verdict, *logs, mass, judge = row
        assert (model, key, judge) == ("a", "q0", "smollm2")
        assert (outcome, verdict) in ANSWERED
        assert 0.05 <= mass <= 1
        assert all(value <= 0 for value in logs)
    report = json.loads(gamut("report", path, "--format", "json").out)
    (one,) = report["rows"]
    decided = sum(row[3] == "verdict" for row in rows)
    assert (one["judge"], one["coverage"]["all"]) == ("smollm2", decided / CHECKS)
    with sqlite3.connect(path) as connection:
        manifest = json.loads(connection.execute("SELECT manifest FROM ruler").fetchone()[0])
    connection.close()
    assert manifest["quantization"] == "Q8_0"
    assert len(manifest["weights_sha256"]) == 64


def test_a_verdict_is_the_same_whatever_else_is_graded_in_the_run(gamut: Gamut, tmp_path: Path):
    drink, other = "What is this drink?", "What is in the cup, and how was it made?"
    alone = make_project(gamut, tmp_path / "alone", "a.gamut", drink)
    gamut("grade", alone, "--judge", "smollm2", "--model", "b")
    together = make_project(gamut, tmp_path / "together", "a.gamut", drink, other)
    gamut("grade", together, "--judge", "smollm2", "--question", "q1")
    gamut("grade", together, "--judge", "smollm2")
    wanted = {(row[0], row[1], row[2]) for row in stored(alone)}
    assert [row for row in stored(together) if row[:3] in wanted] == stored(alone)
    assert len(stored(together)) == 4 * CHECKS


def _pace(child: "subprocess.Popen[str]") -> None:
    """Leave the processor to the child for a moment."""
    with suppress(subprocess.TimeoutExpired):
        child.wait(timeout=0.05)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20 if SOAK else 2))
def test_kill_9_of_grade_loses_and_doubles_nothing(gamut: Gamut, tmp_path: Path, seed: int):
    path = make_project(gamut, tmp_path / "p", "a.gamut", "What is this drink?")
    draw = random.Random(seed)
    print(f"seed {seed}")
    kills = 0
    for _ in range(2):
        wanted = draw.randrange(0, CHECKS)
        child = start("grade", path, "--judge", "smollm2")
        before = len(stored(path))
        while child.poll() is None and len(stored(path)) < min(before + wanted, 2 * CHECKS):
            _pace(child)  # the moment is a count of stored verdicts, not a time
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
            kills += 1
        child.communicate()
        assert len(stored(path)) >= before
    kept = stored(path)
    done = gamut("grade", path, "--judge", "smollm2")
    assert done.code == 0
    rows = stored(path)
    assert set(kept) <= set(rows)
    assert len(rows) == len({row[:3] for row in rows}) == 2 * CHECKS
    assert kills >= 1
    whole = make_project(gamut, tmp_path / "whole", "a.gamut", "What is this drink?")
    gamut("grade", whole, "--judge", "smollm2")
    assert stored(whole) == rows
    with sqlite3.connect(path) as connection:
        statuses = [row[0] for row in connection.execute("SELECT status FROM run ORDER BY id")]
    connection.close()
    assert statuses[-1] == "done"
    assert "running" not in statuses
