"""Parts of a form: a page that scrolls down, groups of rows with help lines, and a number or the app's own choice."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSpacerItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gamut_desktop.widgets.labels import Label

WIDEST_LABEL = 21  # characters; the controls of all groups stand in one column


class Group(QWidget):
    """A heading and rows: a label at the side, the control, and below it one line that says what it does."""

    def __init__(self, heading: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(Label(heading, "title"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnMinimumWidth(0, self.fontMetrics().averageCharWidth() * WIDEST_LABEL)
        column.addLayout(self._grid)

    def row(self, label: str, control: QWidget, help_line: str, *, warning: bool = False) -> list[QWidget]:
        """Add a row; its widgets. A check box says itself what it is, so its label is "". warning: what it may cost."""
        named, told = Label(label), Label(help_line, "small", muted=not warning)
        told.setWordWrap(True)
        named.setBuddy(control)
        at = self._grid.rowCount()
        self._grid.addWidget(named, at, 0)  # an empty one too: it keeps the column's room
        if label:
            control.setAccessibleName(label.replace("&", ""))
        control.setAccessibleDescription(help_line)
        self._grid.addWidget(control, at, 1, Qt.AlignmentFlag.AlignLeading)
        self._grid.addWidget(told, at + 1, 1)
        self._grid.addItem(QSpacerItem(0, 4), at + 2, 1)
        return [named, control, told] if label else [control, told]


class Column(QScrollArea):
    """A page that scrolls down, never sideways: it is as wide as the page wants at least."""

    def __init__(self, page: QWidget, name: str) -> None:
        super().__init__()
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)

    def minimumSizeHint(self) -> QSize:
        """Room for the page and the scroll bar."""
        page = self.widget()
        width = page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width() if page is not None else 0
        return QSize(width, super().minimumSizeHint().height())


class NumberOrChosen(QWidget):
    """`value()` is None while the box "Chosen for this machine" is ticked, else the number beside it."""

    def __init__(self, least: int, most: int, first: int, step: int) -> None:
        super().__init__()
        self.chosen = QCheckBox(self.tr("Chosen for this machine"))
        self.number = QSpinBox()
        self.number.setRange(least, most)
        self.number.setSingleStep(step)
        self.number.setGroupSeparatorShown(True)
        self.number.setValue(first)
        self.chosen.toggled.connect(lambda ticked: self.number.setEnabled(not ticked))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.chosen)
        row.addWidget(self.number)
        self.setFocusProxy(self.chosen)

    def setAccessibleName(self, name: str) -> None:
        """The number is called so, and the box after it."""
        super().setAccessibleName(name)
        self.number.setAccessibleName(name)
        self.chosen.setAccessibleName(f"{name}: {self.chosen.text()}")

    def setAccessibleDescription(self, description: str) -> None:
        """The number and the box are described so."""
        super().setAccessibleDescription(description)
        self.number.setAccessibleDescription(description)

    def value(self) -> int | None:
        """The number; None where it is left to the app."""
        return None if self.chosen.isChecked() else self.number.value()

    def set_value(self, value: int | None) -> None:
        """Show a number, or that it is left to the app."""
        self.chosen.setChecked(value is None)
        self.number.setEnabled(value is not None)
        if value is not None:
            self.number.setValue(value)
