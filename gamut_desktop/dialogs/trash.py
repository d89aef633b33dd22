"""The trash: what is in it, bring back, empty. Emptying asks, because nothing brings that back."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.widgets.labels import Label
from models.store.project import Project
from models.store.queries.status import trash_contents
from models.store.records import TrashedQuestion, TrashedResponse

_THING = int(Qt.ItemDataRole.UserRole) + 1


class TrashDialog(QDialog):
    """changed: something was brought back or removed for good. `write`: does a short piece of writing."""

    changed = Signal()

    def __init__(self, project: Project, write: Callable[[Callable[..., object]], object], parent: QWidget) -> None:
        super().__init__(parent)
        self._project, self._write = project, write
        self.setWindowTitle(self.tr("Trash"))
        self.resize(480, 380)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("What is in the trash"))
        self._told = Label("", muted=True)
        self._told.setWordWrap(True)
        buttons = QDialogButtonBox()
        self.back = buttons.addButton(self.tr("Bring back"), QDialogButtonBox.ButtonRole.ActionRole)
        self.empty = buttons.addButton(self.tr("Empty the trash…"), QDialogButtonBox.ButtonRole.DestructiveRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.back.clicked.connect(self.bring_back)
        self.empty.clicked.connect(self._ask)
        self.list.itemActivated.connect(self.bring_back)
        whole = QVBoxLayout(self)
        whole.addWidget(self._told)
        whole.addWidget(self.list, 1)
        whole.addWidget(buttons)
        self._show()

    def _show(self) -> None:
        with self._project.read() as snapshot:
            found = trash_contents(snapshot)
        self.list.clear()
        for question in found.questions:
            text = self.tr("Question '{key}' (responses: {n})").format(key=question.key, n=question.responses)
            self._add(text, question)
        for response in found.responses:
            text = self.tr("Response of {model} to '{key}'").format(model=response.model, key=response.question)
            self._add(text, response)
        count = self.list.count()
        self.back.setEnabled(count > 0)
        self.empty.setEnabled(count > 0)
        self._told.setText(self.tr("Select what to bring back.") if count else self.tr("The trash is empty."))
        if count:
            self.list.setCurrentRow(0)

    def _add(self, text: str, thing: TrashedQuestion | TrashedResponse) -> None:
        item = QListWidgetItem(text)
        item.setData(_THING, thing)
        self.list.addItem(item)

    def bring_back(self) -> None:
        """Take the selected thing out of the trash."""
        item = self.list.currentItem()
        if item is None:
            return
        thing = item.data(_THING)
        if isinstance(thing, TrashedQuestion):
            self._write(lambda writer: writer.restore_question(thing.key))
        else:
            left = self._write(lambda writer: writer.restore_responses([thing.id]))
            if left:
                self._told.setText(self.tr("Another answer stands in its place; put that one in the trash first."))
                return
        self._show()
        self.changed.emit()

    def _ask(self) -> None:
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(self.tr("Remove everything in the trash for good?"))
        box.setInformativeText(self.tr("Verdicts and labels of these responses go with them. This cannot be undone."))
        remove = box.addButton(self.tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.buttonClicked.connect(lambda button: self.remove_all() if button is remove else None)
        box.open()

    def remove_all(self) -> None:
        """Empty the trash."""
        self._write(lambda writer: writer.empty_trash())
        self._show()
        self.changed.emit()
