"""A real project file for each test, and the sample's files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from models.store.project import Project

SAMPLE = Path(__file__).parents[2] / "resources" / "sample"

RUBRIC = """gamut: 1
id: {id}
question: What kind of coffee is this?
text_only: {{question: What is a flat white?}}
rubric:
  - {{type: simple_knowledge, tier: answer_critical, fact: The drink is a flat white, identifies_subject: true}}
  - {{type: strict_list, tier: valuable, name: parts of a flat white, items: [espresso, milk]}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "Kaffee & Tee ü.gamut") as made:
        yield made


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """A folder with a space and a letter beyond ASCII in its name."""
    folder = tmp_path / "in bóx"
    folder.mkdir()
    return folder


@pytest.fixture
def graded(project: Project, inbox: Path) -> Project:
    """A project with one question and two models' answers, not graded yet."""
    from gamut_desktop.usecases.importing import import_path

    (inbox / "a.yaml").write_text(RUBRIC.format(id="q1"), encoding="utf-8")
    (inbox / "r.jsonl").write_text(
        '{"question_id": "q1", "model": "a", "response": "A flat white of espresso and milk."}\n'
        '{"question_id": "q1", "model": "b", "response": "Tea."}\n'
        '{"question_id": "q1", "model": "a", "response": "Espresso.", "variant": "text"}\n',
        encoding="utf-8",
    )
    assert import_path(project, inbox, author="t").left_out == []
    return project
