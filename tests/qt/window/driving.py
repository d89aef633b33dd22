"""Ways of the window's tests: small projects, a window for one, and waiting for what is seen."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QPushButton, QWidget

from gamut_desktop.__main__ import main
from gamut_desktop.app import make_app, make_window
from gamut_desktop.main_window import MainWindow
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.usecases.importing import import_path
from models.store.project import Project
from models.store.queries.verdicts import verdicts
from models.store.records import VerdictRow

PATIENCE = 60_000  # ms; how long a busy machine may take for anything

RUBRIC = """gamut: 1
id: {id}
question: {question}
rubric:
  - {{type: simple_knowledge, tier: answer_critical, fact: The drink is a flat white}}
  - {{type: strict_list, tier: valuable, name: parts of a flat white, items: [espresso, steamed milk]}}
"""
ANSWER = "This is a flat white: espresso and steamed milk."
CHECKS = 3


def make_project(path: Path, questions: dict[str, str], answers: dict[str, str] | None = None) -> Path:
    """A project of these questions, each with these answers (model: text)."""
    folder = path.with_suffix(".files")
    folder.mkdir(parents=True)
    for number, (key, text) in enumerate(questions.items()):
        (folder / f"{number}-{key}.yaml").write_text(RUBRIC.format(id=key, question=text), encoding="utf-8")
    given = {"mine": ANSWER} if answers is None else answers
    rows = [{"question_id": key, "model": m, "response": text} for key in questions for m, text in given.items()]
    (folder / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with Project.create(path) as project:
        done = import_path(project, folder, author="tester")
    assert done.left_out == []
    return path


def small_project(folder: Path) -> Path:
    """One question with one short answer, and a second question."""
    return make_project(folder / "small.gamut", {"drink": "What is this drink?", "cup": "What is in the cup?"})


@contextmanager
def window_on(qtbot: Any, path: Path | None) -> Iterator[MainWindow]:
    """A real window on a project; closed and gone at the end."""
    make_app()
    window = make_window()
    window.show()
    qtbot.waitExposed(window)
    window.start(path)
    try:
        qtbot.waitUntil(lambda: ready(window), timeout=PATIENCE)
        yield window
    finally:
        close(qtbot, window)


def ready(window: MainWindow) -> bool:
    """Whether nothing is under way: no job, no run."""
    return not window.jobs.busy and not window.grader.running


def close(qtbot: Any, window: MainWindow) -> None:
    """Close the window as a person does, and let it be deleted."""
    if window.grader.running:
        window.grader.stop()
    qtbot.waitUntil(lambda: ready(window), timeout=PATIENCE)
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible() and not window.jobs.busy, timeout=PATIENCE)
    window.deleteLater()
    QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete.value)


def settle(qtbot: Any, window: MainWindow) -> None:
    """Wait until nothing is under way."""
    qtbot.waitUntil(lambda: ready(window), timeout=PATIENCE)


def dialog_of(qtbot: Any, kind: type[QWidget] = QDialog) -> Any:
    """The dialog that is open now."""

    def found() -> list[QWidget]:
        return [one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible()]

    qtbot.waitUntil(lambda: bool(found()), timeout=PATIENCE)
    return found()[-1]


def press_button(box: QMessageBox | QWidget, text: str) -> None:
    """Press the button of that text."""
    (button,) = [b for b in box.findChildren(QPushButton) if b.text().replace("&", "") == text]
    button.click()


def shown_keys(window: MainWindow) -> list[str]:
    """The keys in the list of questions, as filtered."""
    model = window.panes.questions.list.model()
    return [model.index(row, 0).data(Roles.ID) for row in range(model.rowCount())]


def check_rows(window: MainWindow) -> dict[str, Any]:
    """Text of each check in the checklist's tree, and its verdict as shown."""
    model = window.panes.checklist.model
    found = {}
    for header in range(model.rowCount()):
        parent = model.index(header, 0)
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            found[index.data()] = index.data(Roles.VERDICT)
    return found


def stored_verdicts(path: Path, judge: str) -> list[VerdictRow]:
    """What is in the file, read by itself."""
    with closing(Project.open(path)) as project, project.read() as snapshot:
        return list(verdicts(snapshot, judge=judge))


def until(qtbot: Any, true: Callable[[], bool]) -> None:
    """Wait for what must come."""
    qtbot.waitUntil(true, timeout=PATIENCE)


def play_in_main(
    qtbot: Any, monkeypatch: pytest.MonkeyPatch, story: Callable[[MainWindow], None], *given: object
) -> int:
    """Call the real `main()`, play the story in its event loop, close the window; the exit code."""
    monkeypatch.setattr(sys, "argv", ["gamut", *map(str, given)])
    went_wrong: list[BaseException] = []

    def play() -> None:
        (window,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)]
        try:
            until(qtbot, lambda: window.desk is not None and window.desk.question is not None)
            settle(qtbot, window)
            story(window)
        except BaseException as error:  # noqa: BLE001  it must not be lost in the event loop
            went_wrong.append(error)
            window.grader.stop()
            settle(qtbot, window)
        window.close()
        window.deleteLater()

    QTimer.singleShot(0, play)
    with pytest.raises(SystemExit) as ended:
        main()
    if went_wrong:
        raise went_wrong[0]
    return int(ended.value.code or 0)
