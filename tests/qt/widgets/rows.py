"""Models with real roles for the delegates' tests."""

from PySide6.QtGui import QStandardItem, QStandardItemModel

from gamut_desktop.qmodels.roles import Roles


def item(text: str, **roles: object) -> QStandardItem:
    """One row; the keywords are names of Roles."""
    made = QStandardItem(text)
    for name, value in roles.items():
        if value is not None:
            made.setData(value, Roles[name])
    return made


def model(*rows: QStandardItem) -> QStandardItemModel:
    """A model of these rows."""
    made = QStandardItemModel()
    for row in rows:
        made.appendRow(row)
    return made
