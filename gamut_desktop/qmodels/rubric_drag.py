"""Dragging rows of the rubric tree: what is carried, and where it may be dropped.

An item goes between items; an element goes among its own kind within its item, so that its id keeps its meaning.
"""

import json

from PySide6.QtCore import QMimeData

from models.rubric.change import item_index, part_of
from models.rubric.metarubric import Question, pool

MIME = "application/x-gamut-rubric-row"
Node = tuple[str, str | None]


def pack(question: str, node: Node | None) -> QMimeData:
    """The dragged row, and whose question it belongs to."""
    data = QMimeData()
    data.setData(MIME, json.dumps([question, *(node or ("", None))]).encode())
    return data


def unpack(data: QMimeData, question: str) -> Node | None:
    """The dragged row if it belongs to that question, else None."""
    if not data.hasFormat(MIME):
        return None
    whose, item, element = json.loads(bytes(data.data(MIME).data()))
    return (item, element) if whose == question else None


def target(question: Question, dragged: Node | None, row: int, parent: Node | None) -> tuple[Node, int] | None:
    """What moves where: the row, and the place it shall have afterwards. None where it must not be dropped.

    `row`, `parent`: as Qt tells a drop; row -1 is on the parent itself.
    """
    if dragged is None or all(one.id != dragged[0] for one in question.rubric):
        return None
    item, element = dragged
    before = _before_item(question, row, parent) if element is None else _before_element(question, dragged, row, parent)
    if before is None:
        return None
    if element is None:
        old = item_index(question, item)
    else:
        old = part_of(question.rubric[item_index(question, item)], element)[1]
    to = before - (before > old)
    return (dragged, to) if to != old else None


def _before_item(question: Question, row: int, parent: Node | None) -> int | None:
    """Between items, or below an item's open elements, which is after that item."""
    if parent is None:
        return row if row >= 0 else len(question.rubric)
    return item_index(question, parent[0]) + 1 if row >= 0 else None


def _before_element(question: Question, dragged: Node, row: int, parent: Node | None) -> int | None:
    if parent is None or parent != (dragged[0], None) or dragged[1] is None:
        return None
    item = question.rubric[item_index(question, dragged[0])]
    part, _ = part_of(item, dragged[1])
    first = len(pool(item)) if part == "meta_insights" else 0
    size = len(getattr(item, part))
    if row < 0:
        return size
    return row - first if first <= row <= first + size else None
