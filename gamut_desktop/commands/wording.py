"""What an edit is called after "Undo" and "Redo": "retier of 'espresso'". Words only; the edits are in models."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from models.rubric.change import (
    Change,
    ElementAdded,
    ElementChanged,
    ElementMoved,
    ElementRemoved,
    ItemAdded,
    ItemChanged,
    ItemMoved,
    ItemRemoved,
    OverrideChanged,
    QuestionChanged,
    item_index,
    part_of,
)
from models.rubric.metarubric import Item, Override, Question, Relationship, SimpleKnowledge, TextOnly, label
from models.rubric.problems import Problem

TEXT_FIELDS = ("fact", "name", "subject", "related", "text")
_LONGEST = 40


def tr(text: str) -> str:
    """Translate in the context "commands"."""
    return QCoreApplication.translate("commands", text)


def part_word(part: str) -> str:
    """What one element of that part of an item is called."""
    return {
        "options": tr("option"),
        "items": tr("list item"),
        "steps": tr("step"),
        "aspects": tr("aspect"),
        "meta_insights": tr("meta-insight"),
    }[part]


def type_word(item_type: str) -> str:
    """What an item of that type is called."""
    return {
        "simple_knowledge": tr("fact"),
        "strict_list": tr("strict list"),
        "flexible_list": tr("flexible list"),
        "process": tr("process"),
        "relationship": tr("relationship"),
    }[item_type]


def shortened(text: str, longest: int = _LONGEST) -> str:
    """The text on one line, cut at a word with an ellipsis if it is long."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return (line[:longest].rsplit(" ", 1)[0] or line[:longest]) + "\N{HORIZONTAL ELLIPSIS}"


def refusal(question: Question, problems: Sequence[Problem]) -> str:
    """Why the rubric does not compile, in one calm sentence and what to do."""
    first = problems[0]
    if first.rule == "text.empty":
        told = _unnamed(question.rubric[item_index(question, first.item)])
    else:
        told = f"{first.message} {first.fix}"
    more = len({problem.item for problem in problems}) - 1
    if not more:
        return told
    rest = tr("One more item needs mending.") if more == 1 else tr("{count} more items need mending.")
    return f"{told} {rest.format(count=more)}"


def _unnamed(item: Item) -> str:
    if isinstance(item, SimpleKnowledge):
        return tr("A fact has no text yet. Write it, or delete it.")
    if isinstance(item, Relationship):
        return tr("A relationship lacks its subject or what it is related to. Write both, or delete it.")
    return tr("A {kind} has no name yet. Write it, or delete it.").format(kind=type_word(item.type))


def words(question: Question, change: Change) -> str:
    """Names the change, which `question` does not have yet; what is typed is named by its own text."""
    match change:
        case ItemChanged(_, field, old, new) | ElementChanged(_, _, _, field, old, new) if field in TEXT_FIELDS:
            return _edit_of(field, "", old or new)
        case ItemAdded(_, item):
            return _named(tr("add {kind} '{name}'"), tr("add {kind}"), type_word(item.type), _label(item))
        case ItemRemoved(_, item):
            return _named(tr("delete {kind} '{name}'"), tr("delete {kind}"), type_word(item.type), _label(item))
        case ElementAdded(_, part, _, element):
            return _named(tr("add {kind} '{name}'"), tr("add {kind}"), part_word(part), element.text)
        case ElementRemoved(_, part, _, element):
            return _named(tr("delete {kind} '{name}'"), tr("delete {kind}"), part_word(part), element.text)
        case ItemMoved() | ItemChanged():
            item = question.rubric[item_index(question, change.item)]
            field = change.field if isinstance(change, ItemChanged) else "order"
            return _edit_of(field, type_word(item.type), _label(item))
        case ElementMoved() | ElementChanged():
            item = question.rubric[item_index(question, change.item)]
            part, index = part_of(item, change.element)
            field = change.field if isinstance(change, ElementChanged) else "order"
            return _edit_of(field, part_word(part), getattr(item, part)[index].text)
        case QuestionChanged():
            return _of_question(change)
        case OverrideChanged(_, old, new):
            return _of_override(old, new)


def _label(item: Item) -> str:
    return label(item).strip(" -")


def _named(template: str, nameless: str, kind: str, name: str) -> str:
    return template.format(kind=kind, name=shortened(name)) if name else nameless.format(kind=kind)


def _edit_of(field: str, kind: str, name: str) -> str:
    what = {
        "tier": tr("retier"),
        "order": tr("move"),
        "at_least": tr("baseline"),
        "coverage": tr("coverage"),
        "cites": tr("sources"),
        "required": tr("required mark"),
        "identifies_subject": tr("subject mark"),
    }.get(field, tr("edit"))
    if name:
        return tr("{what} of '{name}'").format(what=what, name=shortened(name))
    return tr("{what} of {kind}").format(what=what, kind=kind)


def _of_question(change: QuestionChanged) -> str:
    if change.field == "text_only":
        return (
            tr("edit of the text-only variant") if isinstance(change.new, TextOnly) else tr("remove text-only variant")
        )
    if change.field == "status":
        return tr("drop question") if change.new == "dropped" else tr("bring question back")
    return {
        "question": tr("edit of the question"),
        "entity": tr("edit of what the picture shows"),
        "domain": tr("edit of the domain"),
        "topic": tr("edit of the topic"),
        "reason": tr("edit of the reason"),
    }[change.field]


def _of_override(old: Override | None, new: Override | None) -> str:
    one = new or old
    if one is None:
        return tr("edit of a check")
    name = shortened(one.text if one.action == "add" and one.text else one.base_text or one.text or "")
    if one.action == "add":
        what = tr("add check '{name}'") if old is None else tr("edit of check '{name}'")
        return (tr("delete check '{name}'") if new is None else what).format(name=name)
    if new is None:
        dropped = old is not None and old.action == "drop"
        return (tr("bring back check '{name}'") if dropped else tr("reset of check '{name}'")).format(name=name)
    if old is not None and old.action == "drop":
        return tr("bring back check '{name}'").format(name=name)
    if new.action == "drop":
        return tr("drop check '{name}'").format(name=name)
    retiered = new.action == "retier" or (old is not None and old.text == new.text)
    return (tr("retier of check '{name}'") if retiered else tr("reword of check '{name}'")).format(name=name)
