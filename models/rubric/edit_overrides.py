"""Edits of the compiled checklist: overrides made, changed and removed, one a check.

Laying them over a compile is the task of overrides.py; here a wish becomes the override that says it. `raw` is always
the check as the rules give it now, without overrides: an edit remembers what it was made on.
"""

from dataclasses import replace

from models.rubric.change import OverrideChanged
from models.rubric.checklist import Check, Kind
from models.rubric.edit import Edited, EditError, clean, free_id, made
from models.rubric.metarubric import Origin, Override, Question, Tier
from models.rubric.overrides import override_of


def reword(question: Question, raw: Check, text: str, *, by: str | None = None) -> Edited:
    """Give a check another text; its own text again takes the reword back. A tier that a person gave stays."""
    if not clean(text):
        raise EditError("A check needs a text.", "Write what it asks for, or drop it.")
    _, old = _override_at(question, raw)
    return _override(question, raw, clean(text), old.tier if old else None, by)


def retier(question: Question, raw: Check, tier: Tier, *, by: str | None = None) -> Edited:
    """Give a check another tier; its own tier again takes the retier back. A text that a person gave stays."""
    _, old = _override_at(question, raw)
    return _override(question, raw, old.text if old else None, tier, by)


def drop(question: Question, raw: Check, *, by: str | None = None) -> Edited:
    """Take a check out of the list. A reword or retier waits in the override until it is brought back."""
    index, old = _override_at(question, raw)
    text, tier = (old.text, old.tier) if old else (None, None)
    new = override_of(raw, "drop", text=text, tier=tier, by=by or (old.by if old else None))
    return made(question, OverrideChanged(index, old, replace(new, note=old.note if old else None)))


def bring_back(question: Question, raw: Check) -> Edited:
    """Take a dropped check in again, with the text and tier it had."""
    _, old = _override_at(question, raw)
    if old is None or old.action != "drop":
        return question, None
    return _override(question, raw, old.text, old.tier, old.by)


def _override(question: Question, raw: Check, text: str | None, tier: Tier | None, by: str | None) -> Edited:
    index, old = _override_at(question, raw)
    text = None if text == raw.text else text
    tier = None if tier is raw.tier else tier
    if text is None and tier is None:
        return (question, None) if old is None else made(question, OverrideChanged(index, old, None))
    new = override_of(raw, "reword" if text else "retier", text=text, tier=tier, by=by or (old.by if old else None))
    return made(question, OverrideChanged(index, old, replace(new, note=old.note if old else None)))


def _override_at(question: Question, raw: Check) -> tuple[int, Override | None]:
    """The override of that check and its place; (end, None) if there is none."""
    for index, one in enumerate(question.overrides):
        if one.action != "add" and one.origin == raw.origin and one.rule in (None, raw.rule):
            return index, one
    return len(question.overrides), None


def add_check(
    question: Question, text: str, tier: Tier, *, kind: Kind = Kind.PRESENCE, by: str | None = None
) -> Edited:
    """A check that no item gives; it comes last."""
    if not clean(text):
        raise EditError("A check needs a text.", "Write what it asks for.")
    taken = {o.id for o in question.overrides if o.id} | {one.id for one in question.rubric}
    one = Override("add", id=free_id(taken, clean(text)), kind=kind.value, text=clean(text), tier=tier, by=by)
    return made(question, OverrideChanged(len(question.overrides), None, one))


def change_added(question: Question, added: str, *, text: str | None = None, tier: Tier | None = None) -> Edited:
    """Another text or tier for a check that a person added."""
    for index, old in enumerate(question.overrides):
        if old.action == "add" and old.id == added:
            words = old.text if text is None else clean(text)
            if not words:
                raise EditError("A check needs a text.", "Write what it asks for, or remove it.")
            return made(question, OverrideChanged(index, old, replace(old, text=words, tier=tier or old.tier)))
    raise LookupError(f"no added check {added}")


def remove_override(question: Question, override: Override) -> Edited:
    """Take an edit of the checklist back: the rules' own check returns, an added one goes."""
    return made(question, OverrideChanged(question.overrides.index(override), override, None))


def override_behind(question: Question, check: Check) -> Override | None:
    """The override that made this check what it is, or None."""
    if check.rule == "override.added":
        return next((o for o in question.overrides if o.action == "add" and Origin(o.id or "") == check.origin), None)
    return _override_at(question, check)[1]
