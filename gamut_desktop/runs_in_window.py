"""Runs as the window lives with them: begin, show how far, tell the end, and what has to wait until one has stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox

from gamut_desktop.grader import Standing
from gamut_desktop.usecases.grading import Graded, PicturesUnseen
from gamut_desktop.wiring import judge_name
from judge_local.runs.plan import Selection

if TYPE_CHECKING:
    from gamut_desktop.main_window import MainWindow


class Runs(QObject):
    """Between the window's grader, its desk and its status bar."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._everything, self._judge = False, ""
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
        if (checked := window.judges.checking) is not None:
            told = self.tr("{judge} is being checked. Grade once that has ended, or stop it: it can be done again.")
            stop = window.judges.checker.stop
            window.messages.tell(told.format(judge=judge_name(checked)), action=self.tr("Stop the check"), do=stop)
            return
        desk.keep_draft()
        if not desk.editor.is_clean:
            window.status.tell(self.tr("The saved version is graded; your draft differs. Save it to grade it."))
        self._everything, self._judge = everything, desk.judge
        selection = Selection(None if everything else desk.key)
        window.grader.start(desk.project, desk.judge, selection, text_only=text_only)

    def _grade_by_text(self, judge: str) -> None:
        """The person knows that this judge sees nothing; another one may have been chosen meanwhile."""
        self._window.choose_judge(judge)
        self.grade(everything=self._everything, text_only=True)

    def when_idle(self, do: Callable[[], object], *, checks: bool = False) -> None:
        """Do it now, or once the run that is going on has stopped, if the person agrees. checks: a check must stop too.

        What is judged is stored; of a check nothing is kept.
        """
        checking = checks and self._window.judges.checker.running is not None
        if not self._window.grader.running and not checking:
            do()
            return
        box = QMessageBox(self._window)
        box.setObjectName("stop_run")
        if checking:
            box.setText(self.tr("A judge is being checked."))
            box.setInformativeText(self.tr("Nothing of the check is kept; it can be done again at any time."))
        else:
            box.setText(self.tr("Grading is going on."))
            box.setInformativeText(self.tr("What is judged so far is stored; the rest can be graded at any time."))
        stop = box.addButton(self.tr("Stop and go on"), QMessageBox.ButtonRole.AcceptRole)
        keep = self.tr("Keep checking") if checking else self.tr("Keep grading")
        box.addButton(keep, QMessageBox.ButtonRole.RejectRole)
        box.buttonClicked.connect(lambda button: self._stop_then(do) if button is stop else None)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _stop_then(self, do: Callable[[], object]) -> None:
        window = self._window
        self._after = do
        if window.grader.running:
            window.grader.stop()
        elif window.judges.checker.running is not None:
            window.judges.checker.stop()
        else:
            self.go_on()

    def go_on(self) -> None:
        """Nothing is at work any more: do what waited for that."""
        do, self._after = self._after, None
        if do is not None:
            do()

    def _moved(self, at: Standing) -> None:
        self._window.status.show_run(at)
        self._window.judges.watch()
        if self._window.desk is not None:
            self._window.desk.refresh()

    def _ended(self, graded: Graded | None, error: Exception | None) -> None:
        window = self._window
        window.status.show_run(None)
        window.judges.watch()
        if window.desk is not None:
            window.desk.refresh()
            window.desk.look()
            window.judges.show()
        if isinstance(error, PicturesUnseen):
            judge = self._judge
            window.messages.tell(
                self._unseen(judge),
                action=self.tr("Grade by text alone"),
                do=lambda: self._grade_by_text(judge),
            )
        elif error is not None:
            window.fail(error)
        elif graded is not None:
            self._tell(graded)
        else:
            window.status.tell(self.tr("Stopped."))
        self.go_on()

    def _unseen(self, judge: str) -> str:
        """Why no picture would be looked at."""
        if self._window.wiring.can_see(judge):
            told = self.tr("{judge} is set not to look at pictures, and these questions show some.")
        else:
            told = self.tr("{judge} reads text only, and these questions show pictures.")
        return told.format(judge=judge_name(judge))

    def _tell(self, graded: Graded) -> None:
        ended = graded.ended
        if ended.answered < ended.asked:
            told = self.tr("Stopped after {done} of {total} checks; grading again goes on from there.")
        else:
            told = self.tr("Checks judged: {done}.")
        self._window.status.tell(told.format(done=ended.answered, total=ended.asked))
        said = {remark.sentence for remark in graded.running}  # and has been shown since the judge started
        news = [sentence for sentence in graded.remarks if sentence not in said]
        if news:
            self._window.messages.tell(news[0], details="\n".join(news[1:]))
