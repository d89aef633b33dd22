"""What the rows of the checklist say beside their text: headers, a person's edits, the words of a screen reader."""

from math import exp
from typing import Any

from PySide6.QtCore import QCoreApplication

from gamut_desktop.qmodels.checklist_rows import CheckRow, Section
from gamut_desktop.widgets.words import finding, tier_name, verdict_name
from models.rubric.checklist import Role
from models.rubric.metarubric import Override, Tier
from models.scoring.effective import Effective
from models.verdicts import Verdict


def tr(text: str) -> str:
    """Translate in the context "checklist"."""
    return QCoreApplication.translate("checklist", text)


def section_name(section: Section) -> str:
    """The header's words."""
    if section is Section.DROPPED:
        return tr("Dropped")
    if section is Section.LOST:
        return tr("Edits without a check")
    return tier_name(section_tier(section) or Tier.CONTEXT)


def section_tier(section: Section) -> Tier | None:
    """The tier of a header; None for the two that hold no checks of the list."""
    return {
        Section.ANSWER_CRITICAL: Tier.ANSWER_CRITICAL,
        Section.VALUABLE: Tier.VALUABLE,
        Section.CONTEXT: Tier.CONTEXT,
    }.get(section)


def spoken_header(section: Section, count: int) -> str:
    """ "Answer-Critical, 6 checks"."""
    told = tr("{name}, {n} check") if count == 1 else tr("{name}, {n} checks")
    return told.format(name=section_name(section), n=count)


def percent(found: Effective[Any] | None) -> int | None:
    """How probable the judge found its verdict, 0..100; None without probabilities, or where a person decided."""
    values = probabilities(found)
    if found is None or values is None or found.verdict is None or found.by_person:
        return None
    return round(100 * values[list(Verdict).index(found.verdict)])


def probabilities(found: Effective[Any] | None) -> tuple[float, ...] | None:
    """The judge's five probabilities: meets, partially, missing, contradicts, cannot tell."""
    logs = getattr(found.row, "log_probabilities", None) if found is not None else None
    return tuple(exp(value) for value in logs) if logs else None


def unsupported(found: Effective[Any] | None) -> bool:
    """Whether the judge's verdict counts and quotes nothing that is in the response."""
    return found is not None and not found.by_person and bool(getattr(found.row, "unsupported", False))


def spoken(row: CheckRow, found: Effective[Any] | None, second: Effective[Any] | None) -> str:
    """ "Answer-Critical, secondary, meets, 93 percent: Mentions ..."."""
    check = row.check
    if check is None:
        return f"{section_name(Section.LOST)}: {lost_text(row.orphan)}" if row.orphan else ""
    parts = [tier_name(check.tier)]
    if check.role is Role.SECONDARY:
        parts.append(tr("secondary"))
    if row.dropped:
        parts.append(tr("dropped"))
    elif found is not None:
        parts.append(finding(found.verdict, found.outcome))
        value = percent(found)
        if value is not None:
            parts.append(tr("{n} percent").format(n=value))
        if unsupported(found):
            parts.append(tr("unsupported"))
        if found.by_person:
            parts.append(tr("set by a person"))
    if second is not None and second.verdict is not None and not row.dropped:
        parts.append(tr("keyword judge: {verdict}").format(verdict=verdict_name(second.verdict)))
    told = f"{', '.join(parts)}: {check.text}"
    edited = edit_told(row)
    return f"{told}. {edited}" if edited else told


def edit_told(row: CheckRow) -> str:
    """What a person did to the check, in one or two sentences; empty for a check as the rules gave it."""
    if row.orphan is not None:
        return tr("The part of the rubric that this edit was made on is gone.")
    edit = row.check.override if row.check else None
    if edit is None:
        return ""
    told = {
        "reword": tr("Reworded by hand; the rules give: {text}").format(text=edit.base_text),
        "retier": tr("Its tier was set by hand."),
        "drop": tr("Dropped by hand."),
        "add": tr("Added by hand."),
    }[edit.action]
    return f"{told} {tr('The rubric has changed since.')}" if edit.stale else told


def lost_text(orphan: Override | None) -> str:
    """What an edit without a check was made on."""
    if orphan is None:
        return ""
    return orphan.base_text or orphan.text or tr("an edit of the checklist")
