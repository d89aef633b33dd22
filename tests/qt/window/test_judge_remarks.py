"""How a judge runs is seen while it runs: what lasts stays in sight until it is unloaded. Text alone needs a yes."""

from contextlib import contextmanager

import pytest

from gamut_desktop.settings import JudgeSettings, Places, Settings
from gamut_desktop.usecases.importing import import_path
from gamut_desktop.wiring import Wiring
from judge_local.port import Remark
from models.store.project import Project
from tests.qt.window.driving import make_project, settle, until, window_on
from tests.qt.window.test_judge_check import Knowing

LASTING = "A context of 8,192 tokens (3.1 GB) does not fit this computer's free memory: it holds 4,096."
USUAL = "2 threads: as many as this process has cores."


class Remarking(Knowing):
    """Says how it runs once it has been started."""

    sees = False
    started = False

    def ruler(self):
        self.started = True
        return super().ruler()

    def remarks(self):
        return (Remark(LASTING, lasting=True), Remark(USUAL)) if self.started else ()


@pytest.fixture
def made(monkeypatch) -> list[tuple[bool, Remarking]]:
    """Every judge of the window is a remarking one that halts; with whether it was made for text alone."""
    made: list[tuple[bool, Remarking]] = []

    @contextmanager
    def judge(self, judge_id, _seed=None, *, text_only=False):
        one = Remarking(halt=0)
        one.id, one.sees_images = judge_id, self.sees(judge_id, text_only=text_only)
        one.facts = {"sight": one.sees_images}
        made.append((text_only, one))
        try:
            yield one
        finally:
            one.close()

    monkeypatch.setattr(Wiring, "judge", judge)
    return made


def test_remarks_are_in_sight_from_the_start_and_lasting_ones_until_the_judge_is_unloaded(window, qtbot, made):
    window.choose_judge("smollm2")
    assert not window.status.remark.isVisible()
    window.actions_.named("grade.question").trigger()
    until(qtbot, lambda: window.status.remark.isVisible())
    assert window.grader.running
    assert window.messages.sentence.text() == LASTING
    assert window.messages.details.toPlainText() == USUAL
    assert window.status.remark.accessibleName() == LASTING
    assert USUAL in window.status.judge.toolTip()
    window.messages.hide()
    made[0][1].go.set()
    settle(qtbot, window)
    window.status.clearMessage()
    assert not window.messages.isVisible()  # it has been said
    assert window.status.remark.isVisible()
    window.status.remark.click()
    assert window.messages.sentence.text() == LASTING
    window.messages.hide()
    window.actions_.named("judge.unload").trigger()
    settle(qtbot, window)
    window.status.clearMessage()
    assert made[0][1].closed.is_set()
    assert not window.status.remark.isVisible()
    assert USUAL not in window.status.judge.toolTip()


def test_a_judge_of_another_name_frees_the_one_before_with_its_remarks(window, qtbot, made):
    window.choose_judge("smollm2")
    window.actions_.named("grade.question").trigger()
    until(qtbot, lambda: bool(made))
    made[0][1].go.set()
    settle(qtbot, window)
    window.status.clearMessage()
    window.choose_judge("file:/tmp/other.gguf")
    assert window.status.remark.isVisible()  # the other one still holds the memory
    assert USUAL not in window.status.judge.toolTip()
    window.actions_.named("grade.question").trigger()
    until(qtbot, lambda: len(made) == 2)
    made[1][1].go.set()
    settle(qtbot, window)
    assert made[0][1].closed.is_set()


@pytest.fixture
def pictured(tmp_path):
    """A project whose one question shows a picture, with an answer."""
    path = make_project(tmp_path / "seen.gamut", {"drink": "What is this drink?"})
    folder = path.with_suffix(".files")
    from PIL import Image

    Image.new("RGB", (40, 30), "red").save(folder / "red.png")
    rubric = folder / "0-drink.yaml"
    rubric.write_text(rubric.read_text(encoding="utf-8") + "images: [red.png]\n", encoding="utf-8")
    with Project.open(path) as project:
        assert import_path(project, rubric, author="tester").left_out == []
    return path


def test_text_alone_is_asked_for_in_words_that_fit_the_judge(strict, pictured, tmp_path, qtbot, made):
    model, projector = tmp_path / "eyes.gguf", tmp_path / "mmproj.gguf"
    for file in (model, projector):
        file.write_bytes(b"GGUF" + bytes(20))
    seeing = f"file:{model}+{projector}"
    with window_on(qtbot, pictured) as window:

        def grade(judge: str) -> str:
            window.messages.hide()
            window.choose_judge(judge)
            before = len(made)
            window.actions_.named("grade.question").trigger()
            until(qtbot, lambda: not window.grader.running or any(one.waiting.is_set() for _, one in made[before:]))
            return window.messages.sentence.text() if not window.grader.running else ""

        assert grade("smollm2") == "smollm2 reads text only, and these questions show pictures."
        assert grade(seeing) == ""  # it sees, and is shown them
        made[-1][1].go.set()
        settle(qtbot, window)
        assert made[-1][1].askings[0].pictures
        window.judges._change(lambda: Settings.change(Places.of_user(), judge=JudgeSettings(look_at_pictures=False)))
        assert grade(seeing) == "eyes is set not to look at pictures, and these questions show some."
        assert window.messages.action_button.text() == "Grade by text alone"
        window.choose_judge("keyword")  # meanwhile; the offer is about the judge that it names
        window.messages.action_button.click()
        until(qtbot, lambda: made[-1][1].waiting.is_set())
        assert window.desk.judge == seeing
        made[-1][1].go.set()
        settle(qtbot, window)
        assert made[-1][1].askings[0].unseen
        assert not made[-1][1].askings[0].pictures
