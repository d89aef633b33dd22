"""A judge that sees, from the command line: drawn pictures, a rubric about them, the tiny pair, a report."""

import json
import sqlite3
from pathlib import Path

import pytest
from PIL import Image

from tests.e2e.conftest import Gamut
from tests.judge.random_models import EYE, write_pair
from tools.vision_pair.gguf_writer import VisionConfig
from tools.vision_pair.pictures import Scene, draw

FOLDER = Path(__file__).parents[1] / "vision_pair"
MODEL, PROJECTOR = FOLDER / "tiny-vision.f16.gguf", FOLDER / "mmproj-tiny-vision.f16.gguf"
PAIR = f"file:{MODEL}+{PROJECTOR}"
RUBRIC = """gamut: 1
id: {id}
question: What does the picture show?
images: [{id}.png]
rubric:
  - {{type: simple_knowledge, tier: answer_critical, fact: the colour in the picture}}
"""
SHOWN = {"q1": Scene("red", "square", 1, "left", seed=1), "q2": Scene("blue", "circle", 1, "right", seed=2)}
SAYS = {
    "sees": {"q1": "The colour is red.", "q2": "The colour is blue."},
    "guesses": dict.fromkeys(SHOWN, "The colour is green."),
}


@pytest.fixture
def project(gamut: Gamut, tmp_path: Path) -> Path:
    folder = tmp_path / "p"
    folder.mkdir()
    for name, scene in SHOWN.items():
        Image.fromarray(draw(scene)).save(folder / f"{name}.png")
        (folder / f"{name}.yaml").write_text(RUBRIC.format(id=name), encoding="utf-8")
    rows = [
        {"question_id": name, "model": model, "response": text}
        for model, by in SAYS.items()
        for name, text in by.items()
    ]
    (folder / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    path = folder / "a.gamut"
    assert gamut("new", path).code == 0
    assert gamut("import", path, folder).code == 0
    return path


def verdicts(path: Path) -> set[tuple[str, str, str]]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute(
            "SELECT r.model, q.key, v.verdict FROM verdict v JOIN response r ON r.id = v.response_id"
            " JOIN question q ON q.id = r.question_id"
        ).fetchall()
    connection.close()
    return set(rows)


def facts(path: Path) -> dict:
    with sqlite3.connect(path) as connection:
        (manifest,) = connection.execute("SELECT manifest FROM ruler").fetchone()
    connection.close()
    return json.loads(manifest)


def test_verdicts_follow_the_pictures(gamut: Gamut, project: Path) -> None:
    done = gamut("grade", project, "--judge", PAIR)
    assert (done.code, done.out) == (0, ""), done.err
    assert "On the processor" in done.err
    expected = {("sees", name, "meets") for name in SHOWN} | {("guesses", name, "contradicts") for name in SHOWN}
    assert verdicts(project) == expected
    assert facts(project)["sight"] == "picture"
    rows = json.loads(gamut("report", project, "--format", "json").out)["rows"]
    assert {row["model"]: row["gamut"] for row in rows} == {"sees": 1.0, "guesses": -1.0}


def test_by_text_alone_it_must_be_asked_for_and_the_ruler_says_so(gamut: Gamut, project: Path) -> None:
    for judge in (f"file:{MODEL}", "smollm2"):
        refused = gamut("grade", project, "--judge", judge)
        assert refused.code == 1
        assert f"{judge} reads text only, and 2 questions of this selection show pictures." in refused.err
        assert "Add --text-only" in refused.err
    assert verdicts(project) == set()
    assert gamut("grade", project, "--judge", PAIR, "--text-only").code == 0
    assert facts(project)["sight"] == "none"
    assert facts(project)["projector_sha256"] is None
    assert len(verdicts(project)) == 4


def test_a_projector_of_another_model_is_a_sentence(gamut: Gamut, project: Path, tmp_path: Path) -> None:
    other = VisionConfig("other", 32, 2, 2, 64, 32, 8, text_width=96, mean=EYE.mean, std=EYE.std)
    (tmp_path / "other").mkdir()
    _, wrong = write_pair(tmp_path / "other", other)
    done = gamut("grade", project, "--judge", f"file:{MODEL}+{wrong}")
    assert done.code == 1
    assert "does not belong to tiny-vision.f16.gguf: it makes vectors of 96 numbers" in done.err
    gone = gamut("grade", project, "--judge", f"file:{MODEL}+{tmp_path / 'gone.gguf'}")
    assert gone.code == 1
    assert f"There is no file {tmp_path / 'gone.gguf'}." in gone.err
    assert verdicts(project) == set()


def test_its_preflight_says_that_it_uses_the_picture(gamut: Gamut) -> None:
    done = gamut("judges", "check", PAIR, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["judge"] == PAIR
    assert "picture" in json.dumps(found)
