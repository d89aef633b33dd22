"""The status bar: offline, the judge, where it runs and what to know of it, what is saved, and a run's progress."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QSizePolicy, QStatusBar, QWidget

from gamut_desktop.grader import Standing
from gamut_desktop.widgets.labels import Label
from gamut_desktop.widgets.quiet_button import QuietButton
from gamut_desktop.widgets.words import plain_tooltip
from gamut_desktop.wiring import judge_name

TOLD_MS = 6000


def tr(text: str) -> str:
    """Translate in the context "Status"."""
    return QCoreApplication.translate("Status", text)


def how_far(at: Standing) -> str:
    """How far a run or a check is, in words."""
    if at.stopping:
        return tr("stopping")
    if at.total == 0 or at.done == 0:
        return tr("starting {judge}").format(judge=judge_name(at.judge))
    if at.seconds_left is None:
        left = tr("{done}/{total}").format(done=at.done, total=at.total)
    else:
        clock = _clock(at.seconds_left)
        left = tr("{done}/{total}, {left} left").format(done=at.done, total=at.total, left=clock)
    told = tr("checking {how_far}") if at.checking else tr("grading {how_far}")
    return told.format(how_far=left)


class Status(QStatusBar):
    """stop_wanted: the person wants the run to stop. check_wanted: to see how far the judge can be trusted.
    remarks_wanted: to read in what the judge runs otherwise than was asked for.
    """

    stop_wanted = Signal()
    check_wanted = Signal()
    remarks_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.offline = Label(self.tr("offline"), "small", muted=True)
        self.offline.setToolTip(self.tr("Nothing leaves this machine: no judge that is in use needs a network."))
        self.judge = Label("", "small", muted=True)
        self.mark, self.remark = QuietButton(), QuietButton()
        self.mark.clicked.connect(self.check_wanted)
        self.remark.clicked.connect(self.remarks_wanted)
        self.remark.show_words(self.tr("not as set"), alarming=True)
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
        for label in (self.offline, self.judge, self.mark, self.remark, self.saved):
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

    def show_judge(self, judge: str, where: str, remarks: Sequence[str] = ()) -> None:
        """The chosen judge and what it runs on. remarks: how it runs, if it is loaded."""
        name = judge_name(judge)
        self.judge.setText(self.tr("{judge} on {where}").format(judge=name, where=where) if where else name)
        about = self.tr("The judge that grades, and whose scores are shown: Grade > Judge changes it.")
        self.judge.setToolTip(plain_tooltip(about, judge if judge != name else "", *remarks))
        self._suit()

    def show_mark(self, words: str, sentence: str, *, alarming: bool) -> None:
        """What the judge's last check found."""
        self.mark.show_words(words, alarming=alarming)
        self.mark.setToolTip(plain_tooltip(sentence))
        self.mark.setAccessibleName(sentence)
        self._suit()

    def show_lasting(self, sentences: Sequence[str]) -> None:
        """In what the loaded judge runs otherwise than was asked for; stays until it is unloaded."""
        self.remark.setProperty("told", bool(sentences))
        self.remark.setToolTip(plain_tooltip(*sentences))
        self.remark.setAccessibleName(" ".join(sentences))
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
        shown = [bool(label.text()) for label in (self.judge, self.mark)]
        shown += [bool(self.remark.property("told")), bool(self.saved.text())]
        facts = (self.judge, self.mark, self.remark, self.saved)
        for dot, label, visible in zip(self._dots, facts, shown, strict=True):
            dot.setVisible(visible)
            label.setVisible(visible)

    def show_run(self, at: Standing | None) -> None:
        """How far a run is; None when there is none."""
        self._run.setVisible(at is not None)
        if at is None:
            return
        self.bar.setRange(0, at.total)
        self.bar.setValue(at.done)
        self.stop_button.setEnabled(not at.stopping)
        self.run_text.setText(how_far(at))
        self.stop_button.setAccessibleName(self.tr("Stop the check") if at.checking else self.tr("Stop grading"))


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"
