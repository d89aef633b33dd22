"""What the rows of the rubric tree say: to the eye, in small print, and to a screen reader."""

from PySide6.QtCore import QCoreApplication

from gamut_desktop.widgets.words import tier_name
from models.rubric.metarubric import (
    Element,
    FlexibleList,
    Item,
    MetaInsight,
    Process,
    Relationship,
    SimpleKnowledge,
    Step,
    StrictList,
)


def tr(text: str) -> str:
    """Translate in the context "rubric"."""
    return QCoreApplication.translate("rubric", text)


def shown(item: Item, element: Element | None = None) -> str:
    """The row's text; for a blank one what is missing."""
    if element is not None:
        return element.text or tr("(no text yet)")
    match item:
        case SimpleKnowledge():
            return item.fact or tr("(no fact yet)")
        case Relationship():
            return f"{item.subject or tr('(subject)')} \N{LEFT RIGHT ARROW} {item.related or tr('(related to)')}"
        case _:
            return item.name or tr("(no name yet)")


def type_name(item: Item, element: Element | None = None) -> str:
    """What kind of thing the row is."""
    if isinstance(element, MetaInsight):
        return tr("Meta-insight")
    if isinstance(element, Step):
        return tr("Step") if element.required else tr("Optional step")
    match item:
        case SimpleKnowledge():
            return tr("Fact")
        case StrictList():
            return tr("Strict list") if element is None else tr("List item")
        case FlexibleList():
            return tr("Flexible list") if element is None else tr("Option")
        case Process():
            return tr("Process")
        case Relationship():
            return tr("Relationship") if element is None else tr("Aspect")


def note(item: Item, element: Element | None = None) -> str:
    """The small print beside the type: an item's numbers, and what it or an element cites; may be empty."""
    if element is not None:
        return ", ".join(_cites(element.cites))
    return " \N{MIDDLE DOT} ".join([*_numbers(item), *_cites(item.cites)])


def spoken(item: Item, element: Element | None, problem: str | None) -> str:
    """The row for a screen reader: tier, type, text, numbers, problem."""
    if element is None:
        parts = [tier_name(item.tier), type_name(item)]
        more = [*_numbers(item), *_cites(item.cites)]
    else:
        parts = [*([tier_name(element.tier)] if isinstance(element, MetaInsight) else []), type_name(item, element)]
        more = _cites(element.cites)
    told = f"{', '.join(parts)}: {shown(item, element)}"
    return ". ".join([told, *([", ".join(more)] if more else []), *([problem] if problem else [])])


def _numbers(item: Item) -> list[str]:
    match item:
        case SimpleKnowledge():
            return [tr("names the subject")] if item.identifies_subject else []
        case FlexibleList():
            wanted = tr(" and ").join(str(n) for n in item.at_least)
            told = [tr("at least {n} of {all}").format(n=wanted, all=len(item.options))]
            if item.coverage is not None:
                told.append(tr("coverage {values}").format(values=", ".join(map(str, item.coverage))))
            return told
        case StrictList():
            return [tr("all {n}").format(n=len(item.items))]
        case Process():
            optional = sum(1 for step in item.steps if not step.required)
            told = [tr("{n} in order").format(n=len(item.steps))]
            return [*told, tr("{n} optional").format(n=optional)] if optional else told
        case Relationship():
            return []


def _cites(cites: tuple[str, ...]) -> list[str]:
    return [tr("cites {ids}").format(ids=", ".join(cites))] if cites else []
