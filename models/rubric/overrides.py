"""Human edits of a compiled checklist (reword, retier, drop, add), keyed by origin, laid over a fresh compile.

An edit survives a recompile. It is stale when the rules now give another text or tier than the one it was made on, and
an orphan when its origin is gone; neither is ever thrown away here.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from models.errors import GamutError
from models.rubric.checklist import AppliedOverride, Check, Checklist, Kind, Role
from models.rubric.metarubric import Origin, Override, Tier

Place = tuple[str, Origin]


class OverrideError(GamutError):
    """An override cannot be applied: it is ambiguous, doubled or unfinished."""


def apply_overrides(
    overrides: tuple[Override, ...],
    checks: tuple[Check, ...],
    *,
    identifying: tuple[str, ...] = (),
    left_out: frozenset[Place] = frozenset(),
) -> Checklist:
    """The checklist after the edits; `left_out` are places that this variant leaves out, so no orphans.

    Raises OverrideError for two edits of one check, an edit that fits two checks, and an added check without text.
    """
    edits = [o for o in overrides if o.action != "add"]
    by_place: dict[Place, Override] = {}
    orphans: list[Override] = []
    places = {(c.rule, c.origin) for c in checks}
    for edit in edits:
        found = _places(edit, places | left_out)
        if not found:
            orphans.append(edit)
        elif found[0] in by_place:
            raise OverrideError(f"Two overrides edit the same check ({_where(edit)}).", "Keep one of them.")
        else:
            by_place[found[0]] = edit
    kept: list[Check] = []
    dropped: list[Check] = []
    for check in checks:
        edited = _edit(check, by_place.get((check.rule, check.origin)))
        (dropped if edited.override is not None and edited.override.action == "drop" else kept).append(edited)
    kept += _added(overrides)
    return Checklist(tuple(kept), tuple(dropped), tuple(orphans), identifying)


def override_of(
    check: Check,
    action: Literal["reword", "retier", "drop"],
    *,
    text: str | None = None,
    tier: Tier | None = None,
    by: str | None = None,
    note: str | None = None,
) -> Override:
    """An edit of a compiled (raw) check that remembers what it was made on."""
    return Override(
        action,
        check.origin,
        check.rule,
        text=text,
        tier=tier,
        base_text=check.text,
        base_tier=check.tier,
        by=by,
        note=note,
    )


def _where(edit: Override) -> str:
    o = edit.origin
    parts = [f"item {o.item}", f"element {o.element}" if o.element else "", f"n {o.n}" if o.n else ""] if o else []
    return ", ".join(part for part in [*parts, edit.rule or ""] if part)


def _places(edit: Override, places: set[Place]) -> list[Place]:
    """The place an edit means, at most one."""
    if edit.origin is None:
        raise OverrideError(f"A {edit.action} override names no origin.", "Give origin: {item: ..., element: ...}.")
    found = sorted((p for p in places if p[1] == edit.origin and edit.rule in (None, p[0])), key=lambda p: p[0])
    if len(found) > 1:
        rules = " or ".join(rule for rule, _ in found)
        raise OverrideError(f"An override ({_where(edit)}) fits two checks.", f"Say which one: rule: {rules}.")
    return found


def _edit(check: Check, edit: Override | None) -> Check:
    if edit is None:
        return check
    moved_text = edit.base_text is not None and edit.base_text != check.text
    moved_tier = edit.base_tier is not None and edit.base_tier is not check.tier
    applied = AppliedOverride(edit.action, edit.base_text or check.text, moved_text or moved_tier)
    text = edit.text if edit.action == "reword" and edit.text else check.text
    tier = edit.tier if edit.action in ("reword", "retier") and edit.tier else check.tier
    return replace(check, text=text, tier=tier, override=applied)


def _added(overrides: tuple[Override, ...]) -> Iterator[Check]:
    seen: set[str] = set()
    for edit in overrides:
        if edit.action != "add":
            continue
        if not edit.id or not edit.text or edit.tier is None:
            raise OverrideError("An added check needs id, tier and text.", "Write all three, or remove the override.")
        if edit.id in seen:
            raise OverrideError(f"Two added checks have the id '{edit.id}'.", "Give one of them another id.")
        seen.add(edit.id)
        kind = Kind(edit.kind) if edit.kind else Kind.PRESENCE
        why = "Added by a person. It has the tier that person gave it."
        applied = AppliedOverride("add", None, False)
        yield Check(edit.tier, Role.REQUIREMENT, kind, edit.text, Origin(edit.id), "override.added", why, applied)
