"""Running every lint rule over one question, in reading order."""

from collections.abc import Mapping
from dataclasses import replace

from models.errors import GamutError
from models.rubric.compile import compile_question
from models.rubric.lint.finding import Finding, Severity
from models.rubric.lint.items import item_findings
from models.rubric.lint.whole import whole_findings
from models.rubric.metarubric import Question
from models.rubric.overrides import OverrideError
from models.rubric.problems import rubric_problems
from models.rubric.profile import GAMUT_1, ProfileError, profile_named

Lines = Mapping[tuple[str, str | None], int]


def lint(question: Question, lines: Lines | None = None) -> list[Finding]:
    """Everything worth saying about the question: the whole first, then item by item; errors before advice in each."""
    findings: list[Finding] = []
    try:
        profile = profile_named(question.profile)
    except ProfileError as error:
        profile = GAMUT_1
        findings.append(_from_error("profile.unknown", error))
    profile_is_unknown = bool(findings)
    findings += whole_findings(question)
    problems = rubric_problems(question.rubric, profile)
    if not problems and not profile_is_unknown:
        findings += _override_findings(question)
    for item in question.rubric:
        mine = [p for p in problems if p.item == item.id]
        findings += [Finding(p.rule, Severity.ERROR, p.item, p.element, p.message, p.fix) for p in mine]
        findings += item_findings(item)
    return [replace(f, line=_line(f, lines or {})) for f in findings]


def _line(finding: Finding, lines: Lines) -> int | None:
    if finding.item is None:
        return None
    return lines.get((finding.item, finding.element)) or lines.get((finding.item, None))


def _from_error(rule: str, error: GamutError) -> Finding:
    return Finding(rule, Severity.ERROR, None, None, error.sentence, error.next_step)


def _override_findings(question: Question) -> list[Finding]:
    """Edits that no longer fit what the rules give."""
    if not question.overrides:
        return []
    try:
        checklist = compile_question(question)
    except OverrideError as error:
        return [_from_error("override.invalid", error)]
    stale = [c for c in (*checklist.checks, *checklist.dropped) if c.override is not None and c.override.stale]
    found = [
        Finding(
            "override.stale",
            Severity.WARNING,
            check.origin.item,
            check.origin.element,
            f"A {check.override.action} was made on '{check.override.base_text}', which has changed since.",
            "Look at the check again, and renew or remove the override.",
        )
        for check in stale
        if check.override is not None
    ]
    return found + [
        Finding(
            "override.orphan",
            Severity.WARNING,
            None,
            None,
            f"A {edit.action} override ({edit.base_text or 'no text kept'}) has lost the item it was made on.",
            "Remove it, or bring the item back.",
        )
        for edit in checklist.orphans
    ]
