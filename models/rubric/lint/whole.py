"""Lint rules about the whole question: what is missing, doubled across items, or cited but not there."""

from collections.abc import Iterator

from models.rubric.compile import identifies
from models.rubric.lint.finding import Finding, Severity
from models.rubric.metarubric import Item, Question, SimpleKnowledge, Tier, elements, label
from models.rubric.problems import same_text


def whole_findings(question: Question) -> list[Finding]:
    """Errors and advice that no single item can be blamed for, or that need two to see."""
    return [
        *_nothing_asked(question),
        *_no_critical(question),
        *_text_only(question),
        *_snippets(question),
        *_across_items(question),
    ]


def _find(
    rule: str, severity: Severity, message: str, fix: str, item: str | None = None, element: str | None = None
) -> Finding:
    return Finding(rule, severity, item, element, message, fix)


def _nothing_asked(question: Question) -> Iterator[Finding]:
    if not question.question.strip():
        yield _find("question.empty", Severity.ERROR, "The question has no text.", "Write what is asked.")
    if not question.rubric:
        yield _find(
            "rubric.empty", Severity.WARNING, "The rubric has no items.", "Add what a complete answer contains."
        )


def _tiers(item: Item) -> set[Tier]:
    return {item.tier, *(e.tier for e in elements(item) if hasattr(e, "tier"))}


def _no_critical(question: Question) -> Iterator[Finding]:
    if question.rubric and not any(Tier.ANSWER_CRITICAL in _tiers(item) for item in question.rubric):
        yield _find(
            "tier.no_answer_critical",
            Severity.WARNING,
            "Nothing is Answer-Critical, so a wrong answer can score well.",
            "Give the tier answer_critical to what a correct answer must contain.",
        )


def _text_only(question: Question) -> Iterator[Finding]:
    given_away = [item for item in question.rubric if identifies(item)]
    ready = question.text_only is not None and question.text_only.status == "ready"
    if given_away and question.text_only is None:
        yield _find(
            "text_only.missing",
            Severity.NOTE,
            "A fact identifies the subject, but there is no text-only variant.",
            "Add text_only with a question, or status: excluded and a reason.",
            given_away[0].id,
        )
    if ready and not given_away and question.images:
        yield _find(
            "text_only.gives_nothing_away",
            Severity.NOTE,
            "There is a text-only variant, but no fact is marked identifies_subject.",
            "Mark the fact that the text-only question gives away.",
        )


def _cited(question: Question) -> Iterator[tuple[str, str, str | None]]:
    for item in question.rubric:
        yield from ((one, item.id, None) for one in item.cites)
        yield from ((one, item.id, e.id) for e in elements(item) for one in e.cites)


def _snippets(question: Question) -> Iterator[Finding]:
    known = {snippet.id for snippet in question.snippets}
    used = set()
    for one, item, element in _cited(question):
        used.add(one)
        if one not in known:
            message = f"The snippet '{one}' is cited, but is not there."
            yield _find("cite.unknown", Severity.ERROR, message, "Add it under snippets.", item, element)
    for snippet in question.snippets:
        if snippet.id not in used:
            message = f"The snippet '{snippet.id}' is not cited by anything."
            yield _find("snippet.unused", Severity.NOTE, message, "Cite it where it supports something, or remove it.")


def _across_items(question: Question) -> Iterator[Finding]:
    """The same text asked twice in different items counts twice in the score."""
    seen: dict[str, Item] = {}
    for item in question.rubric:
        texts = [(None, item.fact)] if isinstance(item, SimpleKnowledge) else [(e.id, e.text) for e in elements(item)]
        for element, text in texts:
            key = same_text(text)
            other = seen.setdefault(key, item)
            if key and other is not item:
                yield _find(
                    "text.twice",
                    Severity.WARNING,
                    f"'{text.strip()}' is asked here and in '{label(other)}'; it will count twice.",
                    "Keep it in one of the two.",
                    item.id,
                    element,
                )
