"""The data of the checklist's rows by role: headers, checks, and edits that have lost their check."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from gamut_desktop.qmodels import checklist_words as say
from gamut_desktop.qmodels.checklist_rows import CheckRow, Section
from gamut_desktop.qmodels.roles import Roles
from models.rubric.checklist import Check
from models.scoring.effective import Effective


def header_data(section: Section, count: int, role: int) -> object:
    """A header: its name, its tier if it has one, and how many rows it has."""
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return say.section_name(section)
        case Qt.ItemDataRole.AccessibleTextRole:
            return say.spoken_header(section, count)
        case Roles.TIER:
            return say.section_tier(section)
        case Roles.GROUP:
            return True
        case Roles.COUNT:
            return count
    return None


def row_data(row: CheckRow, found: Effective[Any] | None, second: Effective[Any] | None, role: int) -> object:
    """A check or a lost edit. `found`, `second`: what counts for it by the chosen judge and by the keyword judge."""
    match role:
        case Qt.ItemDataRole.AccessibleTextRole:
            return say.spoken(row, found, second)
        case Qt.ItemDataRole.FontRole if row.dropped:
            font = QFont()
            font.setStrikeOut(True)
            return font
        case Roles.GROUP:
            return False
        case Roles.NOTE:
            return say.edit_told(row) or None
        case Roles.VERDICT:
            return found.verdict if found else None
        case Roles.OUTCOME:
            return found.outcome if found else None
        case Roles.PROBABILITIES:
            return say.probabilities(found)
        case Roles.BY_PERSON:
            return found.by_person if found else None
        case Roles.UNSUPPORTED:
            return say.unsupported(found)
        case Roles.SECOND_VERDICT:
            return second.verdict if second else None
    return _lost_data(row, role) if row.check is None else _check_data(row.check, role)


def _lost_data(row: CheckRow, role: int) -> object:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return say.lost_text(row.orphan)
        case Roles.OVERRIDE:
            return row.orphan.action if row.orphan else None
        case Roles.STALE:
            return True
        case Roles.WHY:
            return say.edit_told(row)
    return None


def _check_data(check: Check, role: int) -> object:
    match role:
        case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
            return check.text
        case Roles.ID:
            return check.id
        case Roles.TIER:
            return check.tier
        case Roles.CHECK_ROLE:
            return check.role
        case Roles.KIND:
            return check.kind
        case Roles.OVERRIDE:
            return check.override.action if check.override else None
        case Roles.STALE:
            return check.override.stale if check.override else None
        case Roles.WHY:
            return check.why
    return None
