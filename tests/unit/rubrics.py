"""Small rubrics for tests, and hypothesis strategies that draw valid ones."""

from hypothesis import strategies as st

from models.rubric.metarubric import (
    Element,
    FlexibleList,
    Item,
    MetaInsight,
    Process,
    Question,
    Relationship,
    SimpleKnowledge,
    Step,
    StrictList,
    Tier,
    derive_ids,
)

# Letters of several scripts, combining marks, and all that YAML, JSON and the check texts give a meaning to.
LETTERS = "aBcéß\u0301中かدا\u200fא🙂0129" + "-:;,.'\"#?!{}[]&*|>%@`~=()/\\"
WORDS = st.text(LETTERS, min_size=1, max_size=8)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
TIERS = st.sampled_from(list(Tier))


def question(*items: Item, **more: object) -> Question:
    return Question("q-1", "What is this?", rubric=items, **more)  # type: ignore[arg-type]


def element_list(*texts: str) -> tuple[Element, ...]:
    return tuple(Element(text, one) for one, text in zip(derive_ids([(None, t) for t in texts]), texts, strict=True))


def options(n: int) -> tuple[Element, ...]:
    return element_list(*(f"option {chr(ord('a') + i)}" for i in range(n)))


def flexible(
    n: int, *at_least: int, tier: Tier = Tier.ANSWER_CRITICAL, coverage: tuple[int, ...] | None = None
) -> Item:
    return FlexibleList("f", tier, "things of the test", options(n), at_least or (1,), coverage)


def steps(**required: bool) -> tuple[Step, ...]:
    return tuple(Step(name, f"s-{name}", (), flag) for name, flag in required.items())


@st.composite
def _pool(draw: st.DrawFn, minimum: int, maximum: int) -> tuple[list[str], list[tuple[str, Tier]]]:
    texts = draw(
        st.lists(TEXTS, min_size=minimum, max_size=maximum, unique_by=lambda t: t.casefold()).filter(_all_different)
    )
    cut = draw(st.integers(0, min(2, len(texts) - minimum)))
    pool = texts[: len(texts) - cut]
    return pool, [(t, draw(TIERS)) for t in texts[len(texts) - cut :]]


def _all_different(texts: list[str]) -> bool:
    from models.rubric.problems import same_text

    return len({same_text(t) for t in texts}) == len(texts)


@st.composite
def items(draw: st.DrawFn) -> Item:
    """A valid item of any type; its id is set by `questions`."""
    tier = draw(TIERS)
    kind = draw(st.sampled_from(["fact", "strict", "flexible", "process", "relationship"]))
    if kind == "fact":
        return SimpleKnowledge("", tier, draw(TEXTS), draw(st.booleans()))
    name = draw(TEXTS)
    pool, meta = draw(_pool(1, 12))
    ids = derive_ids([(None, t) for t in [*pool, *(t for t, _ in meta)]])
    insights = tuple(MetaInsight(t, i, (), tr) for (t, tr), i in zip(meta, ids[len(pool) :], strict=True))
    made = tuple(Element(t, i) for t, i in zip(pool, ids, strict=False))
    if kind == "strict":
        return StrictList("", tier, name, made, insights)
    if kind == "flexible":
        counts = draw(st.lists(st.integers(1, len(pool)), min_size=1, max_size=2, unique=True))
        return FlexibleList("", tier, name, made, tuple(sorted(counts)), None, insights)
    if kind == "process":
        flags = [draw(st.booleans()) for _ in pool]
        return Process(
            "", tier, name, tuple(Step(e.text, e.id, (), f) for e, f in zip(made, flags, strict=True)), insights
        )
    return Relationship("", tier, name, draw(TEXTS), made)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """A question whose rubric compiles."""
    from dataclasses import replace

    from models.rubric.problems import item_name_seed, same_text

    drawn = draw(st.lists(items(), max_size=5, unique_by=lambda i: same_text(item_name_seed(i))))
    ids = derive_ids([(None, item_name_seed(i)) for i in drawn])
    return question(*(replace(item, id=one) for item, one in zip(drawn, ids, strict=True)))
