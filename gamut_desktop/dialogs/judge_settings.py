"""How the judges from model files are run: every setting in plain words, with one line that says what it does.

It shows and gives back a `JudgeSettings`; who opened it stores them.
"""

from typing import get_args

from PySide6.QtCore import QRegularExpression, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.dialogs.form_parts import Column, Group, NumberOrChosen
from gamut_desktop.settings import JudgeSettings
from gamut_desktop.widgets.labels import Label
from judge_local.manner import Rationale, Style

MOST_SEED = 2**63 - 1
_PRIORS = (None, True, False)


class JudgeSettingsDialog(QDialog):
    """save_wanted(JudgeSettings): the person wants these. The dialog stays until it is told `accept` or `refuse`."""

    save_wanted = Signal(object)

    def __init__(self, settings: JudgeSettings, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Judge settings"))
        self.resize(600, 640)
        self._make_controls()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 12)
        whole.setSpacing(12)
        whole.addWidget(self._intro())
        whole.addWidget(self._page(), 1)
        self._problem = Label("")
        self._problem.setWordWrap(True)
        self._problem.hide()
        whole.addWidget(self._problem)
        button = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(button.Save | button.Cancel | button.RestoreDefaults)
        self.buttons.button(button.Save).setProperty("primary", True)
        self.buttons.accepted.connect(lambda: self.save_wanted.emit(self.settings()))
        self.buttons.rejected.connect(self.reject)
        self.buttons.button(button.RestoreDefaults).clicked.connect(lambda: self.show_settings(JudgeSettings()))
        whole.addWidget(self.buttons)
        self.style_.currentIndexChanged.connect(self._suit)
        self.seed.textChanged.connect(self._suit)
        self.show_settings(settings)
        self.style_.setFocus()

    # What is shown ---------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.style_ = _choice(self.tr("At once"), self.tr("After a reason"), self.tr("After a reason if it is close"))
        self.margin = QDoubleSpinBox()
        self.margin.setRange(0, 1)
        self.margin.setSingleStep(0.05)
        self.margin.setDecimals(2)
        self.rationale = _choice(self.tr("Always"), self.tr("When you ask for it"), self.tr("Never"))
        self.orders = QSpinBox()
        self.orders.setRange(1, 4)
        self.prior = _choice(self.tr("Let the app choose"), self.tr("On"), self.tr("Off"))
        self.seed = QLineEdit()
        self.seed.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]{1,19}"), self.seed))
        self.pictures = QCheckBox(self.tr("&Look at the pictures"))
        self.counting = QCheckBox(self.tr("&Count by rule"))
        self.packed = QCheckBox(self.tr("&Pack all checks of a response"))
        self.threads = NumberOrChosen(1, 512, 4, 1)
        self.context = NumberOrChosen(512, 1_048_576, 8192, 512)
        self.layers = NumberOrChosen(0, 10_000, 0, 1)

    def _intro(self) -> Label:
        intro = Label(
            self.tr(
                "For every judge that runs from a model file, from the next run on. Other settings are another ruler:"
                " grading again asks again, and nothing that is judged is lost."
            ),
            muted=True,
        )
        intro.setWordWrap(True)
        return intro

    def _page(self) -> Column:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(16)
        for group in (self._answering(), self._reading(), self._seeing(), self._machine()):
            column.addWidget(group)
        column.addStretch(1)
        self.area = Column(page, self.tr("Settings"))
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return self.area

    def _answering(self) -> Group:
        group = Group(self.tr("How it answers"))
        group.row(
            self.tr("&Verdict"),
            self.style_,
            self.tr("At once is fast. After a reason is several times slower, and often better with a large model."),
        )
        self._margin_row = group.row(
            self.tr("Close &means"),
            self.margin,
            self.tr("A reason is asked for where the two likeliest verdicts lie closer than this, from 0 to 1."),
        )
        group.row(
            self.tr("&Reasons"),
            self.rationale,
            self.tr("Whether a verdict that was given at once is explained afterwards; each reason takes seconds."),
        )
        return group

    def _reading(self) -> Group:
        group = Group(self.tr("How its answer is read"))
        group.row(
            self.tr("&Option orders"),
            self.orders,
            self.tr("Asks with the verdicts listed in so many orders and takes the mean: fairer, and slower."),
        )
        group.row(
            self.tr("Take off the &habit"),
            self.prior,
            self.tr("Takes off what the judge says of a response without content. It helps small models only."),
        )
        group.row(
            "",
            self.counting,
            self.tr("Asks about each option alone and counts them here, instead of asking the judge to count."),
        )
        group.row(self.tr("S&eed"), self.seed, self.tr("Shuffles the options; the same seed gives the same verdicts."))
        return group

    def _seeing(self) -> Group:
        group = Group(self.tr("What it looks at"))
        group.row(
            "",
            self.pictures,
            self.tr("Needs a judge with a projector. Without it, questions with pictures are graded by text alone."),
        )
        return group

    def _machine(self) -> Group:
        group = Group(self.tr("How it uses this machine"))
        group.row(
            self.tr("&Threads"), self.threads, self.tr("More than the processor has cores is slower, not faster.")
        )
        group.row(
            self.tr("Conte&xt"),
            self.context,
            self.tr("Tokens for question, response and check together; a longer context takes more memory."),
        )
        group.row(
            self.tr("&Graphics layers"),
            self.layers,
            self.tr("Layers of the model on the graphics processor; 0 keeps it on the processor."),
        )
        group.row(
            "",
            self.packed,
            self.tr("Faster, but then a verdict depends a little on the checks beside it."),
            warning=True,
        )
        return group

    # Values ----------------------------------------------------------------------------------------------------------

    def show_settings(self, settings: JudgeSettings) -> None:
        """Show these."""
        self.style_.setCurrentIndex(get_args(Style).index(settings.style))
        self.margin.setValue(settings.margin)
        self.rationale.setCurrentIndex(get_args(Rationale).index(settings.rationale))
        self.orders.setValue(settings.orders)
        self.prior.setCurrentIndex(_PRIORS.index(settings.subtract_prior))
        self.seed.setText(str(settings.seed))
        self.pictures.setChecked(settings.look_at_pictures)
        self.counting.setChecked(settings.count_by_code)
        self.packed.setChecked(settings.packed)
        self.threads.set_value(settings.threads)
        self.context.set_value(settings.context)
        self.layers.set_value(settings.gpu_layers)
        self._suit()

    def settings(self) -> JudgeSettings:
        """What is shown now."""
        return JudgeSettings(
            threads=self.threads.value(),
            context=self.context.value(),
            gpu_layers=self.layers.value(),
            seed=int(self.seed.text() or "0"),
            style=get_args(Style)[self.style_.currentIndex()],
            margin=round(self.margin.value(), 2),
            rationale=get_args(Rationale)[self.rationale.currentIndex()],
            orders=self.orders.value(),
            subtract_prior=_PRIORS[self.prior.currentIndex()],
            look_at_pictures=self.pictures.isChecked(),
            count_by_code=self.counting.isChecked(),
            packed=self.packed.isChecked(),
        )

    def refuse(self, sentence: str) -> None:
        """They could not be stored, for the reason in the sentence."""
        self._problem.setText(sentence)
        self._problem.show()

    def _suit(self) -> None:
        adaptive = get_args(Style)[self.style_.currentIndex()] == "adaptive"
        for part in self._margin_row:
            part.setVisible(adaptive)
        usable = self.seed.text().isdigit() and int(self.seed.text()) <= MOST_SEED
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(usable)


def _choice(*texts: str) -> QComboBox:
    """One of a few."""
    box = QComboBox()
    box.addItems(list(texts))
    return box
