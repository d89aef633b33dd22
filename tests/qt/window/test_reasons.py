"""A judge's own words in the window: its evidence marked in the response, its reason shown, or asked for later."""

import threading
from contextlib import contextmanager

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTextEdit

from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.wiring import Wiring
from judge_local.port import JudgeError
from models.store.project import Project
from models.store.queries.verdicts import verdicts
from models.verdicts import Verdict
from tests.qt.window.driving import ANSWER, make_project, settle, until, window_on
from tests.scripted import UNSUPPORTED, ScriptedJudge, said

JUDGE = "smollm2"
FACT = "States: The drink is a flat white"
ESPRESSO = "Mentions espresso as one of parts of a flat white"
MILK = "Mentions steamed milk as one of parts of a flat white"


def script(asking, check):
    if asking.explain is not None:
        return said(asking.explain, "It names both.")
    return {
        FACT: said(Verdict.MEETS, "It says so.", "a flat white: espresso"),
        ESPRESSO: said(Verdict.MEETS),
        MILK: said(Verdict.PARTIALLY_MEETS, "It says cream.", note=UNSUPPORTED),
    }[check.text]


class Waits(ScriptedJudge):
    """Grades at once; asked why it waits until it is let go, stopped if it listens, or closed."""

    def __init__(self, *, listens: bool = True) -> None:
        super().__init__(script, JUDGE)
        self.listens = listens
        self.waiting, self.go, self.closed = threading.Event(), threading.Event(), threading.Event()

    def judge(self, asking, stop):
        if asking.explain is not None:
            self.waiting.set()
            while not self.go.wait(0.01):
                if self.closed.is_set():
                    raise JudgeError("The judge was closed.", "Start anew.")
                if self.listens and stop():
                    return
        yield from super().judge(asking, stop)

    def close(self):
        self.closed.set()


@pytest.fixture
def judges(monkeypatch):
    """Every judge of the window is one of these; the list of those that were made, `use` makes the next."""
    made: list[ScriptedJudge] = []

    @contextmanager
    def judge(_self, _id, seed=None, *, text_only=False):
        one = judges.use()
        made.append(one)
        try:
            yield one
        finally:
            one.close()

    judges.use = lambda: ScriptedJudge(script, JUDGE)
    monkeypatch.setattr(Wiring, "judge", judge)
    return made


def judges_are(make) -> None:
    judges.use = make


@pytest.fixture
def graded(strict, small, judges, qtbot):
    """A window whose open question is graded by the scripted judge."""
    with window_on(qtbot, small) as window:
        window.choose_judge(JUDGE)
        window.actions_.named("grade.question").trigger()
        settle(qtbot, window)
        window.messages.hide()
        yield window


def choose(window, text: str) -> None:
    panes = window.panes
    panes.checklist.select(next(c for c in window.desk.editor.checklist.checks if c.text == text))


def marks(window) -> list[tuple[str, bool]]:
    """What is marked in the response, and whether as evidence."""
    theme = window.themes.active
    found: list[QTextEdit.ExtraSelection] = window.panes.answer.text.editor.extraSelections()
    return [(mark.cursor.selectedText(), mark.format.background().color() == theme.evidence_ground) for mark in found]


def shown(window) -> list[str]:
    panel = window.panes.reasons.panel
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisibleTo(panel) and label.text()]


def row_of(window, text: str):
    model = window.panes.checklist.model
    return model.index_of(next(c for c in window.desk.editor.checklist.checks if c.text == text))


def stored_reasons(path) -> list[str | None]:
    with Project.open(path) as project, project.read() as snapshot:
        return [row.rationale for row in verdicts(snapshot) if row.check.text == ESPRESSO]


def test_the_evidence_of_the_chosen_check_is_marked_apart_from_matched_words(graded):
    choose(graded, FACT)
    assert ("a flat white: espresso", True) in marks(graded)
    assert any(not evidence for _, evidence in marks(graded))
    assert "a flat white: espresso" in graded.panes.answer.text.editor.accessibleDescription()
    choose(graded, ESPRESSO)
    assert marks(graded) == [("espresso", False)]
    assert graded.panes.answer.text.editor.accessibleDescription() == ""


def test_the_reason_and_the_quote_stand_under_headings_of_their_own(graded):
    choose(graded, FACT)
    words = shown(graded)
    assert words[words.index("The judge's reason") + 1] == "It says so."
    assert words[words.index("Quoted from the response") + 1] == "“\u2068a flat white: espresso\u2069”"
    assert not graded.panes.reasons.panel.ask_button.isVisible()
    said_aloud = graded.panes.reasons.panel.accessibleDescription()
    assert "reason: It says so" in said_aloud
    assert "quoted from the response:" in said_aloud


def test_a_quote_that_is_not_there_is_called_unsupported_in_words(graded):
    choose(graded, MILK)
    words = shown(graded)
    assert "unsupported" in words
    assert words[words.index("Its quote") + 1] == UNSUPPORTED
    assert "unsupported" in graded.panes.reasons.panel.accessibleDescription()
    assert row_of(graded, MILK).data(Roles.UNSUPPORTED) is True
    assert "unsupported" in row_of(graded, MILK).data(Qt.ItemDataRole.AccessibleTextRole)
    assert row_of(graded, FACT).data(Roles.UNSUPPORTED) is False


def test_marks_follow_the_judge_that_is_chosen(graded):
    choose(graded, FACT)
    graded.choose_judge("keyword")
    assert not any(evidence for _, evidence in marks(graded))
    graded.choose_judge(JUDGE)
    assert any(evidence for _, evidence in marks(graded))


def test_reading_is_not_moved_while_a_run_goes_on(graded):
    choose(graded, FACT)
    cursor = graded.panes.answer.text.editor.textCursor()
    cursor.setPosition(len(ANSWER) - 1)
    graded.panes.answer.text.editor.setTextCursor(cursor)
    graded.desk.answers_changed.emit()
    assert graded.panes.answer.text.editor.textCursor().position() == len(ANSWER) - 1


def test_why_asks_the_judge_and_shows_its_reason(graded, small, judges, qtbot):
    choose(graded, ESPRESSO)
    button = graded.panes.reasons.panel.ask_button
    assert (button.text(), button.accessibleName()) == ("Why?", "Ask smollm2 why")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: "It names both." in shown(graded))
    settle(qtbot, graded)
    assert "The judge's reason, asked for afterwards" in shown(graded)
    assert not button.isVisible()
    assert not graded.messages.isVisible()
    assert judges[-1].askings[-1].explain is Verdict.MEETS
    choose(graded, FACT)
    choose(graded, ESPRESSO)
    assert "It names both." in shown(graded)
    assert stored_reasons(small) == ["It names both."]


def test_the_key_in_the_checklist_asks_too(graded, qtbot):
    choose(graded, ESPRESSO)
    graded.activateWindow()
    until(qtbot, graded.isActiveWindow)
    tree = graded.panes.checklist.tree
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_W)
    until(qtbot, lambda: "It names both." in shown(graded))
    assert tree.hasFocus()
    assert "checklist.why" in [entry.action.objectName() for entry in graded.actions_.entries()]


def test_who_pressed_the_button_by_key_is_led_to_the_reason(graded, qtbot):
    graded.activateWindow()
    until(qtbot, graded.isActiveWindow)
    choose(graded, ESPRESSO)
    button = graded.panes.reasons.panel.ask_button
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    until(qtbot, lambda: "It names both." in shown(graded))
    assert graded.focusWidget().text() == "It names both."


def test_what_cannot_be_asked_is_a_sentence(graded, qtbot):
    ask = graded.actions_.named("checklist.why")
    choose(graded, FACT)
    ask.trigger()
    assert graded.status.currentMessage() == "smollm2 has given its reason already."
    graded.choose_judge("keyword")
    ask.trigger()
    assert graded.status.currentMessage() == "There is no verdict of this judge to ask about."


def test_the_keyword_judge_is_not_asked(strict, small, qtbot):
    with window_on(qtbot, small) as window:
        window.choose_judge("keyword")
        window.actions_.named("grade.question").trigger()
        settle(qtbot, window)
        choose(window, FACT)
        assert not window.panes.reasons.panel.ask_button.isVisible()
        window.actions_.named("checklist.why").trigger()
        assert window.status.currentMessage() == "keyword is a rule; its note says what it found."


def begin(qtbot, window, judges, **how) -> Waits:
    """Press Why? with a judge that waits."""
    judges_are(lambda: Waits(**how))
    choose(window, ESPRESSO)
    window.panes.reasons.panel.ask_button.click()
    until(qtbot, lambda: isinstance(judges[-1], Waits) and judges[-1].waiting.is_set())
    return judges[-1]


@pytest.mark.parametrize("listens", [True, False])
def test_asking_is_shown_and_can_be_stopped(graded, small, judges, qtbot, listens):
    judge = begin(qtbot, graded, judges, listens=listens)
    button = graded.panes.reasons.panel.ask_button
    assert button.text() == "Stop"
    assert button.accessibleName() == "Stop asking smollm2 why"
    assert "smollm2 is writing its reason, 0 s" in shown(graded)
    button.click()
    assert "stopping" in shown(graded)
    settle(qtbot, graded)
    assert graded.status.currentMessage() == "Stopped; no reason was written."
    assert button.text() == "Why?"
    assert judge.closed.is_set() is not listens
    assert not graded.messages.isVisible()
    assert stored_reasons(small) == [None]


def test_one_reason_at_a_time(graded, judges, qtbot):
    judge = begin(qtbot, graded, judges)
    graded.panes.explainer.ask(graded.desk.found(graded.panes.checklist.selected()).row)
    assert graded.status.currentMessage() == "smollm2 is writing a reason already. Wait for it, or stop it."
    choose(graded, MILK)
    assert graded.panes.reasons.panel.ask_button.text() == "Why?"
    judge.go.set()
    settle(qtbot, graded)
    choose(graded, ESPRESSO)
    assert "It names both." in shown(graded)


def test_a_run_that_begins_ends_the_asking_and_frees_its_judge(graded, small, judges, qtbot):
    judge = begin(qtbot, graded, judges)
    judges_are(lambda: ScriptedJudge(script, JUDGE))
    graded.actions_.named("grade.all").trigger()
    settle(qtbot, graded)
    until(qtbot, judge.closed.is_set)
    assert stored_reasons(small) == [None, None]


def test_nothing_is_asked_during_a_run(graded, judges, qtbot, monkeypatch):
    choose(graded, ESPRESSO)
    monkeypatch.setattr(type(graded.grader), "running", property(lambda _: True))
    graded.panes.reasons.panel.ask_button.click()
    assert graded.status.currentMessage() == (
        "smollm2 cannot be asked why while a judge is at work. Ask again when it has ended."
    )
    monkeypatch.undo()
    assert len(judges) == 1


@pytest.mark.parametrize("listens", [True, False])
def test_closing_while_asking_waits_for_nobody(graded, small, judges, qtbot, listens):
    judge = begin(qtbot, graded, judges, listens=listens)
    graded.close_project()
    settle(qtbot, graded)
    assert judge.closed.is_set()
    assert not graded.messages.isVisible()
    assert stored_reasons(small) == [None]


def test_a_question_that_has_changed_since_is_refused_in_a_sentence(graded, qtbot):
    choose(graded, ESPRESSO)
    row = graded.desk.found(graded.panes.checklist.selected()).row
    graded.panes.question.text.setPlainText("What else?")
    graded.actions_.named("file.save").trigger()
    settle(qtbot, graded)
    graded.panes.explainer.ask(row)
    settle(qtbot, graded)
    assert graded.messages.sentence.text() == (
        "The question, its pictures or the response have changed since this verdict was given. Grade it again, then"
        " ask."
    )


def test_a_judge_that_is_gone_is_a_sentence(graded, qtbot, monkeypatch):
    def gone(*_, **__):
        raise JudgeError("The model file is gone.", "Put it back.")

    monkeypatch.setattr(Wiring, "judge", gone)
    choose(graded, ESPRESSO)
    graded.panes.reasons.panel.ask_button.click()
    settle(qtbot, graded)
    assert graded.messages.sentence.text() == "The model file is gone. Put it back."
    assert graded.panes.reasons.panel.ask_button.text() == "Why?"


def test_evidence_in_a_long_response_is_brought_into_view(strict, tmp_path, judges, qtbot):
    long = "filler words\n" * 400 + "At last a flat white: espresso and more.\n" + "filler\n" * 50
    path = make_project(tmp_path / "long.gamut", {"drink": "What is it?"}, {"mine": "espresso first. " + long})
    with window_on(qtbot, path) as window:
        window.choose_judge(JUDGE)
        window.actions_.named("grade.question").trigger()
        settle(qtbot, window)
        choose(window, FACT)
        first, last = window.panes.answer.text.editor.visible_positions()
        at = window.panes.answer.text.text().index("a flat white: espresso")
        assert first <= at <= last
