"""The judges of this machine, with what the last check of each found: choose one, check it, add one, set them up."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.widgets.icons import icon
from gamut_desktop.widgets.judge_words import alarming, kind_name, mark, mark_sentence, sight
from gamut_desktop.widgets.labels import ElidedLabel, Label
from gamut_desktop.wiring import FILE, JudgeInfo, judge_name

_ID = int(Qt.ItemDataRole.UserRole) + 1


class _List(QTreeWidget):
    """As wide as its columns want at least, so that nothing scrolls sideways; names may be elided."""

    def minimumSizeHint(self) -> QSize:
        """Room for the columns that are never cut, and the beginning of a name."""
        header = self.header()
        fixed = sum(max(self.sizeHintForColumn(n), header.sectionSizeHint(n)) for n in range(1, self.columnCount()))
        name = max(header.minimumSectionSize(), self.fontMetrics().averageCharWidth() * 14)
        room = fixed + name + 2 * self.frameWidth() + self.verticalScrollBar().sizeHint().width()
        return QSize(room, super().minimumSizeHint().height())


class ChooseJudge(QDialog):
    """Tells what the person wants of which judge; `show_judges` whenever something of them is new."""

    use_wanted = Signal(str)
    check_wanted = Signal(str)
    remove_wanted = Signal(str)
    add_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Judges"))
        self.resize(640, 420)
        self._infos: dict[str, JudgeInfo] = {}
        self.list = _List()
        self.list.setAccessibleName(self.tr("Judges"))
        self.list.setHeaderLabels([self.tr("Judge"), self.tr("Kind"), self.tr("Pictures"), self.tr("Check")])
        self.list.header().setAccessibleName(self.tr("Columns"))
        self.list.setRootIsDecorated(False)
        self.list.setAllColumnsShowFocus(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2, 3):
            self.list.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.told = Label("", "small", muted=True)
        self.told.setWordWrap(True)
        self.told.setMinimumHeight(self.told.fontMetrics().lineSpacing() * 2)  # so that nothing jumps
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.files = ElidedLabel("", "small", muted=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.use_button = self.buttons.addButton(self.tr("Use this judge"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.use_button.setProperty("primary", True)
        self.buttons.accepted.connect(self._use)
        self.buttons.rejected.connect(self.reject)
        self.list.itemActivated.connect(self._use)
        self.list.currentItemChanged.connect(self._suit)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 12)
        whole.setSpacing(12)
        whole.addWidget(self.list, 1)
        whole.addWidget(self.told)
        whole.addWidget(self.files)
        whole.addLayout(self._others())
        whole.addWidget(self.buttons)
        self.list.setFocus()

    def _others(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.check_button = QPushButton(self.tr("&Check…"))
        self.check_button.clicked.connect(lambda: self.check_wanted.emit(self.current()))
        self.add_button = QPushButton(self.tr("&Add from a file…"))
        self.add_button.clicked.connect(self.add_wanted)
        self.remove_button = QPushButton(self.tr("&Remove"))
        self.remove_button.clicked.connect(lambda: self.remove_wanted.emit(self.current()))
        self.settings_button = QPushButton(self.tr("&Settings…"))
        self.settings_button.clicked.connect(self.settings_wanted)
        for button in (self.check_button, self.add_button, self.remove_button, self.settings_button):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            row.addWidget(button)
        row.addStretch(1)
        return row

    def show_judges(self, infos: list[JudgeInfo], chosen: str, *, looks: bool) -> None:
        """Show these judges, the same one current as before. looks: whether judges are set to look at pictures."""
        current = self.current() or chosen
        self._infos = {info.id: info for info in infos}
        self.list.ensurePolished()  # else its rows are measured, and kept, without the style's room
        self.list.clear()
        for info in infos:
            name = judge_name(info.id)
            shown = self.tr("{judge} (chosen)").format(judge=name) if info.id == chosen else name
            found = mark(info) if info.ready else self.tr("not ready")
            item = QTreeWidgetItem([shown, kind_name(info), sight(info, looks=looks), found])
            item.setData(0, _ID, info.id)
            if alarming(info) or not info.ready:
                item.setIcon(3, icon("warning"))
            self.list.addTopLevelItem(item)
            if info.id == current:
                self.list.setCurrentItem(item)
        if self.list.currentItem() is None and (first := self.list.topLevelItem(0)) is not None:
            self.list.setCurrentItem(first)
        self._suit()

    def current(self) -> str:
        """The judge that the buttons are about; "" before there is a list."""
        item = self.list.currentItem()
        return str(item.data(0, _ID)) if item is not None else ""

    def _use(self) -> None:
        info = self._infos.get(self.current())
        if info is not None and info.ready:
            self.use_wanted.emit(info.id)
            self.accept()

    def _suit(self) -> None:
        info = self._infos.get(self.current())
        for button in (self.use_button, self.check_button):
            button.setEnabled(info is not None and info.ready)
        self.remove_button.setEnabled(info is not None and info.id.startswith(FILE))
        if info is not None:
            self.told.setText(mark_sentence(info) if info.ready else info.why_not or "")
            self.files.setText(info.id.removeprefix(FILE) if info.id.startswith(FILE) else "")
