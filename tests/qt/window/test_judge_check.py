"""Checking a judge in the window: for real with the baseline, and with judges that are slow, deaf, blind or broken."""

import threading
from contextlib import contextmanager

import pytest
from PySide6.QtWidgets import QLabel, QMessageBox

from gamut_desktop.dialogs.check_judge import CheckJudge
from gamut_desktop.dialogs.choose_judge import ChooseJudge
from gamut_desktop.settings import JudgeSettings, Places, Settings
from gamut_desktop.usecases.preflight import last_preflight
from gamut_desktop.wiring import Wiring
from judge_local.port import JudgeError
from judge_local.preflight.canned import ITEMS
from models.verdicts import Verdict
from tests.qt.window.driving import dialog_of, press_button, settle, until, window_on
from tests.scripted import ScriptedJudge, said

BOTH = 2 * len(ITEMS)
TRUTHS = {item.check.text: item.truth for item in ITEMS}


class Knowing(ScriptedJudge):
    """Knows every truth. At the check number `halt` it waits to be let go, or closed if it does not listen."""

    def __init__(self, *, halt: int | None = None, listens: bool = True) -> None:
        super().__init__(lambda _, check: said(TRUTHS.get(check.text, Verdict.MEETS)), id="smollm2")
        self.halt, self.listens = halt, listens
        self.waiting, self.go, self.closed = threading.Event(), threading.Event(), threading.Event()

    def judge(self, asking, stop):
        for answer in super().judge(asking, stop):
            if self.halt is not None and len(self.asked) > self.halt:
                self.waiting.set()
                while not self.go.wait(0.01):
                    if self.closed.is_set():
                        raise JudgeError("The judge was closed.", "Start anew.")
                    if self.listens and stop():
                        return
            yield answer

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def judges(monkeypatch):
    """`judges.use(make)`: every judge of the window is made so; `judges.made`: those that were."""

    class Made:
        def __init__(self) -> None:
            self.made: list[ScriptedJudge] = []

        def use(self, make) -> None:
            self.made = []

            @contextmanager
            def judge(_self, _id, _seed=None, *, text_only=False):
                self.made.append(make())
                try:
                    yield self.made[-1]
                finally:
                    self.made[-1].close()

            monkeypatch.setattr(Wiring, "judge", judge)

    return Made()


def open_check(window, qtbot, judge: str) -> CheckJudge:
    window.choose_judge(judge)
    window.actions_.named("judge.check").trigger()
    return dialog_of(qtbot, CheckJudge)


def words(dialog: CheckJudge) -> list[str]:
    """What the card says."""
    card = dialog.card
    return [label.text() for label in card.findChildren(QLabel) if label.isVisibleTo(card) and label.text()]


def test_the_baseline_is_checked_for_real_and_the_card_is_kept(strict, small, qtbot):
    with window_on(qtbot, small) as window:
        dialog = open_check(window, qtbot, "keyword")
        assert dialog.check_button.text() == "Check this judge"
        assert not dialog.card.isVisible()
        assert window.status.mark.text() == ""
        dialog.check_button.click()
        settle(qtbot, window)
        found = last_preflight(window.wiring, "keyword")
        said_of_it = words(dialog)
        assert dialog.check_button.text() == "Check again"
        assert found.sentence.startswith(dialog.card.verdict.text())
        assert dialog.card.because.text() in found.sentence
        assert "Gives orders to the judge" in said_of_it
        overall = found.overall
        assert f"{round(overall.accuracy * 100)} %" in said_of_it
        assert window.status.mark.text() == f"{round(overall.accuracy * 100)} % right"
        assert not window.messages.isVisible()
        dialog.reject()
    with window_on(qtbot, small) as window:
        dialog = open_check(window, qtbot, "keyword")
        assert dialog.card.isVisible()
        assert not dialog.card.stale.isVisible()
        dialog.reject()


def test_a_good_judge_is_told_from_a_bad_one_at_a_glance_and_wherever_it_is_offered(window, qtbot, judges):
    def marks() -> list[str]:
        menu = next(one.text() for one in window.menus.judges.actions() if one.objectName() == "judge.smollm2")
        window.actions_.named("judge.choose").trigger()
        chooser = dialog_of(qtbot, ChooseJudge)
        row = chooser.list.topLevelItem(1)
        listed, alarming = row.text(3), not row.icon(3).isNull()
        chooser.reject()
        return [menu, listed, window.status.mark.text(), "!" if alarming else ""]

    assert marks() == ["smollm2 (not checked)", "not checked", "not checked", ""]
    assert "smollm2 has not been checked" in window.panes.score.grade_button.toolTip()
    judges.use(Knowing)
    dialog = open_check(window, qtbot, "smollm2")
    dialog.check_button.click()
    settle(qtbot, window)
    assert dialog.card.verdict.text() == "Usable"
    assert marks() == ["smollm2 (100 % right)", "100 % right", "100 % right", ""]
    judges.use(lambda: ScriptedJudge(lambda *_: said(Verdict.CONTRADICTS), id="smollm2"))
    dialog.check_button.click()
    settle(qtbot, window)
    assert dialog.card.verdict.text() == "Do not rely on it"
    assert dialog.card.because.text().endswith("worse than keyword.")
    assert {"keyword", "smollm2"} <= set(words(dialog))
    worse = "worse than keyword"
    assert marks() == [f"smollm2 ({worse})", worse, worse, "!"]
    assert "right less often than plain word overlap" in window.panes.score.grade_button.toolTip()
    assert "word overlap" in window.actions_.named("grade.question").statusTip()
    assert not window.status.mark.icon().isNull()
    dialog.reject()


def test_other_settings_make_a_result_stale_and_the_card_says_so(window, qtbot, judges):
    judges.use(Knowing)
    dialog = open_check(window, qtbot, "smollm2")
    dialog.check_button.click()
    settle(qtbot, window)
    window.judges._change(lambda: Settings.change(Places.of_user(), judge=JudgeSettings(seed=3)))
    assert window.status.mark.text() == "check out of date"
    dialog.reject()
    dialog = open_check(window, qtbot, "smollm2")
    assert dialog.card.stale.isVisible()
    assert dialog.card.stale.text() == "Check it again: The judge's files or settings have changed since."
    dialog.reject()


@pytest.mark.parametrize("listens", [True, False])
def test_a_check_shows_how_far_it_is_and_can_be_stopped_and_nothing_is_kept(window, qtbot, judges, listens):
    judges.use(lambda: Knowing(halt=5, listens=listens))
    dialog = open_check(window, qtbot, "smollm2")
    dialog.check_button.click()
    until(qtbot, lambda: dialog.bar.value() == 5)
    assert dialog.bar.maximum() == BOTH
    assert dialog.how_far.text().startswith(f"checking 5/{BOTH}")
    assert window.status.run_text.text().startswith(f"checking 5/{BOTH}")
    assert not dialog.check_button.isEnabled()
    dialog.stop_button.click()
    assert dialog.how_far.text() == "stopping"
    settle(qtbot, window)
    assert judges.made[0].closed.is_set()
    assert dialog.problem.text() == "Stopped. Nothing of the check is kept."
    assert dialog.check_button.isEnabled()
    assert last_preflight(window.wiring, "smollm2") is None
    assert window.status.mark.text() == "not checked"
    dialog.reject()


def test_a_closed_dialog_leaves_the_check_going_and_a_message_tells_the_end(window, qtbot, judges):
    judges.use(lambda: Knowing(halt=5))
    dialog = open_check(window, qtbot, "smollm2")
    dialog.check_button.click()
    until(qtbot, lambda: bool(judges.made) and judges.made[0].waiting.is_set())
    dialog.reject()
    assert window.judges.checker.running == "smollm2"
    again = open_check(window, qtbot, "smollm2")
    assert again.stop_button.isVisible()
    again.reject()
    judges.made[0].go.set()
    until(qtbot, lambda: len(judges.made) == 2)
    judges.made[1].go.set()
    settle(qtbot, window)
    assert window.messages.sentence.text().startswith("smollm2 is checked. Usable: 100 %")
    window.messages.action_button.click()
    assert dialog_of(qtbot, CheckJudge).card.verdict.text() == "Usable"
    dialog_of(qtbot, CheckJudge).reject()


def test_grading_waits_for_a_check_and_a_check_for_grading_each_with_a_sentence(window, qtbot, judges):
    judges.use(lambda: Knowing(halt=1))
    dialog = open_check(window, qtbot, "smollm2")
    dialog.check_button.click()
    until(qtbot, lambda: bool(judges.made) and judges.made[0].waiting.is_set())
    window.actions_.named("grade.question").trigger()
    assert not window.grader.running
    assert window.messages.sentence.text().startswith("smollm2 is being checked. Grade once that has ended")
    window.messages.action_button.click()
    settle(qtbot, window)
    judges.use(lambda: Knowing(halt=1))
    window.actions_.named("grade.question").trigger()
    until(qtbot, lambda: bool(judges.made) and judges.made[0].waiting.is_set())
    dialog.check_button.click()
    assert dialog.problem.text().startswith("smollm2 is grading. Check once that has ended")
    assert window.judges.checker.running is None
    judges.made[0].go.set()
    settle(qtbot, window)
    dialog.check_button.click()  # the grader's judge is freed first: two of a kind need twice the memory
    until(qtbot, lambda: len(judges.made) == 2 and judges.made[1].waiting.is_set())
    assert judges.made[0].closed.is_set()
    window.actions_.named("grade.stop").trigger()
    settle(qtbot, window)
    dialog.reject()


def test_closing_the_window_during_a_check_asks_and_leaves_nothing(strict, small, qtbot, judges):
    judges.use(lambda: Knowing(halt=1))
    with window_on(qtbot, small) as window:
        dialog = open_check(window, qtbot, "smollm2")
        dialog.check_button.click()
        until(qtbot, lambda: bool(judges.made) and judges.made[0].waiting.is_set())
        dialog.reject()
        window.close()
        box = dialog_of(qtbot, QMessageBox)
        assert box.text() == "A judge is being checked."
        press_button(box, "Keep checking")
        assert window.isVisible()
        window.close()
        press_button(dialog_of(qtbot, QMessageBox), "Stop and go on")
        until(qtbot, lambda: not window.isVisible())
        assert last_preflight(window.wiring, "smollm2") is None


def test_a_judge_that_cannot_work_is_a_sentence_and_the_last_result_stands(window, qtbot, judges):
    judges.use(Knowing)
    dialog = open_check(window, qtbot, "smollm2")
    dialog.check_button.click()
    settle(qtbot, window)
    kept = last_preflight(window.wiring, "smollm2")
    judges.use(lambda: ScriptedJudge(lambda *_: JudgeError("It died.", "Try again."), id="smollm2"))
    dialog.check_button.click()
    settle(qtbot, window)
    assert dialog.problem.text() == "It died. Try again."
    assert dialog.card.verdict.text() == "Usable"
    assert last_preflight(window.wiring, "smollm2") == kept
    dialog.reject()
