"""What the window shows without a project: one sentence, and the ways to begin."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gamut_desktop.widgets.empty_state import EmptyState
from gamut_desktop.widgets.labels import Label


class Welcome(QWidget):
    """open_wanted, new_wanted, sample_wanted: one a button."""

    open_wanted = Signal()
    new_wanted = Signal()
    sample_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.empty = EmptyState(
            self.tr("Open a project, or make one. Everything in it stays in one file on this machine."),
            self.tr("Open…"),
            self.tr("New project…"),
            drop_hint=self.tr("or drop a project here"),
        )
        sample = QPushButton(self.tr("Open the sample project"))
        self.empty.primary.connect(self.open_wanted)
        self.empty.secondary.connect(self.new_wanted)
        sample.clicked.connect(self.sample_wanted)
        name = Label("Gamut Desktop", "headline")
        name.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        whole = QVBoxLayout(self)
        whole.setSpacing(8)
        whole.addStretch(2)
        whole.addWidget(name)
        whole.addWidget(self.empty)
        whole.addWidget(sample, 0, Qt.AlignmentFlag.AlignHCenter)
        whole.addStretch(3)
