"""Writing a Question: one spelling per value, ids only where they say more than the text does."""

import json
from typing import Any

import yaml

from models.rubric.metarubric import (
    Element,
    FlexibleList,
    ImageRef,
    Item,
    MetaInsight,
    Override,
    Process,
    Question,
    Relationship,
    SimpleKnowledge,
    Step,
    StrictList,
    content_id,
)
from models.rubric.problems import item_name_seed


def dump_yaml(question: Question) -> str:
    """The question as a YAML rubric file; parsing it gives an equal Question."""
    return yaml.dump(
        to_plain(question), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=False
    )


def dump_json(question: Question, *, indent: int | None = 2) -> str:
    """The question as JSON; parsing it gives an equal Question."""
    return json.dumps(to_plain(question), ensure_ascii=False, indent=indent) + ("\n" if indent else "")


class _Dumper(yaml.SafeDumper):
    """Indents lists under their field, as people write them, and never uses aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_plain(question: Question) -> dict[str, Any]:
    """The question as plain JSON-like data in the order of DESIGN section 4, without fields that say nothing."""
    q = question
    plain: dict[str, Any] = {"gamut": 1, "id": q.id, "question": q.question}
    text_only = q.text_only and _some(
        question=q.text_only.question, status=q.text_only.status, reason=q.text_only.reason
    )
    plain |= _some(
        images=[_image(image) for image in q.images],
        text_only=text_only,
        entity=q.entity,
        domain=q.domain,
        topic=q.topic,
        tags=dict(q.tags),
        status=None if q.status == "active" else q.status,
        reason=q.reason,
        profile=q.profile,
        language=q.language,
        snippets=[
            _some(id=s.id, url=s.url, title=s.title, quote=s.quote, note=s.note, checked=s.checked, by=s.by, on=s.on)
            for s in q.snippets
        ],
    )
    plain["rubric"] = [_item(item) for item in q.rubric]
    plain |= _some(overrides=[_override(o) for o in q.overrides])
    return plain | dict(q.reserved)


def _some(**fields: Any) -> dict[str, Any]:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value is not None and value != [] and value != {}}


def _image(image: ImageRef) -> str | dict[str, Any]:
    plain = _some(file=image.file, credit=image.credit, licence=image.licence, sha256=image.sha256)
    return image.file if len(plain) == 1 else plain


def _item(item: Item) -> dict[str, Any]:
    plain: dict[str, Any] = {"type": item.type, "tier": item.tier.value}
    if item.id != content_id(item_name_seed(item)):
        plain["id"] = item.id
    match item:
        case SimpleKnowledge():
            plain["fact"] = item.fact
            plain |= {"identifies_subject": True} if item.identifies_subject else {}
        case StrictList():
            plain |= {"name": item.name, "items": [_element(e) for e in item.items]}
        case FlexibleList():
            plain |= {"name": item.name, "options": [_element(e) for e in item.options]}
            plain["at_least"] = item.at_least[0] if len(item.at_least) == 1 else list(item.at_least)
            plain |= {} if item.coverage is None else {"coverage": list(item.coverage)}
        case Process():
            plain |= {"name": item.name, "steps": [_element(e) for e in item.steps]}
        case Relationship():
            plain |= {"subject": item.subject, "related": item.related}
            plain["aspects"] = [_element(e) for e in item.aspects]
    if not isinstance(item, SimpleKnowledge | Relationship) and item.meta_insights:
        plain["meta_insights"] = [_element(e) for e in item.meta_insights]
    return plain | _some(cites=list(item.cites))


def _element(element: Element) -> str | dict[str, Any]:
    plain: dict[str, Any] = {"text": element.text}
    if element.id != content_id(element.text):
        plain["id"] = element.id
    if isinstance(element, Step) and not element.required:
        plain["required"] = False
    if isinstance(element, MetaInsight):
        plain["tier"] = element.tier.value
    plain |= _some(cites=list(element.cites))
    return element.text if len(plain) == 1 else plain


def _override(o: Override) -> dict[str, Any]:
    origin = o.origin and _some(item=o.origin.item, element=o.origin.element, n=o.origin.n)
    return _some(
        action=o.action,
        id=o.id,
        origin=origin,
        rule=o.rule,
        kind=o.kind,
        text=o.text,
        tier=o.tier and o.tier.value,
        base_text=o.base_text,
        base_tier=o.base_tier and o.base_tier.value,
        note=o.note,
        by=o.by,
    )
