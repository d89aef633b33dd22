"""The settings of judges: every control there and back, stored, and used from the next run on."""

import tomllib
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox

from gamut_desktop.dialogs.judge_settings import JudgeSettingsDialog
from gamut_desktop.settings import JudgeSettings, Places, Settings
from gamut_desktop.wiring import Wiring
from tests.qt.window.driving import dialog_of, settle
from tests.scripted import ScriptedJudge

OTHERS = JudgeSettings(
    threads=3,
    context=4096,
    gpu_layers=12,
    seed=2**63 - 1,
    style="adaptive",
    margin=0.35,
    rationale="always",
    orders=4,
    subtract_prior=False,
    look_at_pictures=False,
    count_by_code=True,
    packed=True,
)


def button(dialog: JudgeSettingsDialog, which: QDialogButtonBox.StandardButton):
    return dialog.buttons.button(which)


SAVE, RESTORE = QDialogButtonBox.StandardButton.Save, QDialogButtonBox.StandardButton.RestoreDefaults


@pytest.fixture
def dialog(window, qtbot) -> JudgeSettingsDialog:
    window.actions_.named("judge.settings").trigger()
    return dialog_of(qtbot, JudgeSettingsDialog)


def on_disk(home: Path) -> dict:
    return tomllib.loads((home / "config" / "settings.toml").read_text(encoding="utf-8"))["judge"]


def test_what_is_untouched_comes_back_as_it_was(dialog):
    assert dialog.settings() == JudgeSettings()
    dialog.show_settings(OTHERS)
    assert dialog.settings() == OTHERS
    button(dialog, RESTORE).click()
    assert dialog.settings() == JudgeSettings()
    dialog.reject()


def test_each_control_sets_its_own_field(dialog):
    steps = {
        "style": lambda: dialog.style_.setCurrentIndex(2),
        "margin": lambda: dialog.margin.setValue(0.35),
        "rationale": lambda: dialog.rationale.setCurrentIndex(0),
        "orders": lambda: dialog.orders.setValue(4),
        "subtract_prior": lambda: dialog.prior.setCurrentIndex(2),
        "look_at_pictures": dialog.pictures.click,
        "count_by_code": dialog.counting.click,
        "packed": dialog.packed.click,
        "seed": lambda: dialog.seed.setText(str(2**63 - 1)),
        "threads": lambda: (dialog.threads.chosen.click(), dialog.threads.number.setValue(3)),
        "context": lambda: (dialog.context.chosen.click(), dialog.context.number.setValue(4096)),
        "gpu_layers": lambda: (dialog.layers.chosen.click(), dialog.layers.number.setValue(12)),
    }
    assert set(steps) == set(JudgeSettings.model_fields)
    expected: dict[str, object] = {}
    for name, step in steps.items():
        step()
        expected[name] = getattr(OTHERS, name)
        assert dialog.settings() == JudgeSettings(**expected), name
    dialog.reject()


def test_the_margin_is_there_for_the_adaptive_style_alone(dialog):
    assert not dialog.margin.isVisible()
    dialog.style_.setCurrentIndex(2)
    assert dialog.margin.isVisible()
    dialog.style_.setCurrentIndex(1)
    assert not dialog.margin.isVisible()
    dialog.reject()


def test_a_number_can_be_given_only_where_it_is_not_left_to_the_app(dialog):
    assert not dialog.threads.number.isEnabled()
    dialog.threads.chosen.click()
    assert dialog.threads.number.isEnabled()
    assert dialog.settings().threads == dialog.threads.number.value()
    dialog.reject()


@pytest.mark.parametrize("seed", ["", str(2**63)])
def test_a_seed_that_is_none_cannot_be_saved(dialog, seed):
    dialog.seed.setText(seed)
    assert not button(dialog, SAVE).isEnabled()
    dialog.seed.setText("7")
    assert button(dialog, SAVE).isEnabled()
    dialog.reject()


def test_they_are_stored_beside_what_else_is_set_and_cancelling_stores_nothing(window, dialog, home, qtbot):
    dialog.show_settings(OTHERS)
    dialog.reject()
    assert not (home / "config" / "settings.toml").exists()
    Settings.change(Places.of_user(), judges=("file:/from/elsewhere.gguf",))
    window.actions_.named("judge.settings").trigger()
    again = dialog_of(qtbot, JudgeSettingsDialog)
    assert again.settings() == JudgeSettings()
    again.show_settings(OTHERS)
    button(again, SAVE).click()
    assert not again.isVisible()
    assert on_disk(home) == OTHERS.model_dump()
    assert Settings.load(Places.of_user()).judges == ("file:/from/elsewhere.gguf",)
    assert window.wiring.settings.judge == window.grader.wiring.settings.judge == window.desk.wiring.settings.judge
    assert window.wiring.settings.judge == OTHERS
    assert "From the next run on" in window.status.currentMessage()


def test_what_cannot_be_stored_is_said_in_the_dialog(dialog, home):
    (home / "config" / "settings.toml").write_text("judge = nonsense", encoding="utf-8")
    button(dialog, SAVE).click()
    assert dialog.isVisible()
    assert "is not valid TOML" in dialog._problem.text()
    assert dialog._problem.isVisible()
    dialog.reject()


def test_the_next_run_goes_by_them_and_frees_the_judge_that_was_made_before(window, qtbot, monkeypatch):
    made: list[tuple[Settings, ScriptedJudge]] = []
    closed: list[ScriptedJudge] = []

    @contextmanager
    def judge(self, _id, seed=None, *, text_only=False):
        made.append((self.settings, ScriptedJudge(id="smollm2", facts={"seed": self.settings.judge.seed})))
        try:
            yield made[-1][1]
        finally:
            closed.append(made[-1][1])

    monkeypatch.setattr(Wiring, "judge", judge)
    window.choose_judge("smollm2")

    def grade() -> int:
        before = sum(len(one.asked) for _, one in made)
        window.actions_.named("grade.question").trigger()
        settle(qtbot, window)
        return sum(len(one.asked) for _, one in made) - before

    assert grade() == 3
    assert grade() == 0
    assert (len(made), len(closed)) == (1, 0)
    window.actions_.named("judge.settings").trigger()
    dialog = dialog_of(qtbot, JudgeSettingsDialog)
    dialog.seed.setText("7")
    button(dialog, SAVE).click()
    assert grade() == 3  # another ruler: asked again
    assert [settings.judge.seed for settings, _ in made] == [0, 7]
    assert closed == [made[0][1]]
    window.actions_.named("judge.settings").trigger()
    dialog = dialog_of(qtbot, JudgeSettingsDialog)
    button(dialog, RESTORE).click()
    button(dialog, SAVE).click()
    assert grade() == 0  # nothing that was judged is lost
