"""The question's pane: its pictures beside its text and text-only variant, both edited where they stand."""

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.desk import Desk
from gamut_desktop.jobs import Jobs
from gamut_desktop.theme import ThemeController, title
from gamut_desktop.views.panel_parts import LeaveUndoToTheStack
from gamut_desktop.widgets.picture_view import Picture, PictureView
from models.errors import GamutError
from models.media.gate import decode, fit
from models.rubric.metarubric import ImageRef, TextOnly

SIDE = 2400  # pixels; more than a screen shows, less than would stall it


class _Text(QPlainTextEdit):
    """A text that can be written on where it stands, as high as it is long; Tab leaves it."""

    def __init__(self, name: str, placeholder: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setProperty("quiet", True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self.updateGeometry())
        self.installEventFilter(LeaveUndoToTheStack(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may need another number of lines."""
        super().resizeEvent(event)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as its lines, one at least."""
        return QSize(super().sizeHint().width(), self._high(max(1, round(self.document().size().height()))))

    def minimumSizeHint(self) -> QSize:
        """One line; the rest scrolls."""
        return QSize(super().minimumSizeHint().width(), self._high(1))

    def _high(self, lines: int) -> int:
        frame = self.contentsMargins()
        around = frame.top() + frame.bottom() + 2 * round(self.document().documentMargin()) + 2
        return self.fontMetrics().lineSpacing() * lines + around

    def show_text(self, text: str) -> None:
        """Replace the text without telling; the cursor stays where it was."""
        if text == self.toPlainText():
            return
        with QSignalBlocker(self):
            at = self.textCursor().position()
            self.setPlainText(text)
            cursor = self.textCursor()
            cursor.setPosition(min(at, len(text)))
            self.setTextCursor(cursor)


class QuestionView(QWidget):
    """add_picture: the person wants to add a picture to this question."""

    add_picture = Signal()

    def __init__(self, desk: Desk, jobs: Jobs, themes: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._jobs, self._themes = desk, jobs, themes
        self._shown: tuple[str, ...] | None = None
        self.pictures = PictureView(themes)
        self.pictures.add_requested.connect(self.add_picture)
        self.text = _Text(self.tr("Question"), self.tr("What is asked about the picture?"))
        self.text_only = _Text(self.tr("Text-only question"), "")
        self.status = QComboBox()
        self.status.setAccessibleName(self.tr("Text-only variant"))
        for name, word in ((self.tr("none"), ""), (self.tr("ready"), "ready"), (self.tr("excluded"), "excluded")):
            self.status.addItem(name, word)
        self._lay_out()
        self.text.textChanged.connect(lambda: desk.editor.set_question_text(self.text.toPlainText()))
        self.text_only.textChanged.connect(self._text_only_changed)
        self.status.activated.connect(self._text_only_changed)
        desk.opened.connect(self._opened)
        desk.editor.question_changed.connect(self._show)
        themes.changed.connect(self._dress, Qt.ConnectionType.QueuedConnection)  # after the stylesheet's fonts
        QTimer.singleShot(0, self, self._dress)
        self._opened()

    def _lay_out(self) -> None:
        words = QWidget()
        words.setBackgroundRole(QPalette.ColorRole.Base)
        words.setAutoFillBackground(True)
        form = QVBoxLayout(words)
        form.setContentsMargins(4, 4, 8, 8)
        form.setSpacing(4)
        form.addWidget(self.text)
        row = QHBoxLayout()
        row.setContentsMargins(10, 8, 0, 0)
        row.setSpacing(8)
        heading = QLabel(self.tr("&Text-only variant"))
        heading.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        heading.setBuddy(self.status)
        row.addWidget(heading)
        row.addWidget(self.status)
        row.addStretch(1)
        form.addLayout(row)
        form.addWidget(self.text_only)
        form.addStretch(1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.pictures)
        split.addWidget(words)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setSizes([430, 320])
        split.setChildrenCollapsible(False)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(split)
        self.setFocusProxy(self.text)

    def _dress(self) -> None:
        self.text.setFont(title(self.font()))
        self.text.updateGeometry()

    def _opened(self) -> None:
        self._desk.editor.end_typing()
        self._show()
        question = self._desk.question
        self.setEnabled(question is not None)
        images = question.images if question else ()
        shown = tuple(image.sha256 or image.file for image in images)
        if shown != self._shown:
            self._shown = shown
            self._load(images, shown)

    def _show(self, _change: object = None) -> None:
        question = self._desk.question
        self.text.show_text(question.question if question else "")
        variant = question.text_only if question else None
        with QSignalBlocker(self.status):
            self.status.setCurrentIndex(self.status.findData(variant.status if variant else ""))
        self.text_only.show_text(_variant_text(variant))
        self.text_only.setVisible(variant is not None)
        excluded = variant is not None and variant.status == "excluded"
        ready = self.tr("The same question for someone without the picture")
        self.text_only.setPlaceholderText(self.tr("Why it cannot be asked without the picture") if excluded else ready)

    def _text_only_changed(self, *_: object) -> None:
        status, text = self.status.currentData(), self.text_only.toPlainText()
        made = {
            "": None,
            "ready": TextOnly(text, "ready"),
            "excluded": TextOnly(None, "excluded", text or None),
        }[status]
        self._desk.editor.set_text_only(made)

    def _load(self, images: tuple[ImageRef, ...], shown: tuple[str, ...]) -> None:
        """Decode off the GUI thread; what is not wanted any more when it is ready is thrown away."""
        if not images:
            self.pictures.show_pictures([])
            return

        def work() -> list[Picture]:
            return [picture for image in images if (picture := self._decoded(image)) is not None]

        def ready(found: list[Picture] | None, error: Exception | None) -> None:
            if error is not None:
                self._desk.fail(error)
            elif found is not None and self._shown == shown:
                self.pictures.show_pictures(found)

        self._jobs.start("pictures", work, ready)

    def _decoded(self, image: ImageRef) -> Picture | None:
        data = self._desk.picture(image.sha256) if image.sha256 else None
        if data is None:
            return None
        try:
            gated, _ = fit(decode(data, name=image.file), SIDE)
        except GamutError:
            return None
        credit = " · ".join(part for part in (image.credit, image.licence) if part)
        return Picture(gated.rgb, gated.width, gated.height, self.tr("Picture of the question"), credit)

    def focus_text(self) -> None:
        """Begin to write the question."""
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)


def _variant_text(variant: TextOnly | None) -> str:
    """What the second field shows: the text-only question, or why there is none."""
    if variant is None:
        return ""
    return (variant.question if variant.status == "ready" else variant.reason) or ""
