"""The main window: it assembles panes and actions around a desk, and passes on what is said. It decides nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import cast, get_args

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QVBoxLayout, QWidget

from gamut_desktop.actions import Actions
from gamut_desktop.desk import Desk
from gamut_desktop.diagnosis import diagnosis
from gamut_desktop.grader import Grader
from gamut_desktop.jobs import Jobs
from gamut_desktop.judges_in_window import Judges
from gamut_desktop.lifetime import Opened, close_project, open_project
from gamut_desktop.recent import Memory
from gamut_desktop.runs_in_window import Runs
from gamut_desktop.theme import Mode, ThemeController
from gamut_desktop.usecases.importing import Imported
from gamut_desktop.usecases.judge_files import SUFFIX
from gamut_desktop.usecases.sample import NAME as SAMPLE_NAME
from gamut_desktop.usecases.sample import make_sample
from gamut_desktop.views.arrangement import Arrangement
from gamut_desktop.views.message_bar import MessageBar
from gamut_desktop.views.panes import Panes
from gamut_desktop.views.status import Status
from gamut_desktop.views.welcome import Welcome
from gamut_desktop.window_actions import build_menus
from gamut_desktop.wiring import KEYWORD, Wiring
from judge_local.runs.plan import Selection
from models.errors import GamutError
from models.store.project import Project


class MainWindow(QMainWindow):
    """told: a calm sentence from anywhere, any thread. project_opened: another project is shown, or none."""

    told = Signal(str)
    project_opened = Signal()

    def __init__(self, wiring: Wiring, memory: Memory, themes: ThemeController) -> None:
        super().__init__()
        self.wiring, self.memory, self.themes = wiring, memory, themes
        self.jobs = Jobs(self)
        self.grader = Grader(wiring, self.jobs, self)
        self.desk: Desk | None = None
        self.panes: Panes | None = None
        self.last_error = ""
        self._closing = False
        self.setWindowTitle("Gamut Desktop")
        self.resize(1280, 800)
        self.setMinimumSize(960, 600)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.messages = MessageBar()
        self.messages.copy_wanted.connect(self.copy_diagnosis)
        self.status = Status()
        self.setStatusBar(self.status)
        self.told.connect(self.status.tell)
        self.runs = Runs(self)
        self.judges = Judges(self)
        self.arrangement = Arrangement(self, memory, self.messages)
        self.welcome = Welcome(self)
        self._set_center()
        mode = memory.text("theme", "system")
        themes.set_mode(cast(Mode, mode) if mode in get_args(Mode) else "system")
        themes.set_zoom(memory.number("zoom", 100))
        self.actions_ = Actions(self)
        self.menus = build_menus(self)

    def _set_center(self) -> None:
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.messages)
        column.addWidget(self.arrangement.center, 1)
        column.addWidget(self.welcome, 1)
        self.setCentralWidget(whole)

    # A project -------------------------------------------------------------------------------------------------------

    def start(self, path: Path | None) -> None:
        """Open what was asked for, else the last project, else the sample, graded so that it shows something."""
        recent = self.memory.recent()
        if path is not None:
            self.open(path)
        elif recent:
            self.open(recent[0])
        else:
            self.open_sample()

    def open_sample(self) -> None:
        """Open the sample project, making it first where there is none, and grade it by the keyword judge."""
        path = self.wiring.places.data / SAMPLE_NAME
        if path.exists():
            self.open(path, after=self._grade_new_sample)
            return
        self.status.tell(self.tr("Making the sample project."))

        def made(_: Imported | None, error: Exception | None) -> None:
            if error is not None:
                self.fail(error)
            else:
                self.open(path, after=self._grade_new_sample)

        self.jobs.start("sample", lambda: make_sample(path), made)

    def _grade_new_sample(self) -> None:
        assert self.desk is not None
        self.desk.choose_judge(KEYWORD)
        if not self.grader.running:
            self.grader.start(self.desk.project, KEYWORD, Selection(), text_only=True)
        self.messages.tell(
            self.tr("This is the sample project, graded by word overlap. A real judge: Grade > Judge > smollm2."),
            warning=False,
        )

    def open(self, path: Path, after: Callable[[], None] | None = None) -> None:
        """Open a project in this window in place of the present one."""

        def go() -> None:
            self.close_project()
            try:
                opened = open_project(path, self.tr("The window of Gamut Desktop"))
            except GamutError as error:
                self.fail(error)
                return
            self._show(opened)
            if after is not None:
                after()

        self.runs.when_idle(go)

    def new_project(self, path: Path) -> None:
        """Make an empty project and open it."""
        try:
            Project.create(path).close()
        except GamutError as error:
            self.fail(error)
            return
        self.open(path)

    def _show(self, opened: Opened) -> None:
        desk = self.desk = Desk(opened.project, self.wiring, self.jobs, self.judges.first_choice(), self)
        desk.failed.connect(self.fail)
        desk.told.connect(self.status.tell)
        desk.saved_changed.connect(self._saved_changed)
        desk.chosen.connect(self.judges.show)
        desk.editor.refused.connect(self.status.tell)
        self.panes = Panes(desk, self.jobs, self.themes, self.grader, self)
        self.panes.explainer.mind(self.judges.checker)
        self.panes.score.grade_wanted.connect(lambda: self.runs.grade(everything=False))
        self.panes.explainer.mind(self.judges.checker)
        self.welcome.hide()
        self.arrangement.lay_out(self.panes, self.themes)
        self.memory.opened(opened.project.path)
        self.project_opened.emit()
        desk.lines_changed.connect(self._first_question)
        desk.look()
        self._saved_changed()
        self.judges.show()
        self._offer(opened)

    def _first_question(self) -> None:
        desk = self.desk
        if desk is not None and desk.key is None and desk.lines:
            desk.open(desk.lines[0].key)

    def _offer(self, opened: Opened) -> None:
        """After a crash: say so, and offer what was kept."""
        desk = self.desk
        if desk is None or not (opened.crashed or opened.cut_off):
            return
        if opened.drafts:
            first = opened.drafts[0]
            self.messages.tell(
                self.tr("Gamut Desktop did not close properly. Your edits were kept as drafts."),
                action=self.tr("Show"),
                do=lambda: desk.open(first),
            )
        else:
            self.messages.tell(self.tr("Gamut Desktop did not close properly. Everything that was judged is here."))

    def close_project(self) -> None:
        """Keep what is not saved and let the project go."""
        desk, self.desk = self.desk, None
        if desk is None:
            return
        self._remember()
        desk.close()
        self.jobs.wait()
        if self.panes is not None:
            self.panes.take_down(self)
            self.panes = None
        self.arrangement.forget()
        desk.deleteLater()
        try:
            close_project(desk.project)
        except GamutError as error:
            self.fail(error)
        self.welcome.show()
        self.project_opened.emit()

    # Panes -----------------------------------------------------------------------------------------------------------

    def docks(self) -> list[QDockWidget]:
        """The docks of the open project, in the order of their keys."""
        return list(self.arrangement.docks)

    def _remember(self) -> None:
        self.arrangement.remember()
        self.memory.put("theme", self.themes.mode)
        self.memory.put("zoom", self.themes.zoom)
        self.memory.flush()

    def choose_judge(self, judge: str) -> None:
        """Show and grade by another judge."""
        self.memory.put("judge", judge)
        if self.desk is not None:
            self.desk.choose_judge(judge)
        self.judges.look()

    # Saying things ---------------------------------------------------------------------------------------------------

    def fail(self, error: Exception) -> None:
        """Show an expected error as its sentence and next step; a bug goes to the hook for bugs."""
        if not isinstance(error, GamutError):
            raise error
        self.last_error = type(error).__name__
        self.messages.tell(str(error), diagnosis=True)

    def tell_bug(self, where: str) -> None:
        """Something nobody foresaw: one sentence, with the place in the code on request."""
        self.last_error = where
        self.messages.tell(
            self.tr("Something went wrong inside Gamut Desktop. What you saved is safe; please report it."),
            details=where,
            diagnosis=True,
        )

    def copy_diagnosis(self) -> None:
        """Versions and counts to the clipboard; no names, no texts, no paths."""
        project = self.desk.project if self.desk is not None else None
        QGuiApplication.clipboard().setText(diagnosis(project, self.desk.judge if self.desk else "", self.last_error))
        self.status.tell(self.tr("The diagnosis is in the clipboard. It holds no private text."))

    def open_logs(self) -> None:
        """Show the log folder in the system's file manager."""
        folder = self.wiring.places.logs
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _saved_changed(self) -> None:
        desk = self.desk
        if desk is None:
            return
        clean = desk.editor.is_clean
        self.status.show_saved(clean, desk.project.read_only)
        self.setWindowTitle(f"{desk.project.path.stem}[*]")
        self.setWindowModified(not clean)

    # Qt's events -----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the message."""
        if event.key() == Qt.Key.Key_Escape and self.messages.isVisible():
            self.messages.hide()
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files are welcome."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """A project is opened, a model file is offered as a judge; the rest is imported into the open project."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self.take_files(paths)

    def take_files(self, paths: list[Path]) -> None:
        """Open a project, offer a judge from a model file, or import what was given."""
        projects = [path for path in paths if path.suffix.lower() == ".gamut"]
        models = [path for path in paths if path.suffix.lower() == SUFFIX]
        others = [path for path in paths if path not in projects and path not in models]
        if models:
            self.judges.show_add(models)
        if projects:
            self.open(projects[0])
        elif others and self.desk is not None:
            self.desk.import_paths(others, self.tell_imported)
        elif others:
            self.messages.tell(self.tr("Files are brought into a project. Open one, or make one, and drop them again."))

    def tell_imported(self, found: list[Imported]) -> None:
        """What arrived, and what was left out."""
        added = sum(len(one.added) for one in found)
        updated = sum(len(one.updated) for one in found)
        answers = sum(one.responses for one in found)
        left_out = [sentence for one in found for sentence in (*one.left_out, *one.remarks)]
        told = self.tr("Imported. New questions: {added}, updated: {updated}, responses: {answers}.").format(
            added=added, updated=updated, answers=answers
        )
        if left_out:
            told += " " + self.tr("To be looked at: {count}.").format(count=len(left_out))
        self.messages.tell(told, warning=bool(left_out), details="\n".join(left_out))

    def closeEvent(self, event: QCloseEvent) -> None:
        """During a run it asks; otherwise everything is kept and the window goes."""
        at_work = self.grader.running or self.judges.checker.running is not None
        if at_work and not self._closing:
            event.ignore()
            self.runs.when_idle(self.close, checks=True)
            return
        self._closing = True
        self._remember()
        self.close_project()
        self.grader.close()
        self.jobs.wait()
        event.accept()
