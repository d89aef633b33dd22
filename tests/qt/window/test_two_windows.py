"""One window a project: a second is refused and told who has it; one that was killed leaves its edits as an offer."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from models.store.project import Project
from models.store.queries.questions import drafts
from tests.qt.window.driving import settle, until, window_on

REPO = Path(__file__).parents[3]
HALF = "Half a sentence, not sav"


def kept_drafts(path: Path) -> int:
    with Project.open(path) as project, project.read() as snapshot:
        return len(drafts(snapshot))


@pytest.fixture
def another_window(qtbot, small: Path) -> Iterator[Callable[[], "subprocess.Popen[bytes]"]]:
    """A window on the small project in a process of its own, with a draft that is stored."""
    command = [sys.executable, "-m", "tests.qt.window.another_window", str(small), HALF]
    with subprocess.Popen(command, cwd=REPO, env=dict(os.environ), stderr=subprocess.DEVNULL) as process:
        until(qtbot, lambda: process.poll() is not None or kept_drafts(small) == 1)
        assert process.poll() is None
        yield process
        process.kill()


def test_a_second_window_is_refused_and_the_holder_is_named(strict, another_window, small, qtbot):
    with window_on(qtbot, small) as window:
        assert window.desk is None
        assert window.welcome.isVisible()
        said = window.messages.sentence.text()
        assert "window of Gamut Desktop" in said
        assert str(another_window.pid) in said
        another_window.kill()
        another_window.wait()
        window.open(small)
        settle(qtbot, window)
        assert window.desk is not None


def test_after_kill_9_the_next_start_says_so_and_offers_the_draft(strict, another_window, small, qtbot):
    another_window.kill()
    another_window.wait()
    with window_on(qtbot, small) as window:
        assert window.messages.sentence.text() == (
            "Gamut Desktop did not close properly. Your edits were kept as drafts."
        )
        window.desk.open("cup")
        window.messages.action_button.click()
        assert window.desk.key == "drink"
        assert window.panes.question.text.toPlainText() == HALF
        assert window.isWindowModified()
        window.actions_.named("file.discard").trigger()
        assert window.panes.question.text.toPlainText() == "What is this drink?"
        settle(qtbot, window)
    with window_on(qtbot, small) as window:
        assert not window.messages.isVisible()
