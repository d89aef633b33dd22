"""Where in its file each item and element stands, for lint and error lists."""

from models.rubric.codec.source import Node, Source
from models.rubric.metarubric import Item, Question, elements

POOLS = ("items", "options", "steps", "aspects", "meta_insights")


def lines_of(source: Source, question: Question) -> dict[tuple[str, str | None], int]:
    """1-based lines keyed by (item id, element id or None), for a question parsed from this source.

    JSON is composed as YAML for its lines; where that fails the mapping is empty.
    """
    nodes = source.lined_root().value.get("rubric")
    found: dict[tuple[str, str | None], int] = {}
    members = nodes.value if nodes is not None and isinstance(nodes.value, list) else []
    for item, node in zip(question.rubric, members, strict=False):
        found |= _item_lines(item, node)
    return found


def _item_lines(item: Item, node: Node) -> dict[tuple[str, str | None], int]:
    found: dict[tuple[str, str | None], int] = {}
    if node.line is not None:
        found[item.id, None] = node.line
    pools = [node.value[name].value for name in POOLS if name in node.value]
    members = [member for pool in pools if isinstance(pool, list) for member in pool]
    for element, member in zip(elements(item), members, strict=False):
        if member.line is not None:
            found[item.id, element.id] = member.line
    return found
