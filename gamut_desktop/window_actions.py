"""The window's menus: every action by name, text, key and what it does. Nothing is done here but asking for files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMessageBox

import gamut_desktop
from gamut_desktop.desk import Desk
from gamut_desktop.dialogs.palette import Palette, ShortcutSheet
from gamut_desktop.dialogs.trash import TrashDialog
from gamut_desktop.dialogs.write_response import WriteResponse
from gamut_desktop.usecases.exporting import export
from gamut_desktop.usecases.importing import PICTURES, RUBRICS, TABLES
from models.errors import GamutError
from models.store.queries.responses import model_names

if TYPE_CHECKING:
    from gamut_desktop.main_window import MainWindow


class Menus(QObject):
    """Builds the menu bar once; what needs a project is enabled while there is one."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self._project_actions: list[QAction] = []
        self._pane_menus: list[QMenu] = []
        bar = window.menuBar()
        self.file = bar.addMenu(self.tr("&File"))
        self.edit = bar.addMenu(self.tr("&Edit"))
        self.rubric = bar.addMenu(self.tr("&Rubric"))
        self.checklist = bar.addMenu(self.tr("&Checklist"))
        self.grade = bar.addMenu(self.tr("&Grade"))
        self.view = bar.addMenu(self.tr("&View"))
        self.help = bar.addMenu(self.tr("&Help"))
        self._build_file()
        self._build_edit()
        self._build_grade()
        self._build_view()
        self._build_help()
        window.project_opened.connect(self._project_opened)
        window.grader.started.connect(lambda _: self._suit())
        window.grader.ended.connect(lambda *_: self._suit())
        window.welcome.open_wanted.connect(self.ask_open)
        window.welcome.new_wanted.connect(self.ask_new)
        window.welcome.sample_wanted.connect(window.open_sample)
        self._suit()

    def _add(
        self, menu: QMenu, name: str, text: str, slot: Callable[[], object], key: object = None, **more: object
    ) -> QAction:
        needs_project = bool(more.pop("needs_project", True))
        action = self.window.actions_.add(menu, name, text, slot, shortcut=key, **more)  # type: ignore[arg-type]
        if needs_project:
            self._project_actions.append(action)
        return action

    def _desk(self) -> Desk:
        assert self.window.desk is not None
        return self.window.desk

    # Menus -----------------------------------------------------------------------------------------------------------

    def _build_file(self) -> None:
        add, file, window = partial(self._add, self.file), self.file, self.window
        add("file.new", self.tr("&New project…"), self.ask_new, QKeySequence.StandardKey.New, needs_project=False)
        add(
            "file.open",
            self.tr("&Open…"),
            self.ask_open,
            QKeySequence.StandardKey.Open,
            icon_name="open",
            needs_project=False,
        )
        self.recent = file.addMenu(self.tr("Open &recent"))
        self.recent.aboutToShow.connect(self._fill_recent)
        add("file.sample", self.tr("Open the sam&ple project"), window.open_sample, needs_project=False)
        file.addSeparator()
        add("file.save", self.tr("&Save"), lambda: self._desk().save(), QKeySequence.StandardKey.Save, icon_name="save")
        add("file.discard", self.tr("&Discard the draft"), lambda: self._desk().discard_draft())
        add("file.copy", self.tr("Save a &copy…"), self.ask_copy, "Ctrl+Shift+S")
        file.addSeparator()
        add("file.import", self.tr("&Import…"), self.ask_import, "Ctrl+I", icon_name="import")
        add("file.import_folder", self.tr("Import a &folder…"), self.ask_import_folder, "Ctrl+Shift+I")
        add("file.sheet", self.tr("Export a s&heet…"), self.ask_sheet, "Ctrl+E", icon_name="export")
        add("file.native", self.tr("Export &files…"), self.ask_native, "Ctrl+Shift+E")
        file.addSeparator()
        add("file.compact", self.tr("Co&mpact"), self.compact)
        add("file.trash", self.tr("&Trash…"), self.show_trash, icon_name="trash")
        file.addSeparator()
        add("file.close", self.tr("C&lose project"), lambda: window.when_idle(window.close_project), "Ctrl+W")
        add("file.quit", self.tr("&Quit"), window.close, QKeySequence.StandardKey.Quit, needs_project=False)

    def _build_edit(self) -> None:
        add, edit = partial(self._add, self.edit), self.edit
        self.undo = add("edit.undo", self.tr("&Undo"), lambda: self._desk().editor.undo(), "Ctrl+Z", icon_name="undo")
        self.redo = add(
            "edit.redo", self.tr("&Redo"), lambda: self._desk().editor.redo(), "Ctrl+Shift+Z", icon_name="redo"
        )
        edit.addSeparator()
        add("edit.new_question", self.tr("&New question"), self.new_question, "Ctrl+Shift+N", icon_name="add")
        add(
            "edit.question", self.tr("Edit the &question's text"), lambda: self._panes().question.focus_text(), "Ctrl+T"
        )
        add("edit.picture", self.tr("Add a &picture…"), self.ask_picture, "Ctrl+Shift+P", icon_name="picture")
        add("edit.write", self.tr("&Write a response…"), self.write_response, "Ctrl+R", icon_name="edit")
        edit.addSeparator()
        add("edit.delete_response", self.tr("Put the &response in the trash"), lambda: self._desk().trash_response())
        add("edit.delete_question", self.tr("Put the question in the &trash"), lambda: self._desk().trash_question())

    def _build_grade(self) -> None:
        add, window = partial(self._add, self.grade), self.window
        add(
            "grade.question",
            self.tr("Grade this &question"),
            lambda: window.grade(everything=False),
            "Ctrl+Return",
            icon_name="grade",
        )
        add("grade.all", self.tr("Grade &everything"), lambda: window.grade(everything=True), "Ctrl+Shift+Return")
        self.stop = add("grade.stop", self.tr("&Stop"), window.grader.stop, "Ctrl+.", icon_name="stop")
        self.grade.addSeparator()
        self.judges = self.grade.addMenu(self.tr("&Judge"))
        self.judge_group = QActionGroup(self)
        for number, info in enumerate(window.wiring.judges(), start=1):
            action = window.actions_.add(
                self.judges,
                f"judge.{info.id}",
                info.id,
                partial(window.choose_judge, info.id),
                shortcut=f"Ctrl+Alt+{number}",
                checkable=True,
            )
            action.setEnabled(info.ready)
            action.setToolTip(info.why_not or "")
            self.judge_group.addAction(action)
        add("judge.file", self.tr("A model &file…"), self.ask_model, "Ctrl+Alt+M").setText(self.tr("A model &file…"))
        self.judges.addAction(window.actions_.named("judge.file"))

    def _build_view(self) -> None:
        add, window = partial(self._add, self.view), self.window
        self.panes_menu = self.view.addMenu(self.tr("&Panes"))
        add("view.reset", self.tr("&Reset the panes"), window.reset_layout)
        add(
            "view.find",
            self.tr("&Find a question"),
            self.find_question,
            QKeySequence.StandardKey.Find,
            icon_name="search",
        )
        self.view.addSeparator()
        group = QActionGroup(self)
        for mode, text in (
            ("system", self.tr("&As the system")),
            ("light", self.tr("&Light")),
            ("dark", self.tr("&Dark")),
        ):
            action = add(
                f"view.{mode}", text, partial(window.themes.set_mode, mode), checkable=True, needs_project=False
            )
            action.setChecked(window.themes.mode == mode)
            group.addAction(action)
        self.view.addSeparator()
        add(
            "view.zoom_in",
            self.tr("Larger &text"),
            window.themes.zoom_in,
            "Ctrl++",
            icon_name="zoom-in",
            needs_project=False,
        )
        add(
            "view.zoom_out",
            self.tr("S&maller text"),
            window.themes.zoom_out,
            "Ctrl+-",
            icon_name="zoom-out",
            needs_project=False,
        )
        add("view.zoom_reset", self.tr("Usual text si&ze"), window.themes.reset_zoom, "Ctrl+0", needs_project=False)

    def _build_help(self) -> None:
        add, window = partial(self._add, self.help, needs_project=False), self.window
        add("help.palette", self.tr("&All actions…"), self.show_palette, "Ctrl+K", icon_name="search")
        add(
            "help.keys",
            self.tr("&Keyboard shortcuts"),
            self.show_shortcuts,
            QKeySequence.StandardKey.HelpContents,
            icon_name="help",
        )
        self.help.addSeparator()
        add("help.diagnosis", self.tr("&Copy diagnosis"), window.copy_diagnosis, icon_name="copy")
        add("help.logs", self.tr("Open the &log folder"), window.open_logs, icon_name="folder")
        add("help.about", self.tr("About &Gamut Desktop"), self.about)

    # Suiting the state ------------------------------------------------------------------------------------------------

    def _project_opened(self) -> None:
        panes, window = self.window.panes, self.window
        self.rubric.clear()
        self.checklist.clear()
        self.panes_menu.clear()
        window.actions_.forget(self._pane_actions if hasattr(self, "_pane_actions") else [])
        self._pane_actions: list[QAction] = []
        if panes is not None:
            self._take_panes()
        self._suit()

    def _take_panes(self) -> None:
        """The actions of the open project's panes come into the menus, the palette and the sheet of keys."""
        panes, window = self.window.panes, self.window
        assert panes is not None and window.desk is not None
        for menu, panel in ((self.rubric, panes.rubric), (self.checklist, panes.checklist)):
            for action in panel.commands():
                if action.objectName() in ("rubric.undo", "rubric.redo"):
                    action.setShortcuts([])  # the window has them
                    continue
                menu.addAction(action)
                self._pane_actions.append(action)
                window.actions_.register(menu.title().replace("&", ""), action)
        for number, dock in enumerate(window.docks(), start=5):
            action = dock.toggleViewAction()
            action.setShortcut(QKeySequence(f"F{number}"))
            action.setObjectName(f"pane.{dock.objectName()}")
            self.panes_menu.addAction(action)
            self._pane_actions.append(action)
            window.actions_.register(self.tr("Panes"), action)
        panes.questions.import_wanted.connect(self.ask_import)
        panes.questions.new_wanted.connect(self.new_question)
        panes.responses.import_wanted.connect(self.ask_import)
        panes.responses.write_wanted.connect(self.write_response)
        panes.question.add_picture.connect(self.ask_picture)
        stack = window.desk.editor.undo_stack
        stack.undoTextChanged.connect(lambda text: self.undo.setText(self.tr("&Undo {what}").format(what=text)))
        stack.redoTextChanged.connect(lambda text: self.redo.setText(self.tr("&Redo {what}").format(what=text)))
        stack.canUndoChanged.connect(lambda _: self._suit())
        stack.canRedoChanged.connect(lambda _: self._suit())
        window.desk.chosen.connect(self._suit)
        window.desk.opened.connect(self._suit)

    def _suit(self) -> None:
        desk, running = self.window.desk, self.window.grader.running
        for action in self._project_actions:
            action.setEnabled(desk is not None)
        if desk is not None:
            self.undo.setEnabled(desk.editor.can_undo())
            self.redo.setEnabled(desk.editor.can_redo())
            named = self.window.actions_.named
            named("edit.delete_response").setEnabled(desk.response is not None)
            for name in ("edit.delete_question", "edit.question", "edit.picture", "edit.write", "grade.question"):
                named(name).setEnabled(desk.question is not None and (name != "grade.question" or not running))
            named("grade.all").setEnabled(not running)
            for action in self.judge_group.actions():
                action.setChecked(action.objectName() == f"judge.{desk.judge}")
        self.stop.setEnabled(running)

    def where_runs(self, desk: Desk) -> str:
        """What the chosen judge runs on, as far as is known from its newest ruler."""
        ruler = desk.stored.rulers.get(desk.judge)
        row = desk.ruler(ruler) if ruler is not None else None
        return _device(row.manifest) if row is not None else ""

    # Asking for files -------------------------------------------------------------------------------------------------

    def _ask(self, title: str, accept: Callable[[Path], object], **more: object) -> None:
        """A file dialog that blocks nothing."""
        dialog = QFileDialog(self.window, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if more.get("save"):
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix(str(more.get("suffix", "")))
        modes = {"many": QFileDialog.FileMode.ExistingFiles, "folder": QFileDialog.FileMode.Directory}
        mode = modes.get(str(more.get("mode")))
        dialog.setFileMode(
            mode or (QFileDialog.FileMode.AnyFile if more.get("save") else QFileDialog.FileMode.ExistingFile)
        )
        if more.get("filter"):
            dialog.setNameFilter(str(more["filter"]))
        dialog.filesSelected.connect(lambda names: [accept(Path(name)) for name in names])
        dialog.open()

    def ask_new(self) -> None:
        self._ask(
            self.tr("New project"),
            self.window.new_project,
            save=True,
            suffix="gamut",
            filter=self.tr("Projects (*.gamut)"),
        )

    def ask_open(self) -> None:
        self._ask(self.tr("Open a project"), self.window.open, filter=self.tr("Projects (*.gamut)"))

    def ask_copy(self) -> None:
        def copy(path: Path) -> None:
            self._in_background(lambda: self._desk().project.save_copy(path), self.tr("Saved a copy."))

        self._ask(self.tr("Save a copy"), copy, save=True, suffix="gamut", filter=self.tr("Projects (*.gamut)"))

    def ask_import(self) -> None:
        kinds = " ".join(f"*{suffix}" for suffix in RUBRICS + TABLES + PICTURES)
        dialog = QFileDialog(self.window, self.tr("Import"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilter(self.tr("Rubrics, responses, labels, pictures ({kinds})").format(kinds=kinds))
        dialog.filesSelected.connect(lambda names: self.window.take_files([Path(name) for name in names]))
        dialog.open()

    def ask_import_folder(self) -> None:
        self._ask(self.tr("Import a folder"), lambda path: self.window.take_files([path]), mode="folder")

    def ask_picture(self) -> None:
        kinds = " ".join(f"*{suffix}" for suffix in PICTURES)
        self._ask(
            self.tr("Add a picture"),
            self._panes().add_picture,
            filter=self.tr("Pictures ({kinds})").format(kinds=kinds),
        )

    def ask_model(self) -> None:
        self._ask(
            self.tr("A model file"),
            lambda path: self.window.choose_judge(f"file:{path}"),
            filter=self.tr("GGUF models (*.gguf)"),
        )

    def ask_sheet(self) -> None:
        def write(path: Path) -> None:
            key = self._desk().key
            self._in_background(
                lambda: export(self._desk().project, path, format="sheet", question=key), self.tr("Exported.")
            )

        self._ask(self.tr("Export a sheet of this question"), write, save=True, suffix="html", filter="HTML (*.html)")

    def ask_native(self) -> None:
        def write(path: Path) -> None:
            self._in_background(lambda: export(self._desk().project, path, format="native"), self.tr("Exported."))

        self._ask(self.tr("Export files into a folder"), write, mode="folder")

    def _in_background(self, work: Callable[[], object], told: str) -> None:
        def done(_: object, error: Exception | None) -> None:
            if isinstance(error, GamutError):
                self.window.fail(error)
            elif error is not None:
                raise error
            else:
                self.window.status.tell(told)

        self.window.jobs.start("file", work, done)

    # Doing ------------------------------------------------------------------------------------------------------------

    def _panes(self):  # type: ignore[no-untyped-def]
        assert self.window.panes is not None
        return self.window.panes

    def _fill_recent(self) -> None:
        self.recent.clear()
        for path in self.window.memory.recent():
            self.recent.addAction(path.stem, partial(self.window.open, path)).setToolTip(str(path))
        if self.recent.isEmpty():
            self.recent.addAction(self.tr("None yet")).setEnabled(False)

    def new_question(self) -> None:
        self._desk().add_question()
        self._panes().question.focus_text()

    def find_question(self) -> None:
        self._panes().questions.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def write_response(self) -> None:
        desk = self._desk()
        with desk.project.read() as snapshot:
            names = list(model_names(snapshot))
        dialog = WriteResponse(names, self.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: desk.add_response(dialog.model(), dialog.text()))
        dialog.open()

    def compact(self) -> None:
        def told(done: object, error: Exception | None) -> None:
            if error is not None:
                self.window.fail(error)
            else:
                saved = max(0, done.bytes_before - done.bytes_after) / 2**20  # type: ignore[attr-defined]
                self.window.status.tell(self.tr("Compacted; {size} MB given back.").format(size=f"{saved:.1f}"))

        self._desk().keep_draft()
        self.window.jobs.start("compact", self._desk().project.compact, told)

    def show_trash(self) -> None:
        desk = self._desk()
        dialog = TrashDialog(desk.project, desk.write, self.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.changed.connect(desk.look)
        dialog.changed.connect(desk.refresh)
        dialog.open()

    def show_palette(self) -> None:
        palette = Palette(self.window.actions_, self.window)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.open()

    def show_shortcuts(self) -> None:
        sheet = ShortcutSheet(self.window.actions_, self.window)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.open()

    def about(self) -> None:
        box = QMessageBox(self.window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(QApplication.applicationDisplayName())
        box.setText(f"Gamut Desktop {gamut_desktop.__version__}")
        box.setInformativeText(self.tr("Grades long answers for factual completeness. Nothing leaves this machine."))
        box.open()


def build_menus(window: MainWindow) -> Menus:
    """Build the menu bar of that window."""
    return Menus(window)


def _device(manifest: str) -> str:
    from json import loads

    facts = loads(manifest)
    device, threads = facts.get("device"), facts.get("threads")
    shown = ", ".join(device) if isinstance(device, list) else str(device or "")
    return f"{shown} ({threads} threads)" if shown and threads else shown
