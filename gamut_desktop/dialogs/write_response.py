"""Writing a response by hand: whose it is, and its text."""

from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QPlainTextEdit, QVBoxLayout, QWidget


class WriteResponse(QDialog):
    """`model()` and `text()` once accepted. Saving needs a name; an empty text is a response too."""

    def __init__(self, models: list[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Write a response"))
        self.resize(520, 360)
        self._model = QComboBox()
        self._model.setEditable(True)
        self._model.addItems(models)
        self._model.setCurrentText(self.tr("mine"))
        self._model.setAccessibleName(self.tr("Model"))
        self._text = QPlainTextEdit()
        self._text.setAccessibleName(self.tr("Response"))
        self._text.setTabChangesFocus(True)
        self._text.setProperty("field", True)
        self._text.setPlaceholderText(self.tr("The answer, as the model gave it"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._model.editTextChanged.connect(self._suit)
        form = QFormLayout()
        form.addRow(self.tr("&Model"), self._model)
        form.addRow(self.tr("&Response"), self._text)
        whole = QVBoxLayout(self)
        whole.addLayout(form)
        whole.addWidget(self.buttons)
        self._text.setFocus()

    def _suit(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(bool(self.model()))

    def model(self) -> str:
        """Whose answer it is."""
        return self._model.currentText().strip()

    def text(self) -> str:
        """The answer."""
        return self._text.toPlainText()
