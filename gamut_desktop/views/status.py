"""The status bar: offline, the judge and where it runs, whether all is saved, and a run's progress with Stop."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QSizePolicy, QStatusBar, QWidget

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
        self.stop_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.stop_button.clicked.connect(self.stop_wanted)
        self._run = QWidget()
        row = QHBoxLayout(self._run)
        row.setContentsMargins(0, 2, 8, 2)
        row.setSpacing(12)
        for part in (self.run_text, self.bar, self.stop_button):
            row.addWidget(part)
        self._facts = QWidget()
        facts = QHBoxLayout(self._facts)
        facts.setContentsMargins(8, 0, 8, 0)
        facts.setSpacing(6)
        self._dots: list[Label] = []
        for label in (self.offline, self.judge, self.saved):
            if facts.count():
                self._dots.append(Label("\N{MIDDLE DOT}", "small", muted=True))
                facts.addWidget(self._dots[-1])
            facts.addWidget(label)
        self.addWidget(self._facts)
        self._suit()
        self.addPermanentWidget(self._run)
        self._run.hide()

    def tell(self, sentence: str) -> None:
        """A sentence for a few seconds."""
        self.showMessage(sentence, TOLD_MS)

    def show_judge(self, judge: str, where: str) -> None:
        """The chosen judge and what it runs on."""
        self.judge.setText(self.tr("{judge} on {where}").format(judge=judge, where=where) if where else judge)
        self.judge.setToolTip(self.tr("The judge that grades, and whose scores are shown: Grade > Judge changes it."))
        self._suit()

    def show_saved(self, saved: bool, read_only: bool) -> None:
        """Whether the open question is saved."""
        if read_only:
            self.saved.setText(self.tr("read-only"))
        else:
            self.saved.setText(self.tr("saved") if saved else self.tr("edited, kept as a draft"))
        self._suit()

    def _suit(self) -> None:
        """A dot stands before each fact but the first; what has nothing to say takes no room."""
        for dot, label in zip(self._dots, (self.judge, self.saved), strict=True):
            for part in (dot, label):
                part.setVisible(bool(label.text()))

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
