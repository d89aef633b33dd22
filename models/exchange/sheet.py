"""The sheet: a question on one page (picture, question, sources, rubric, checklist, answers) as one HTML file.

Everything is inside the file: no script, no link that is followed by itself, pictures as data.
"""

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from io import BytesIO
from typing import Any

from models.errors import GamutError
from models.exchange.sheet_answers import SHORT_TIERS, SheetAnswer, answer_of
from models.media.gate import decode, fit
from models.rubric.checklist import Check, Checklist
from models.rubric.compile import TIER_NAMES, compile_question
from models.rubric.metarubric import (
    TIERS,
    FlexibleList,
    ImageRef,
    Item,
    Process,
    Question,
    Relationship,
    SimpleKnowledge,
    insights,
    label,
    pool,
)

PICTURE_SIDE = 900
TYPE_NAMES = {
    "simple_knowledge": "fact",
    "strict_list": "strict list",
    "flexible_list": "flexible list",
    "process": "process",
    "relationship": "relationship",
}


def render_sheet(
    questions: Iterable[Question],
    picture: Callable[[str], bytes | None],
    answers: Mapping[str, Sequence[SheetAnswer]] | None = None,
) -> str:
    """One HTML page a question. `picture`: the original bytes of a stored picture by its sha256. `answers`: by id."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.from_string(files("models.exchange").joinpath("sheet.html").read_text(encoding="utf-8"))
    return template.render(sheets=[_sheet(q, picture, (answers or {}).get(q.id, ())) for q in questions])


def _sheet(
    question: Question, picture: Callable[[str], bytes | None], answers: Sequence[SheetAnswer]
) -> dict[str, Any]:
    numbers = {snippet.id: n for n, snippet in enumerate(question.snippets, start=1)}
    checklist, refusal = _compiled(question)
    return {
        "question": question,
        "pictures": [_picture(image, picture) for image in question.images],
        "items": [_item(item, numbers) for item in question.rubric],
        "tiers": [_tier(tier, checklist.checks) for tier in TIERS],
        "dropped": checklist.dropped,
        "checks": len(checklist.checks),
        "refusal": refusal,
        "answers": [answer_of(answer) for answer in answers],
    }


def _compiled(question: Question) -> tuple[Checklist, str | None]:
    try:
        return compile_question(question), None
    except GamutError as error:
        return Checklist(()), str(error)


def _picture(image: ImageRef, picture: Callable[[str], bytes | None]) -> dict[str, Any]:
    from PIL import Image

    data = picture(image.sha256) if image.sha256 else None
    shown = {"file": image.file, "credit": image.credit, "licence": image.licence, "uri": None}
    if data is None:
        return shown
    gated, _ = fit(decode(data, name=image.file), PICTURE_SIDE)
    out = BytesIO()
    Image.frombytes("RGB", (gated.width, gated.height), gated.rgb).save(out, "JPEG", quality=85)
    return shown | {"uri": "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()}


def _item(item: Item, numbers: dict[str, int]) -> dict[str, Any]:
    def cites(ids: tuple[str, ...]) -> list[int]:
        return [numbers[one] for one in ids if one in numbers]

    asks = ""
    if isinstance(item, FlexibleList):
        asks = f"at least {' and '.join(map(str, item.at_least))} of {len(item.options)}"
    if isinstance(item, SimpleKnowledge) and item.identifies_subject:
        asks = "identifies the subject"
    elements = [
        {
            "text": e.text,
            "cites": cites(e.cites),
            "mark": "optional" if isinstance(item, Process) and not getattr(e, "required", True) else "",
        }
        for e in pool(item)
    ]
    return {
        "type": TYPE_NAMES[item.type],
        "tier": SHORT_TIERS[item.tier],
        "tier_name": TIER_NAMES[item.tier],
        "label": f"{item.subject} → {item.related}" if isinstance(item, Relationship) else label(item),
        "asks": asks,
        "cites": cites(item.cites),
        "elements": elements,
        "ordered": isinstance(item, Process),
        "insights": [
            {"text": i.text, "tier": SHORT_TIERS[i.tier], "tier_name": TIER_NAMES[i.tier], "cites": cites(i.cites)}
            for i in insights(item)
        ],
    }


def _tier(tier: Any, checks: tuple[Check, ...]) -> dict[str, Any]:
    return {"short": SHORT_TIERS[tier], "name": TIER_NAMES[tier], "checks": [c for c in checks if c.tier is tier]}
