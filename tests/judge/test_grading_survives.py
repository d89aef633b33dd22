"""Grading a project while its worker dies: the queue goes on, and every stored verdict is whole."""

import os
import random
import signal
from pathlib import Path

import pytest

from gamut_desktop.usecases.documents import put
from gamut_desktop.usecases.grading import grade
from judge_local.llama.messages import LocalSettings
from judge_local.local import LocalJudge
from judge_local.runs.execute import Progress
from models.rubric.codec import parse_question
from models.store.project import Project
from models.store.queries.verdicts import verdicts
from models.store.records import NewResponse, RunStatus

RUBRIC = """gamut: 1
id: q
question: What is this drink?
rubric:
  - {type: simple_knowledge, tier: answer_critical, fact: The drink is a flat white}
  - {type: strict_list, tier: valuable, name: parts of a flat white, items: [espresso, steamed milk, microfoam]}
"""
CHECKS = 4


@pytest.fixture
def project(tmp_path: Path):
    with Project.create(tmp_path / "a.gamut") as made:
        with made.write() as writer:
            put(writer, parse_question(RUBRIC), author="t")
            writer.add_response(NewResponse("q", "a", "A flat white, steamed milk over a double espresso."))
            writer.add_response(NewResponse("q", "b", "Black tea with lemon."))
        yield made


def stored(project: Project):
    with project.read() as snapshot:
        return [(r.response_id, r.check.text, r.verdict, r.log_probabilities) for r in verdicts(snapshot)]


@pytest.mark.skipif(os.name != "posix", reason="it kills by signal")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_dies_while_grading_costs_nothing(project: Project, settings: LocalSettings, tmp_path, number):
    judge = LocalJudge("smollm2", settings)
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    moments = set(random.Random(seed).sample(range(1, 2 * CHECKS), 2))

    def kill(at: Progress) -> None:
        if at.done in moments and judge.worker_pid is not None:
            os.kill(judge.worker_pid, number)

    try:
        done = grade(project, judge, on_progress=kill)
        assert done.complete
        assert done.ended.status is RunStatus.DONE
        rows = stored(project)
        assert len(rows) == len({row[:2] for row in rows}) == 2 * CHECKS
        assert project.verify() == []
    finally:
        judge.close()
    with Project.create(tmp_path / "plain.gamut") as plain:
        with plain.write() as writer:
            put(writer, parse_question(RUBRIC), author="t")
            writer.add_response(NewResponse("q", "a", "A flat white, steamed milk over a double espresso."))
            writer.add_response(NewResponse("q", "b", "Black tea with lemon."))
        other = LocalJudge("smollm2", settings)
        try:
            grade(plain, other)
        finally:
            other.close()
        assert stored(plain) == rows
