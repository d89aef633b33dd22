"""Reading a rubric file into a Question. What an editor must hold loads; what nobody could mean is refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, Literal, cast

from models.rubric.checklist import Kind
from models.rubric.codec.fields import Field, Fields
from models.rubric.codec.source import Source, parse
from models.rubric.metarubric import (
    Element,
    FlexibleList,
    ImageRef,
    Item,
    MetaInsight,
    Origin,
    Override,
    Process,
    Question,
    Relationship,
    SimpleKnowledge,
    Snippet,
    Step,
    StrictList,
    TextOnly,
    Tier,
    derive_ids,
)
from models.rubric.problems import item_name_seed
from models.textfile import read_text

FORMAT = 1
MAX_RUBRIC_BYTES = 16 * 2**20
RESERVED = ("golden", "silenced", "regions")
QUESTION_FIELDS = (
    *(
        "gamut",
        "id",
        "question",
        "images",
        "image",
        "text_only",
        "entity",
        "domain",
        "topic",
        "tags",
        "status",
        "reason",
    ),
    *("snippets", "rubric", "overrides", "profile", "language", *RESERVED),
)
ITEM_FIELDS = {
    "simple_knowledge": ("fact", "identifies_subject"),
    "strict_list": ("name", "items", "meta_insights"),
    "flexible_list": ("name", "options", "at_least", "coverage", "meta_insights"),
    "process": ("name", "steps", "meta_insights"),
    "relationship": ("subject", "related", "aspects"),
}


def load_question(path: FilePath) -> Question:
    """Read one rubric file (.json is JSON, anything else YAML); raises FileProblem or RubricFileError."""
    return question_of(load_source(path))


def load_source(path: FilePath) -> Source:
    """Read and parse a rubric file without looking at its fields yet; raises FileProblem or RubricFileError."""
    text = read_text(path, MAX_RUBRIC_BYTES)
    return parse(text, path.name, is_json=path.suffix.lower() == ".json")


def parse_question(text: str, name: str = "rubric", *, is_json: bool = False, first_line: int = 1) -> Question:
    """Read one rubric from text; raises RubricFileError naming field and line. `first_line`: where in a larger file."""
    return question_of(parse(text, name, is_json=is_json, first_line=first_line))


def question_of(source: Source) -> Question:
    """The question in a parsed source; raises RubricFileError."""
    return _question(Field(source, source.root))


def _question(root: Field) -> Question:
    fields = root.map(QUESTION_FIELDS, "gamut: 1, id: ..., question: ...")
    version = fields.need("gamut", "'gamut: 1' at the top")
    if version.integer() != FORMAT:
        version.fail(f"is {version.integer()}, but this app reads format {FORMAT}.", "Open it with a newer version.")
    snippets = _list(fields, "snippets", _snippet)
    _unique(fields, "snippets", [s.id for s in snippets])
    status = fields.get("status")
    return Question(
        id=fields.need("id", "id: some-name").word(),
        question=fields.need("question", "question: What is asked").text(),
        images=_images(fields),
        text_only=_text_only(fields),
        entity=fields.text("entity"),
        domain=fields.text("domain"),
        topic=fields.text("topic"),
        tags=_tags(fields),
        status=cast(Literal["active", "dropped"], status.one_of("active", "dropped") if status else "active"),
        reason=fields.text("reason"),
        snippets=snippets,
        rubric=_rubric(fields),
        overrides=_list(fields, "overrides", _override),
        profile=fields.text("profile"),
        language=fields.text("language"),
        reserved=tuple((name, field.plain()) for name in RESERVED if (field := fields.get(name)) is not None),
    )


def _list(fields: Fields, name: str, read: Callable[[Field], Any]) -> tuple[Any, ...]:
    field = fields.get(name)
    return tuple(read(member) for member in field.items()) if field else ()


def _unique(fields: Fields, name: str, ids: list[str]) -> None:
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        field = fields.get(name) or fields.owner
        field.fail(f"uses the id '{twice}' twice.", "Give one of the two another id.")


def _images(fields: Fields) -> tuple[ImageRef, ...]:
    if fields.get("image") and fields.get("images"):
        fields.need("image", "").fail("stands beside 'images'.", "Keep 'images' alone.")
    field = fields.get("images") or fields.get("image")
    return tuple(_image(member) for member in _lone_or_list(field)) if field else ()


def _lone_or_list(field: Field) -> list[Field]:
    return [field] if field.is_map else list(field.items(single=True))


def _image(field: Field) -> ImageRef:
    if not field.is_map:
        return ImageRef(_file_name(field))
    image = field.map(("file", "credit", "licence", "sha256"), "{file: cup.jpg, credit: ..., licence: CC0}")
    file = _file_name(image.need("file", "file: cup.jpg"))
    return ImageRef(file, image.text("credit"), image.text("licence"), image.text("sha256"))


def _file_name(field: Field) -> str:
    name = field.text()
    if not name or "://" in name or "\0" in name:
        field.fail(f"must be a file beside the rubric, not {field.shown()}.", "Save the picture as a file and name it.")
    return name


def _text_only(fields: Fields) -> TextOnly | None:
    field = fields.get("text_only")
    if field is None:
        return None
    inner = field.map(("question", "status", "reason"), "{question: ..., status: ready}")
    given = inner.get("status")
    status = given.one_of("ready", "excluded") if given else "ready"
    question = inner.text("question")
    if status == "ready" and not question:
        field.fail("has no question.", "Add question: ..., or status: excluded with a reason.")
    return TextOnly(question, cast(Literal["ready", "excluded"], status), inner.text("reason"))


def _tags(fields: Fields) -> tuple[tuple[str, str], ...]:
    field = fields.get("tags")
    if field is None:
        return ()
    if not field.is_map:
        field.fail(f"must be names with values, not {field.shown()}.", "Write for example tags: {source: web}.")
    inner = Fields(field, tuple(field.node.value))
    return tuple((name, inner.need(name, name).text()) for name in field.node.value)


def _snippet(field: Field) -> Snippet:
    known = ("id", "url", "title", "quote", "note", "checked", "by", "on")
    inner = field.map(known, "{id: s1, title: ...}")
    given = inner.get("checked")
    checked = given.one_of("unchecked", "supports", "does_not") if given else "unchecked"
    return Snippet(
        id=inner.need("id", "id: s1").word(),
        checked=cast(Literal["unchecked", "supports", "does_not"], checked),
        **{name: inner.text(name) for name in known if name not in ("id", "checked")},
    )


# Items ---------------------------------------------------------------------------------------------------------------


def _rubric(fields: Fields) -> tuple[Item, ...]:
    field = fields.get("rubric")
    if field is None:
        return ()
    read = [_item(member) for member in field.items()]
    _unique(fields, "rubric", [given for given, _ in read if given is not None])
    ids = derive_ids([(given, item_name_seed(item)) for given, item in read])
    return tuple(replace(item, id=one) for one, (_, item) in zip(ids, read, strict=True))


def _item(field: Field) -> tuple[str | None, Item]:
    """The given id, and the item with that id or none yet."""
    if not field.is_map:
        field.map(())
    of_type = Fields(field, ()).need("type", f"type: one of {', '.join(ITEM_FIELDS)}")
    kind = of_type.one_of(*ITEM_FIELDS)
    inner = field.map(("type", "tier", "id", "cites", *ITEM_FIELDS[kind]))
    given = inner.get("id")
    tier = inner.need("tier", f"tier: one of {', '.join(Tier)}").choice(Tier)
    item = _READERS[kind](inner, tier, inner.words("cites"))
    return (given.word() if given else None), item


def _simple_knowledge(inner: Fields, tier: Tier, cites: tuple[str, ...]) -> Item:
    flag = inner.get("identifies_subject")
    fact = inner.need("fact", "fact: one full sentence").text()
    return SimpleKnowledge("", tier, fact, flag.boolean() if flag else False, cites)


def _strict_list(inner: Fields, tier: Tier, cites: tuple[str, ...]) -> Item:
    items, meta = _elements(inner, "items")
    return StrictList("", tier, _name(inner), items, meta, cites)


def _flexible_list(inner: Fields, tier: Tier, cites: tuple[str, ...]) -> Item:
    options, meta = _elements(inner, "options")
    wanted = inner.need("at_least", "at_least: 2")
    at_least = tuple(member.integer() for member in wanted.items(single=True))
    coverage = inner.get("coverage")
    values = tuple(member.integer() for member in coverage.items(single=True)) if coverage else None
    return FlexibleList("", tier, _name(inner), options, at_least, values, meta, cites)


def _process(inner: Fields, tier: Tier, cites: tuple[str, ...]) -> Item:
    steps, meta = _elements(inner, "steps", required=True)
    return Process("", tier, _name(inner), cast(tuple[Step, ...], steps), meta, cites)


def _relationship(inner: Fields, tier: Tier, cites: tuple[str, ...]) -> Item:
    aspects, _ = _elements(inner, "aspects")
    subject = inner.need("subject", "subject: ...").text()
    return Relationship("", tier, subject, inner.need("related", "related: ...").text(), aspects, cites)


_READERS: dict[str, Callable[[Fields, Tier, tuple[str, ...]], Item]] = {
    "simple_knowledge": _simple_knowledge,
    "strict_list": _strict_list,
    "flexible_list": _flexible_list,
    "process": _process,
    "relationship": _relationship,
}


def _name(inner: Fields) -> str:
    return inner.need("name", "name: what the list is of").text()


def _elements(
    inner: Fields, name: str, *, required: bool = False
) -> tuple[tuple[Element, ...], tuple[MetaInsight, ...]]:
    """The pool under `name` and the meta-insights, with ids unique over both."""
    members = list(inner.need(name, f"{name}: [...]").items())
    meta = inner.get("meta_insights") if "meta_insights" in inner.known else None
    meta_members = list(meta.items()) if meta else []
    raw = [_element(member, ("required",) if required else ()) for member in members]
    raw += [_element(member, ("tier",)) for member in meta_members]
    _unique(inner, name, [given for given, _, _, _ in raw if given is not None])
    ids = derive_ids([(given, text) for given, text, _, _ in raw])
    made = list(zip(ids, raw, strict=True))
    pool = tuple(_make_pool(one, text, cites, more, required) for one, (_, text, cites, more) in made[: len(members)])
    insights = tuple(_make_insight(one, text, cites, more) for one, (_, text, cites, more) in made[len(members) :])
    return pool, insights


def _element(field: Field, more: tuple[str, ...]) -> tuple[str | None, str, tuple[str, ...], Fields | Field]:
    """(given id, text, cites, the fields for what else the element has)."""
    if not field.is_map:
        return None, field.text(), (), field
    inner = field.map(("text", "id", "cites", *more), "{text: ..., cites: [s1]}")
    given = inner.get("id")
    return (given.word() if given else None), inner.need("text", "text: ...").text(), inner.words("cites"), inner


def _make_pool(one: str, text: str, cites: tuple[str, ...], more: Fields | Field, is_step: bool) -> Element:
    if not is_step:
        return Element(text, one, cites)
    flag = more.get("required") if isinstance(more, Fields) else None
    return Step(text, one, cites, flag.boolean() if flag else True)


def _make_insight(one: str, text: str, cites: tuple[str, ...], more: Fields | Field) -> MetaInsight:
    if isinstance(more, Field):
        more.fail("has no tier.", "Write {text: ..., tier: valuable}.")
    return MetaInsight(text, one, cites, more.need("tier", f"tier: one of {', '.join(Tier)}").choice(Tier))


# Overrides -----------------------------------------------------------------------------------------------------------


def _override(field: Field) -> Override:
    known = ("action", "origin", "rule", "id", "kind", "text", "tier", "base_text", "base_tier", "note", "by")
    inner = field.map(known, "{action: drop, origin: {item: ...}}")
    action = inner.need("action", "action: reword, retier, drop or add").one_of("reword", "retier", "drop", "add")
    needed = {
        "reword": ("origin", "text"),
        "retier": ("origin", "tier"),
        "drop": ("origin",),
        "add": ("id", "text", "tier"),
    }
    for name in needed[action]:
        if inner.get(name) is None:
            field.fail(f"({action}) has no '{name}'.", f"Add {name}: ...")
    tier, base, kind, given = (inner.get(name) for name in ("tier", "base_tier", "kind", "id"))
    return Override(
        action=cast(Literal["reword", "retier", "drop", "add"], action),
        origin=_origin(inner),
        rule=inner.text("rule"),
        id=given.word() if given else None,
        kind=kind.choice(Kind).value if kind else None,
        text=inner.text("text"),
        tier=tier.choice(Tier) if tier else None,
        base_text=inner.text("base_text"),
        base_tier=base.choice(Tier) if base else None,
        note=inner.text("note"),
        by=inner.text("by"),
    )


def _origin(inner: Fields) -> Origin | None:
    field = inner.get("origin")
    if field is None:
        return None
    origin = field.map(("item", "element", "n"), "{item: ..., element: ..., n: 2}")
    element, n = origin.get("element"), origin.get("n")
    item = origin.need("item", "item: the item's id").word()
    return Origin(item, element.word() if element else None, n.integer() if n else None)
