"""What the window asks a person for - files, a response, what to do with the trash - and what is done with the answer.

Every dialog is opened, none is run: the event loop goes on, and so does grading.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

import gamut_desktop
from gamut_desktop.desk import Desk
from gamut_desktop.dialogs.palette import Palette, ShortcutSheet
from gamut_desktop.dialogs.trash import TrashDialog
from gamut_desktop.dialogs.write_response import WriteResponse
from gamut_desktop.usecases.exporting import export
from gamut_desktop.usecases.importing import PICTURES, RUBRICS, TABLES
from gamut_desktop.views.panes import Panes
from models.errors import GamutError
from models.store.queries.responses import model_names

if TYPE_CHECKING:
    from gamut_desktop.main_window import MainWindow


class Asking(QObject):
    """One method for each thing that is asked."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window

    def desk(self) -> Desk:
        """The open project's desk."""
        assert self.window.desk is not None
        return self.window.desk

    # Asking for files -------------------------------------------------------------------------------------------------

    def _ask(self, title: str, accept: Callable[[Path], object], **more: object) -> None:
        """A file dialog that blocks nothing, over the dialog that is open, if one is."""
        dialog = QFileDialog(QApplication.activeModalWidget() or self.window, title)
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

    def new_project(self) -> None:
        self._ask(
            self.tr("New project"),
            self.window.new_project,
            save=True,
            suffix="gamut",
            filter=self.tr("Projects (*.gamut)"),
        )

    def open_project(self) -> None:
        self._ask(self.tr("Open a project"), self.window.open, filter=self.tr("Projects (*.gamut)"))

    def save_copy(self) -> None:
        def copy(path: Path) -> None:
            self._in_background(lambda: self.desk().project.save_copy(path), self.tr("Saved a copy."))

        self._ask(self.tr("Save a copy"), copy, save=True, suffix="gamut", filter=self.tr("Projects (*.gamut)"))

    def import_files(self) -> None:
        kinds = " ".join(f"*{suffix}" for suffix in RUBRICS + TABLES + PICTURES)
        dialog = QFileDialog(self.window, self.tr("Import"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilter(self.tr("Rubrics, responses, labels, pictures ({kinds})").format(kinds=kinds))
        dialog.filesSelected.connect(lambda names: self.window.take_files([Path(name) for name in names]))
        dialog.open()

    def import_folder(self) -> None:
        self._ask(self.tr("Import a folder"), lambda path: self.window.take_files([path]), mode="folder")

    def add_picture(self) -> None:
        kinds = " ".join(f"*{suffix}" for suffix in PICTURES)
        self._ask(
            self.tr("Add a picture"),
            self.panes().add_picture,
            filter=self.tr("Pictures ({kinds})").format(kinds=kinds),
        )

    def model_file(self, accept: Callable[[Path], object]) -> None:
        self._ask(self.tr("A model file"), accept, filter=self.tr("GGUF models (*.gguf)"))

    def export_sheet(self) -> None:
        def write(path: Path) -> None:
            key = self.desk().key
            self._in_background(
                lambda: export(self.desk().project, path, format="sheet", question=key), self.tr("Exported.")
            )

        self._ask(self.tr("Export a sheet of this question"), write, save=True, suffix="html", filter="HTML (*.html)")

    def export_files(self) -> None:
        def write(path: Path) -> None:
            self._in_background(lambda: export(self.desk().project, path, format="native"), self.tr("Exported."))

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

    def panes(self) -> Panes:
        """The open project's panes."""
        assert self.window.panes is not None
        return self.window.panes

    def new_question(self) -> None:
        self.desk().add_question()
        self.panes().question.focus_text()

    def find_question(self) -> None:
        self.panes().questions.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def write_response(self) -> None:
        desk = self.desk()
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

        self.desk().keep_draft()
        self.window.jobs.start("compact", self.desk().project.compact, told)

    def show_trash(self) -> None:
        desk = self.desk()
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
