"""The judges as the window lives with them: chosen, added, set up, checked, unloaded, and what must be known of each.

It passes between dialogs, settings and checks; what a judge is worth is the preflight's to say.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from gamut_desktop.checker import Checker
from gamut_desktop.dialogs.add_judge import AddJudge
from gamut_desktop.dialogs.check_judge import CheckJudge
from gamut_desktop.dialogs.choose_judge import ChooseJudge
from gamut_desktop.dialogs.judge_settings import JudgeSettingsDialog
from gamut_desktop.grader import Standing
from gamut_desktop.settings import JudgeSettings, Settings
from gamut_desktop.usecases.judge_files import add_file_judge, remove_file_judge, restore_file_judge, sorted_out
from gamut_desktop.usecases.preflight import last_preflight, why_stale
from gamut_desktop.widgets.judge_words import alarming, grade_tooltip, lasting, mark, mark_sentence
from gamut_desktop.widgets.words import plain_tooltip
from gamut_desktop.wiring import BUNDLED, KEYWORD, JudgeInfo, judge_name
from judge_local.port import Remark
from judge_local.preflight.result import Preflight
from models.errors import GamutError

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QDialog, QWidget

    from gamut_desktop.main_window import MainWindow


class Judges(QObject):
    """changed: the list of judges, what is known of one, or how they are run."""

    changed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.checker = Checker(window.jobs, self)
        self.infos = window.wiring.judges()
        self._chooser: ChooseJudge | None = None
        self._check: CheckJudge | None = None
        self._making_room: str | None = None  # the judge that waits for another one's memory
        self._seen: tuple[Remark, ...] = ()
        self.checker.started.connect(lambda _: self._check_moved(self.checker.standing()))
        self.checker.moved.connect(self._check_moved)
        self.checker.ended.connect(self._check_ended)
        window.grader.freed.connect(self.watch)
        window.status.stop_wanted.connect(self.checker.stop)
        window.status.check_wanted.connect(self.show_check)
        window.status.remarks_wanted.connect(self._tell_lasting)

    # What is known ---------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> str:
        """The judge that grades."""
        desk = self._window.desk
        return desk.judge if desk is not None else self.first_choice()

    @property
    def checking(self) -> str | None:
        """The judge that is being checked."""
        return self.checker.running or self._making_room

    def info(self, judge: str) -> JudgeInfo:
        """What lists show of a judge."""
        return next((info for info in self.infos if info.id == judge), None) or self._window.wiring.info(judge)

    def first_choice(self) -> str:
        """The judge of a person who has chosen none, or none that is known."""
        wanted = self._window.memory.text("judge", "")
        if any(info.id == wanted for info in self.infos):
            return wanted
        return BUNDLED if self.info(BUNDLED).ready else KEYWORD

    def look(self) -> None:
        """See anew which judges there are, and what is known of them."""
        self.infos = self._window.wiring.judges()
        self.changed.emit()
        self.show()
        if self._chooser is not None:
            self._fill_chooser(self._chooser)
        if self._check is not None:
            self._fill_check(self._check)

    def show(self) -> None:
        """Status bar and grade button say who grades, how it runs, and how far it can be trusted."""
        window, judge = self._window, self.chosen
        window.status.show_lasting(lasting(window.grader.remarks))
        if window.desk is None or window.panes is None:
            return
        info = self.info(judge)
        running = window.grader.remarks if window.grader.loaded == judge else ()
        told = [remark.sentence for remark in running]
        window.status.show_judge(judge, window.menus.where_runs(window.desk), told)
        window.status.show_mark(mark(info), mark_sentence(info), alarming=alarming(info))
        window.panes.score.grade_button.setToolTip(plain_tooltip(grade_tooltip(info)))

    def watch(self) -> None:
        """While a judge runs, and after: show what is new about how it runs; what lasts is also told."""
        remarks = self._window.grader.remarks
        if remarks == self._seen:
            return
        new = set(lasting(remarks)) - set(lasting(self._seen))
        self._seen = remarks
        self.show()
        self.changed.emit()
        if new:
            self._tell_lasting()

    def _tell_lasting(self) -> None:
        sentences = lasting(self._window.grader.remarks)
        if sentences:
            others = [remark.sentence for remark in self._window.grader.remarks if not remark.lasting]
            self._window.messages.tell(" ".join(sentences), details="\n".join(others))

    # Choosing and adding ---------------------------------------------------------------------------------------------

    def show_chooser(self) -> None:
        """All judges, with what is known of each."""
        dialog = self._chooser = ChooseJudge(self._window)
        dialog.use_wanted.connect(self._window.choose_judge)
        dialog.check_wanted.connect(lambda _: dialog.accept())
        dialog.check_wanted.connect(self.show_check)
        dialog.remove_wanted.connect(self.remove)
        dialog.add_wanted.connect(lambda: self.show_add([]))
        dialog.settings_wanted.connect(self.show_settings)
        dialog.finished.connect(self._chooser_closed)
        self._fill_chooser(dialog)
        _open(dialog)

    def _chooser_closed(self) -> None:
        self._chooser = None

    def _fill_chooser(self, dialog: ChooseJudge) -> None:
        dialog.show_judges(self.infos, self.chosen, looks=self._window.wiring.settings.judge.look_at_pictures)

    def show_add(self, files: list[Path]) -> None:
        """Ask for a judge's files; those that are known already are filled in."""
        dialog = AddJudge(self._parent())
        ask = self._window.menus.ask
        dialog.model.browse_wanted.connect(lambda: ask.model_file(dialog.take_model))
        dialog.projector.browse_wanted.connect(lambda: ask.model_file(dialog.take_projector))
        dialog.add_wanted.connect(lambda model, projector: self._add(dialog, model, projector))
        model, projector = sorted_out(files)
        if projector is not None:
            dialog.take_projector(projector)
        if model is not None:
            dialog.take_model(model)
        _open(dialog)

    def _add(self, dialog: AddJudge, model: Path, projector: Path | None) -> None:
        try:
            judge, settings = add_file_judge(self._window.wiring.places, model, projector)
        except GamutError as error:
            dialog.refuse(str(error))
            return
        dialog.accept()
        self._use(settings)
        self._window.choose_judge(judge)
        if self._chooser is not None:
            self._chooser.reject()
        self._window.messages.tell(
            self.tr("{judge} is added and chosen. Nobody knows yet how far to trust it.").format(
                judge=judge_name(judge)
            ),
            warning=False,
            action=self.tr("Check it"),
            do=lambda: self.show_check(judge),
        )

    def remove(self, judge: str) -> None:
        """Take a judge off the list; an offer brings it back. Its files and its verdicts stay."""
        window, name = self._window, judge_name(judge)
        if judge in (self.checking, window.grader.standing().judge):
            window.messages.tell(self.tr("{judge} is at work. Stop it first.").format(judge=name))
            return
        at = window.wiring.settings.judges.index(judge) if judge in window.wiring.settings.judges else 0
        if not self._change(lambda: remove_file_judge(window.wiring.places, judge)):
            return
        if window.grader.loaded == judge:
            window.grader.unload()
        if self.chosen == judge:
            window.choose_judge(self.first_choice())
        window.messages.tell(
            self.tr("{judge} is off the list. Its files and its verdicts stay.").format(judge=name),
            warning=False,
            action=self.tr("Bring it back"),
            do=lambda: self._change(lambda: restore_file_judge(window.wiring.places, judge, at)),
        )

    # Settings --------------------------------------------------------------------------------------------------------

    def show_settings(self) -> None:
        """How judges are run."""
        dialog = JudgeSettingsDialog(self._window.wiring.settings.judge, self._parent())
        dialog.save_wanted.connect(lambda chosen: self._save(dialog, chosen))
        _open(dialog)

    def _save(self, dialog: JudgeSettingsDialog, chosen: JudgeSettings) -> None:
        before = self._window.wiring.settings.judge
        try:
            self._use(Settings.change(self._window.wiring.places, judge=chosen))
        except GamutError as error:
            dialog.refuse(str(error))
            return
        dialog.accept()
        if chosen != before:
            self._window.status.tell(self.tr("From the next run on. What was judged before stays as it is."))

    def _change(self, change: Callable[[], Settings]) -> bool:
        try:
            self._use(change())
        except GamutError as error:
            self._window.fail(error)
            return False
        return True

    def _use(self, settings: Settings) -> None:
        """Have everything that is begun from now on go by these settings."""
        window = self._window
        window.wiring = window.grader.wiring = window.wiring.with_settings(settings)
        if window.desk is not None:
            window.desk.wiring = window.wiring
        self.look()

    # Unloading -------------------------------------------------------------------------------------------------------

    @property
    def can_unload(self) -> bool:
        """Whether a judge holds memory and no run needs it."""
        grader = self._window.grader
        return not grader.running and grader.loaded not in (None, KEYWORD)

    def unload(self) -> None:
        """Give back the memory of the loaded judge; the next run loads it again."""
        window = self._window
        if self.can_unload:
            name = judge_name(window.grader.loaded or "")
            told = self.tr("{judge} is unloaded; its memory is free again.").format(judge=name)
            window.grader.unload(lambda: window.status.tell(told))

    # Checking --------------------------------------------------------------------------------------------------------

    def show_check(self, judge: str = "") -> None:
        """What the last check of a judge (the chosen one, if none is named) found, and the way to check it."""
        judge = judge or self.chosen
        if self._check is not None and self._check.judge == judge:
            self._check.activateWindow()
            return
        if self._check is not None:
            self._check.reject()
        dialog = self._check = CheckJudge(judge, self._window.themes, self._window)
        dialog.check_wanted.connect(lambda: self._begin(dialog))
        dialog.stop_wanted.connect(self.checker.stop)
        dialog.finished.connect(self._check_closed)
        self._fill_check(dialog)
        if self.checker.running == judge:
            dialog.show_progress(self.checker.standing())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def _check_closed(self) -> None:
        self._check = None

    def _fill_check(self, dialog: CheckJudge) -> None:
        wiring = self._window.wiring
        found = last_preflight(wiring, dialog.judge)
        dialog.show_preflight(found, why_stale(wiring, found) if found is not None else None)

    def _begin(self, dialog: CheckJudge) -> None:
        """Check the dialog's judge, once the memory of a loaded judge is free; not beside other work of a judge."""
        grader, judge = self._window.grader, dialog.judge
        if grader.running:
            told = self.tr("{judge} is grading. Check once that has ended: together they would measure a slower judge.")
            dialog.tell(told.format(judge=judge_name(grader.standing().judge)))
            return
        if self.checking is not None:
            dialog.tell(self.tr("{judge} is being checked; one at a time.").format(judge=judge_name(self.checking)))
            return

        def begin() -> None:
            self._making_room = None
            self.checker.start(self._window.wiring, judge)

        if grader.loaded is None:
            begin()
        else:
            self._making_room = judge
            grader.unload(begin)

    def _check_moved(self, at: Standing) -> None:
        self._window.status.show_run(at)
        if self._check is not None and self._check.judge == at.judge:
            self._check.show_progress(at)
        self.changed.emit()

    def _check_ended(self, found: Preflight | None, error: Exception | None) -> None:
        window, dialog = self._window, self._check
        window.status.show_run(None)
        self.look()
        if dialog is not None:
            dialog.show_progress(None)
        if error is not None and not isinstance(error, GamutError):
            raise error
        if found is not None:
            if dialog is None or dialog.judge != found.judge:
                told = self.tr("{judge} is checked. {found}").format(
                    judge=judge_name(found.judge), found=found.sentence
                )
                show = self.tr("Show")
                window.messages.tell(told, warning=False, action=show, do=lambda: self.show_check(found.judge))
        elif dialog is not None:
            dialog.tell(str(error) if error is not None else self.tr("Stopped. Nothing of the check is kept."))
        elif error is not None:
            window.fail(error)
        window.runs.go_on()

    def _parent(self) -> QWidget:
        return self._chooser if self._chooser is not None else self._window


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
