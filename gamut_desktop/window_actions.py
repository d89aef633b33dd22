"""The window's menus: every action by name, text, key and what it does. What is asked for first is in asking.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from gamut_desktop.asking import Asking
from gamut_desktop.desk import Desk
from gamut_desktop.theme import Mode
from gamut_desktop.usecases.rulers import where_runs
from gamut_desktop.widgets.judge_words import grade_tooltip, mark, mark_sentence
from gamut_desktop.widgets.words import plain_tooltip
from gamut_desktop.wiring import JudgeInfo, judge_name

if TYPE_CHECKING:
    from gamut_desktop.main_window import MainWindow


class Menus(QObject):
    """Builds the menu bar once; what needs a project is enabled while there is one."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.ask = Asking(window)
        self._project_actions: list[QAction] = []
        self._judges_shown: list[str] = []
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
        window.welcome.open_wanted.connect(self.ask.open_project)
        window.welcome.new_wanted.connect(self.ask.new_project)
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

    # Menus -----------------------------------------------------------------------------------------------------------

    def _build_file(self) -> None:
        add, file, window = partial(self._add, self.file), self.file, self.window
        add(
            "file.new",
            self.tr("&New project…"),
            self.ask.new_project,
            QKeySequence.StandardKey.New,
            needs_project=False,
        )
        add(
            "file.open",
            self.tr("&Open…"),
            self.ask.open_project,
            QKeySequence.StandardKey.Open,
            icon_name="open",
            needs_project=False,
        )
        self.recent = file.addMenu(self.tr("Open &recent"))
        self.recent.aboutToShow.connect(self._fill_recent)
        add("file.sample", self.tr("Open the sam&ple project"), window.open_sample, needs_project=False)
        file.addSeparator()
        add(
            "file.save",
            self.tr("&Save"),
            lambda: self.ask.desk().save(),
            QKeySequence.StandardKey.Save,
            icon_name="save",
        )
        add("file.discard", self.tr("&Discard the draft"), lambda: self.ask.desk().discard_draft())
        add("file.copy", self.tr("Save a &copy…"), self.ask.save_copy, "Ctrl+Shift+S")
        file.addSeparator()
        add("file.import", self.tr("&Import…"), self.ask.import_files, "Ctrl+I", icon_name="import")
        add("file.import_folder", self.tr("Import a &folder…"), self.ask.import_folder, "Ctrl+Shift+O")
        add("file.sheet", self.tr("Export a s&heet…"), self.ask.export_sheet, "Ctrl+E", icon_name="export")
        add("file.native", self.tr("E&xport files…"), self.ask.export_files, "Ctrl+Shift+X")
        file.addSeparator()
        add("file.compact", self.tr("Co&mpact"), self.ask.compact)
        add("file.trash", self.tr("&Trash…"), self.ask.show_trash, icon_name="trash")
        file.addSeparator()
        add("file.close", self.tr("C&lose project"), lambda: window.runs.when_idle(window.close_project), "Ctrl+W")
        add("file.quit", self.tr("&Quit"), window.close, QKeySequence.StandardKey.Quit, needs_project=False)

    def _build_edit(self) -> None:
        add, edit = partial(self._add, self.edit), self.edit
        self.undo = add(
            "edit.undo", self.tr("&Undo"), lambda: self.ask.desk().editor.undo(), "Ctrl+Z", icon_name="undo"
        )
        self.redo = add(
            "edit.redo", self.tr("&Redo"), lambda: self.ask.desk().editor.redo(), "Ctrl+Shift+Z", icon_name="redo"
        )
        edit.addSeparator()
        add("edit.new_question", self.tr("&New question"), self.ask.new_question, "Ctrl+Shift+D", icon_name="add")
        add(
            "edit.question",
            self.tr("Edit the &question's text"),
            lambda: self.ask.panes().question.focus_text(),
            "Ctrl+T",
        )
        add("edit.picture", self.tr("Add a &picture…"), self.ask.add_picture, "Ctrl+Shift+P", icon_name="picture")
        add("edit.write", self.tr("&Write a response…"), self.ask.write_response, "Ctrl+Shift+R", icon_name="edit")
        edit.addSeparator()
        add("edit.delete_response", self.tr("Put the resp&onse in the trash"), lambda: self.ask.desk().trash_response())
        add("edit.delete_question", self.tr("Put the question in the &trash"), lambda: self.ask.desk().trash_question())

    def _build_grade(self) -> None:
        add, window = partial(self._add, self.grade), self.window
        self.grade_question = add(
            "grade.question",
            self.tr("Grade this &question"),
            lambda: window.runs.grade(everything=False),
            "Ctrl+Return",
            icon_name="grade",
        )
        self.grade_all = add(
            "grade.all",
            self.tr("Grade &everything"),
            lambda: window.runs.grade(everything=True),
            "Ctrl+Shift+Return",
        )
        self.stop = add("grade.stop", self.tr("&Stop"), self._stop, "Ctrl+.", icon_name="stop")
        self.grade.addSeparator()
        self.judges = self.grade.addMenu(self.tr("&Judge"))
        self.judges.setToolTipsVisible(True)
        self.judge_group = QActionGroup(self)
        self._judge_actions: list[QAction] = []
        judges = window.judges
        add("judge.choose", self.tr("Jud&ges…"), judges.show_chooser, "Ctrl+J", needs_project=False)
        add("judge.check", self.tr("&Check this judge…"), judges.show_check, "Ctrl+Shift+J")
        add(
            "judge.settings",
            self.tr("Judge se&ttings…"),
            judges.show_settings,
            QKeySequence("Ctrl+,"),
            icon_name="settings",
            needs_project=False,
        )
        self.unload = add("judge.unload", self.tr("&Unload the judge"), judges.unload, needs_project=False)
        self._below_judges = self.judges.addSeparator()
        self.add_judge = window.actions_.add(
            self.judges,
            "judge.file",
            self.tr("Add a judge from a &file…"),
            lambda: judges.show_add([]),
            shortcut="Ctrl+Alt+M",
        )
        judges.changed.connect(self._fill_judges)
        self._fill_judges()

    def _fill_judges(self) -> None:
        """The judges with what is known of each, before the action that adds one; only if something of them is new."""
        window = self.window
        shown = [_judge_text(info) + (info.why_not or "") + mark_sentence(info) for info in window.judges.infos]
        if shown != self._judges_shown:
            self._judges_shown = shown
            window.actions_.forget(self._judge_actions)
            for action in self._judge_actions:
                self.judges.removeAction(action)
                action.deleteLater()
            self._judge_actions = [
                self._judge_action(number, info) for number, info in enumerate(window.judges.infos, start=1)
            ]
            for last in (self._below_judges, self.add_judge):
                self.judges.removeAction(last)
                self.judges.addAction(last)
        self._suit()

    def _judge_action(self, number: int, info: JudgeInfo) -> QAction:
        action = self.window.actions_.add(
            self.judges,
            f"judge.{info.id}",
            _judge_text(info),
            partial(self.window.choose_judge, info.id),
            shortcut=f"Ctrl+Alt+{number}" if number < 10 else None,
            checkable=True,
        )
        action.setEnabled(info.ready)
        action.setToolTip(plain_tooltip(info.why_not or mark_sentence(info)))
        action.setStatusTip(info.why_not or mark_sentence(info))
        self.judge_group.addAction(action)
        return action

    def _build_view(self) -> None:
        add, window = partial(self._add, self.view), self.window
        self.panes_menu = self.view.addMenu(self.tr("&Panes"))
        add("view.reset", self.tr("&Reset the panes"), window.arrangement.reset)
        add(
            "view.find",
            self.tr("&Find a question"),
            self.ask.find_question,
            QKeySequence.StandardKey.Find,
            icon_name="search",
        )
        self.view.addSeparator()
        group = QActionGroup(self)
        modes: tuple[tuple[Mode, str], ...] = (
            ("system", self.tr("&As the system")),
            ("light", self.tr("&Light")),
            ("dark", self.tr("&Dark")),
        )
        for mode, text in modes:
            choose = partial(window.themes.set_mode, mode)
            action = add(f"view.{mode}", text, choose, checkable=True, needs_project=False)
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
        add("help.palette", self.tr("&All actions…"), self.ask.show_palette, "Ctrl+K", icon_name="search")
        add(
            "help.keys",
            self.tr("&Keyboard shortcuts"),
            self.ask.show_shortcuts,
            QKeySequence.StandardKey.HelpContents,
            icon_name="help",
        )
        self.help.addSeparator()
        add("help.diagnosis", self.tr("&Copy diagnosis"), window.copy_diagnosis, icon_name="copy")
        add("help.logs", self.tr("Open the &log folder"), window.open_logs, icon_name="folder")
        add("help.about", self.tr("About &Gamut Desktop"), self.ask.about)

    def _fill_recent(self) -> None:
        self.recent.clear()
        for path in self.window.memory.recent():
            self.recent.addAction(path.stem, partial(self.window.open, path)).setToolTip(str(path))
        if self.recent.isEmpty():
            self.recent.addAction(self.tr("None yet")).setEnabled(False)

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
        assert panes is not None
        assert window.desk is not None
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
        panes.questions.import_wanted.connect(self.ask.import_files)
        panes.questions.new_wanted.connect(self.ask.new_question)
        panes.responses.import_wanted.connect(self.ask.import_files)
        panes.responses.write_wanted.connect(self.ask.write_response)
        panes.question.add_picture.connect(self.ask.add_picture)
        stack = window.desk.editor.undo_stack
        stack.undoTextChanged.connect(
            lambda text: self.undo.setText(self.tr("&Undo {what}").format(what=text).rstrip())
        )
        stack.redoTextChanged.connect(
            lambda text: self.redo.setText(self.tr("&Redo {what}").format(what=text).rstrip())
        )
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
        for action in self._judge_actions:
            action.setChecked(action.objectName() == f"judge.{self.window.judges.chosen}")
        who = grade_tooltip(self.window.judges.info(self.window.judges.chosen))
        for action in (self.grade_question, self.grade_all):
            action.setStatusTip(who)
        self.stop.setEnabled(running or self.window.judges.checker.running is not None)
        self.unload.setEnabled(self.window.judges.can_unload)

    def _stop(self) -> None:
        self.window.grader.stop()
        self.window.judges.checker.stop()

    def where_runs(self, desk: Desk) -> str:
        """What the chosen judge runs on, as far as is known from its newest ruler."""
        ruler = desk.stored.rulers.get(desk.judge)
        row = desk.ruler(ruler) if ruler is not None else None
        return where_runs(row.manifest) if row is not None else ""


def _judge_text(info: JudgeInfo) -> str:
    """A judge's name with what its last check found: nobody chooses one without knowing that."""
    name, known = judge_name(info.id).replace("&", "&&"), mark(info) if info.ready else ""
    return f"{name} ({known})" if known else name


def build_menus(window: MainWindow) -> Menus:
    """Build the menu bar of that window."""
    return Menus(window)
