"""Runs as the window lives with them: begin, show how far, tell the end, and what has to wait until one has stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox

from gamut_desktop.grader import Standing
from gamut_desktop.usecases.grading import Graded, PicturesUnseen
from judge_local.runs.plan import Selection

if TYPE_CHECKING:
    from gamut_desktop.main_window import MainWindow


class Runs(QObject):
    """Between the window's grader, its desk and its status bar."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._everything = False
        self._after: Callable[[], object] | None = None
        grader = window.grader
        window.status.stop_wanted.connect(grader.stop)
        grader.started.connect(lambda _: window.status.show_run(grader.standing()))
        grader.moved.connect(self._moved)
        grader.ended.connect(self._ended)

    def grade(self, *, everything: bool, text_only: bool = False) -> None:
        """Grade the open question, or all, by the chosen judge. The saved version is graded; a draft says so."""
        window, desk = self._window, self._window.desk
        if desk is None or window.grader.running:
            return
        desk.keep_draft()
        if not desk.editor.is_clean:
            window.status.tell(self.tr("The saved version is graded; your draft differs. Save it to grade it."))
        self._everything = everything
        selection = Selection(None if everything else desk.key)
        window.grader.start(desk.project, desk.judge, selection, text_only=text_only)

    def when_idle(self, do: Callable[[], object]) -> None:
        """Do it now, or once the run that is going on has stopped, if the person agrees to stop it."""
        if not self._window.grader.running:
            do()
            return
        box = QMessageBox(self._window)
        box.setObjectName("stop_run")
        box.setText(self.tr("Grading is going on."))
        box.setInformativeText(self.tr("What is judged so far is stored; the rest can be graded at any time."))
        stop = box.addButton(self.tr("Stop and go on"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(self.tr("Keep grading"), QMessageBox.ButtonRole.RejectRole)
        box.buttonClicked.connect(lambda button: self._stop_then(do) if button is stop else None)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _stop_then(self, do: Callable[[], object]) -> None:
        self._after = do
        if self._window.grader.running:
            self._window.grader.stop()
        else:
            self._go_on()

    def _go_on(self) -> None:
        do, self._after = self._after, None
        if do is not None:
            do()

    def _moved(self, at: Standing) -> None:
        self._window.status.show_run(at)
        if self._window.desk is not None:
            self._window.desk.refresh()

    def _ended(self, graded: Graded | None, error: Exception | None) -> None:
        window = self._window
        window.status.show_run(None)
        if window.desk is not None:
            window.desk.refresh()
            window.desk.look()
            window.show_judge()
        if isinstance(error, PicturesUnseen):
            judge = window.desk.judge if window.desk is not None else ""
            window.messages.tell(
                self.tr("{judge} reads text only, and these questions show pictures.").format(judge=judge),
                action=self.tr("Grade by text alone"),
                do=lambda: self.grade(everything=self._everything, text_only=True),
            )
        elif error is not None:
            window.fail(error)
        elif graded is not None:
            self._tell(graded)
        else:
            window.status.tell(self.tr("Stopped."))
        self._go_on()

    def _tell(self, graded: Graded) -> None:
        ended = graded.ended
        if ended.answered < ended.asked:
            told = self.tr("Stopped after {done} of {total} checks; grading again goes on from there.")
        else:
            told = self.tr("Checks judged: {done}.")
        self._window.status.tell(told.format(done=ended.answered, total=ended.asked))
        if graded.remarks:
            self._window.messages.tell(graded.remarks[0], details="\n".join(graded.remarks[1:]))
