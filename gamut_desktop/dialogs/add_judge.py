"""A judge from a person's own files: the model, and the projector that lets it see, if it has one."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.usecases.judge_files import likely_projector
from gamut_desktop.widgets.labels import Label


class _FileField(QWidget):
    """A path to be typed, or chosen. browse_wanted: in a file dialog, please."""

    browse_wanted = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.path = QLineEdit()
        self.path.setAccessibleName(name)
        self.path.setClearButtonEnabled(True)
        self.path.setMinimumWidth(self.path.fontMetrics().averageCharWidth() * 32)
        self.browse = QPushButton(self.tr("Choose…"))
        self.browse.setAccessibleName(self.tr("Choose: {what}").format(what=name))
        self.browse.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.browse.clicked.connect(self.browse_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.path, 1)
        row.addWidget(self.browse)
        self.setFocusProxy(self.path)

    def file(self) -> Path | None:
        """The file named; None where nothing is."""
        named = self.path.text().strip()
        return Path(named) if named else None


class AddJudge(QDialog):
    """add_wanted(model, projector or None). It stays until it is told `accept` or `refuse`."""

    add_wanted = Signal(object, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Add a judge from a file"))
        about = Label(
            self.tr(
                "A judge is a GGUF model file. To see pictures it needs its projector too, a second file that is"
                " published with it, often with mmproj in its name. The files stay where they are."
            ),
            muted=True,
        )
        about.setWordWrap(True)
        self.model, self.projector = _FileField(self.tr("Model file")), _FileField(self.tr("Projector file"))
        self.projector.path.setPlaceholderText(self.tr("none: it reads text only"))
        self.problem = Label("")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add_button = self.buttons.addButton(self.tr("Add the judge"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.add_button.setProperty("primary", True)
        self.buttons.accepted.connect(lambda: self.add_wanted.emit(self.model.file(), self.projector.file()))
        self.buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.setVerticalSpacing(12)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self.tr("&Model"), self.model)
        form.addRow(self.tr("&Projector"), self.projector)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 12)
        whole.setSpacing(12)
        whole.addWidget(about)
        whole.addLayout(form)
        whole.addWidget(self.problem)
        whole.addStretch(1)
        whole.addWidget(self.buttons)
        self.model.path.textChanged.connect(self._suit)
        self._suit()
        self.resize(560, whole.heightForWidth(560))
        self.model.setFocus()

    def take_model(self, file: Path) -> None:
        """The model was chosen; a projector that lies beside it is offered."""
        self.model.path.setText(str(file))
        beside = likely_projector(file)
        if beside is not None and self.projector.file() is None:
            self.take_projector(beside)

    def take_projector(self, file: Path) -> None:
        """The projector was chosen."""
        self.projector.path.setText(str(file))

    def refuse(self, sentence: str) -> None:
        """The files are no judge, for the reason in the sentence."""
        self.problem.setText(sentence)
        self.problem.show()
        around = self.layout()
        if around is not None:
            self.resize(self.width(), max(self.height(), around.heightForWidth(self.width())))

    def _suit(self) -> None:
        self.add_button.setEnabled(self.model.file() is not None)
        self.problem.hide()
