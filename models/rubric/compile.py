"""The compile rules: from a tree-shaped meta-rubric to a flat checklist. Same input, byte-identical checklist.

Rules from GAMUT (arXiv 2607.19322, two-level meta-rubrics) as restated in docs/rules.md, which also marks the choices
that are ours. Human edits of the result are laid on top by overrides.py.
"""

from collections.abc import Iterator
from math import ceil

from models.errors import GamutError
from models.rubric import profile as texts
from models.rubric.checklist import Check, Checklist, Kind, Role
from models.rubric.metarubric import (
    FlexibleList,
    Item,
    Origin,
    Process,
    Question,
    Relationship,
    SimpleKnowledge,
    StrictList,
    Tier,
    insights,
)
from models.rubric.overrides import apply_overrides
from models.rubric.problems import is_long, rubric_problems
from models.rubric.profile import Profile, profile_named
from models.verdicts import Variant

TIER_NAMES = {Tier.ANSWER_CRITICAL: "Answer-Critical", Tier.VALUABLE: "Valuable", Tier.CONTEXT: "Context"}


class CompileError(GamutError):
    """The rubric cannot be compiled as it stands; the sentence names the item."""


def compile_question(question: Question, variant: Variant = Variant.IMAGE, *, raw: bool = False) -> Checklist:
    """Compile a question's rubric for one variant; `raw` leaves the overrides out.

    Raises CompileError, naming the item, for a rubric that cannot compile; also when the text-only variant is asked of
    a question that has none or excludes it.
    """
    profile = profile_named(question.profile)
    _need_variant(question, variant)
    for problem in rubric_problems(question.rubric, profile):
        raise CompileError(f"Question '{question.id}': {problem.message}", problem.fix)
    identifying = tuple(i.id for i in question.rubric if variant is Variant.TEXT and identifies(i))
    everything = [check for item in question.rubric for check in compile_item(item, profile)]
    checks = tuple(check for check in everything if check.origin.item not in identifying)
    if raw:
        return Checklist(checks, identifying=identifying)
    left_out = frozenset((c.rule, c.origin) for c in everything if c.origin.item in identifying)
    return apply_overrides(question.overrides, checks, identifying=identifying, left_out=left_out)


def identifies(item: Item) -> bool:
    """Whether a text-only question gives this item away."""
    return isinstance(item, SimpleKnowledge) and item.identifies_subject


def _need_variant(question: Question, variant: Variant) -> None:
    if variant is Variant.IMAGE:
        return
    if question.text_only is None:
        raise CompileError(
            f"Question '{question.id}' has no text-only variant.",
            "Add text_only: {question: ..., status: ready} to the rubric file.",
        )
    if question.text_only.status == "excluded":
        because = f": {question.text_only.reason}" if question.text_only.reason else ""
        raise CompileError(
            f"Question '{question.id}' is excluded from the text-only set{because}.",
            "Compile it without --variant text, or set text_only.status to ready.",
        )


def compile_item(item: Item, profile: Profile) -> list[Check]:
    """The checks of one valid item, in the order of the rules' table; its meta-insights last."""
    match item:
        case SimpleKnowledge():
            checks = _simple_knowledge(item)
        case StrictList():
            checks = _strict_list(item)
        case FlexibleList():
            checks = _flexible_list(item, profile)
        case Process():
            checks = _process(item)
        case Relationship():
            checks = _relationship(item)
    return [*checks, *_meta_insights(item)]


def _requirement(item: Item, kind: Kind, text: str, rule: str, why: str, element: str | None, n: int | None) -> Check:
    return Check(item.tier, Role.REQUIREMENT, kind, text, Origin(item.id, element, n), rule, why)


def _secondary(item: Item, kind: Kind, text: str, rule: str, why: str, element: str | None, n: int | None) -> Check:
    tier = item.tier.lower()
    if tier is item.tier:
        why += " Context is the lowest tier, so it stays there."
    else:
        why += f" One tier below the {TIER_NAMES[item.tier]} item."
    return Check(tier, Role.SECONDARY, kind, text, Origin(item.id, element, n), rule, why)


def _keeps(item: Item) -> str:
    return f"It keeps the item's tier, {TIER_NAMES[item.tier]}."


def _simple_knowledge(item: SimpleKnowledge) -> Iterator[Check]:
    why = f"A single fact is one check. {_keeps(item)}"
    text = texts.states(item.fact)
    yield _requirement(item, Kind.PRESENCE, text, "simple_knowledge.fact", why, None, None)


def _strict_list(item: StrictList) -> Iterator[Check]:
    why = f"Every item of a strict list belongs in a complete answer. {_keeps(item)}"
    for one in item.items:
        text = texts.mentions(one.text, item.name)
        yield _requirement(item, Kind.PRESENCE, text, "strict_list.item", why, one.id, None)


def default_coverage(options: int, baseline: int) -> tuple[int, ...]:
    """Coverage values of a long list that gives none: b + ceil((n-b)/3) and b + ceil(2(n-b)/3). Our choice."""
    spare = options - baseline
    values = {baseline + ceil(spare / 3), baseline + ceil(2 * spare / 3)} - {baseline}
    return tuple(sorted(values))


def _flexible_list(item: FlexibleList, profile: Profile) -> Iterator[Check]:
    names = [option.text for option in item.options]
    for n in item.at_least:
        why = f"Any {n} of the {len(names)} options are enough for the baseline. {_keeps(item)}"
        text = texts.mentions_at_least(n, item.name, names)
        yield _requirement(item, Kind.THRESHOLD, text, "flexible_list.baseline", why, None, n)
    if not is_long(item, profile):
        for option in item.options:
            why = f"In a list of {profile.short_list_max} options or fewer each option earns extra credit of its own."
            text = texts.mentions(option.text, item.name)
            yield _secondary(item, Kind.PRESENCE, text, "flexible_list.option", why, option.id, None)
        return
    values = item.coverage if item.coverage is not None else default_coverage(len(names), max(item.at_least))
    reason = "In a context list" if item.tier is Tier.CONTEXT else f"With {len(names)} options"
    for n in values:
        why = f"{reason} extra credit is given for coverage, here {n} of {len(names)}."
        text = texts.mentions_at_least(n, item.name, names)
        yield _secondary(item, Kind.THRESHOLD, text, "flexible_list.coverage", why, None, n)


def _process(item: Process) -> Iterator[Check]:
    required = [step for step in item.steps if step.required]
    optional = [step for step in item.steps if not step.required]
    for step in required:
        why = f"A required step belongs in a complete answer. {_keeps(item)}"
        text = texts.describes_step(step.text, item.name)
        yield _requirement(item, Kind.PRESENCE, text, "process.required_step", why, step.id, None)
    for step in optional:
        why = "An optional step earns extra credit."
        text = texts.describes_step(step.text, item.name)
        yield _secondary(item, Kind.PRESENCE, text, "process.optional_step", why, step.id, None)
    if len(required) >= 2:
        why = f"The required steps must come in their order. {_keeps(item)}"
        text = texts.gives_in_order([s.text for s in required], item.name)
        yield _requirement(item, Kind.SEQUENCE, text, "process.required_sequence", why, None, None)
    if optional and len(item.steps) >= 2:
        why = "All steps, optional ones too, in their full order earn extra credit."
        text = texts.gives_in_order([s.text for s in item.steps], item.name)
        yield _secondary(item, Kind.SEQUENCE, text, "process.full_sequence", why, None, None)


def _relationship(item: Relationship) -> Iterator[Check]:
    why = f"An answer must connect the two before it can explain how. {_keeps(item)}"
    text = texts.connects(item.subject, item.related)
    yield _requirement(item, Kind.PRESENCE, text, "relationship.related", why, None, None)
    for aspect in item.aspects:
        why = f"Each aspect of a relationship is a check. {_keeps(item)}"
        text = texts.explains(item.subject, item.related, aspect.text)
        yield _requirement(item, Kind.RELATION, text, "relationship.aspect", why, aspect.id, None)


def _meta_insights(item: Item) -> Iterator[Check]:
    for insight in insights(item):
        why = f"What the whole conveys is a check of its own. It has its own tier, {TIER_NAMES[insight.tier]}."
        text = texts.conveys(item.name, insight.text)  # type: ignore[union-attr]
        origin = Origin(item.id, insight.id, None)
        yield Check(insight.tier, Role.REQUIREMENT, Kind.INSIGHT, text, origin, "meta_insight.insight", why)
