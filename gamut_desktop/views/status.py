"""The status bar: offline, the judge and where it runs, whether all is saved, and a run's progress with Stop."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QStatusBar, QWidget

from gamut_desktop.grader import Standing
from gamut_desktop.widgets.labels import Label

TOLD_MS = 6000


class Status(QStatusBar):
    """stop_wanted: the person wants the run to stop."""

    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.offline = Label(self.tr("offline"), "small", muted=True)
        self.offline.setToolTip(self.tr("Nothing leaves this machine: no judge that is in use needs a network."))
        self.judge = Label("", "small", muted=True)
        self.saved = Label("", "small", muted=True)
        self.run_text = Label("", "small")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(120)
        self.bar.setFixedHeight(6)
        self.bar.setAccessibleName(self.tr("Progress of the run"))
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.setAccessibleName(self.tr("Stop grading"))
        self.stop_button.clicked.connect(self.stop_wanted)
        self._run = QWidget()
        row = QHBoxLayout(self._run)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for part in (self.run_text, self.bar, self.stop_button):
            row.addWidget(part)
        for label in (self.offline, self.judge, self.saved):
            self.addWidget(label)
        self.addPermanentWidget(self._run)
        self._run.hide()

    def tell(self, sentence: str) -> None:
        """A sentence for a few seconds."""
        self.showMessage(sentence, TOLD_MS)

    def show_judge(self, judge: str, where: str) -> None:
        """The chosen judge and what it runs on."""
        self.judge.setText(f"{judge} · {where}" if where else judge)

    def show_saved(self, saved: bool, read_only: bool) -> None:
        """Whether the open question is saved."""
        if read_only:
            self.saved.setText(self.tr("read-only"))
        else:
            self.saved.setText(self.tr("saved") if saved else self.tr("edited, kept as a draft"))

    def show_run(self, at: Standing | None) -> None:
        """How far a run is; None when there is none."""
        self._run.setVisible(at is not None)
        if at is None:
            return
        self.bar.setRange(0, at.total)
        self.bar.setValue(at.done)
        self.stop_button.setEnabled(not at.stopping)
        if at.stopping:
            text = self.tr("stopping")
        elif at.total == 0 or at.done == 0:
            text = self.tr("starting {judge}").format(judge=at.judge)
        else:
            left = _clock(at.seconds_left or 0)
            text = self.tr("grading {done}/{total}, {left} left").format(done=at.done, total=at.total, left=left)
        self.run_text.setText(text)


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"
