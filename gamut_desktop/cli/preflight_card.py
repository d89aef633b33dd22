"""A preflight as a card on a terminal: the one-line verdict first, then what it rests on."""

from rich.table import Table
from rich.text import Text

from gamut_desktop.cli.show import DASH, table
from gamut_desktop.wiring import PreflightMark
from judge_local.preflight.items import Category
from judge_local.preflight.result import BASELINE, Preflight, Tally, percent
from models.rubric.checklist import Kind

CATEGORIES = {
    Category.PRESENCE: "presence",
    Category.ABSENCE: "absence",
    Category.CONTRADICTION: "contradiction",
    Category.NEGATION: "negation",
    Category.NUMBERS: "numbers and units",
    Category.ORDER: "order",
    Category.THRESHOLDS: "thresholds",
    Category.PARAPHRASE: "paraphrase",
    Category.LANGUAGES: "other languages",
    Category.PICTURE: "right and wrong picture",
    Category.BLANK: "response that says nothing",
    Category.INJECTION: "response that gives orders",
}
KINDS = {
    Kind.PRESENCE: "presence checks",
    Kind.THRESHOLD: "threshold checks",
    Kind.SEQUENCE: "sequence checks",
    Kind.RELATION: "relation checks",
    Kind.INSIGHT: "insight checks",
}


def marked(mark: PreflightMark | None) -> str:
    """A judge's last preflight in a list: its accuracy, and what to know about it."""
    if mark is None:
        return DASH
    remarks = ["worse than keyword"] * mark.worse_than_keyword + ["out of date"] * mark.stale
    return ", ".join([percent(mark.accuracy), *remarks])


def figures(found: Preflight) -> Table:
    """Right ones by category and by kind of check; what was not asked has dashes."""
    made = table("items", "right", "of", "share", right=("right", "of", "share"))
    for category, tally in found.by_category.items():
        made.add_row(CATEGORIES[category], *_row(tally))
    made.add_section()
    for kind, tally in found.by_kind.items():
        made.add_row(KINDS[kind], *_row(tally))
    made.add_section()
    made.add_row("all", *_row(found.overall))
    return made


def _row(tally: Tally) -> tuple[str, str, str]:
    if not tally.asked:
        return DASH, DASH, "not asked"
    return str(tally.right), str(tally.n), percent(tally.accuracy)


def facts(found: Preflight) -> Table:
    """The other figures, a line each, undefined ones left out."""
    made = Table.grid(padding=(0, 2))
    for name, told in _facts(found):
        made.add_row(name, Text(told))
    return made


def _facts(found: Preflight) -> list[tuple[str, str]]:
    told: list[tuple[str, str]] = []
    if (interval := found.interval) is not None:
        told.append(("accuracy", f"{percent(found.accuracy)}, 95 % interval {_span(interval)}"))
    if found.judge != BASELINE:
        compared = "worse than keyword" if found.worse_than_keyword else "not worse than keyword"
        told.append(("baseline", f"keyword {percent(found.keyword_overall.accuracy)} on the same texts; {compared}"))
    if found.leniency is not None:
        told.append(("leniency", f"{found.leniency:+.2f}, {found.leniency_words}"))
    if found.flip_rate is not None:
        told.append(("option order", f"{percent(found.flip_rate)} of the verdicts change with it"))
    for outcome, share in found.without_verdict.items():
        told.append(("no verdict", f"{outcome.value.replace('_', ' ')} {percent(share)}"))
    told.append(("picture", {True: "used", False: "not used", None: "not asked"}[found.uses_picture]))
    if found.checks_per_second is not None:
        told.append(("speed", f"{found.checks_per_second:,.1f} checks a second"))
    if found.tokens_per_second is not None:
        told.append(("", f"{found.tokens_per_second:,.0f} tokens a second"))
    if found.deviation is not None:
        told.append(("sharing", f"moves probabilities by {found.deviation:.2g} at most"))
    prompt = f", prompt {found.prompt_version}" if found.prompt_version else ""
    told.append(("ruler", f"{found.ruler[:12]}{prompt}"))
    told.append(("checked", found.date.replace("T", " ")[:16]))
    return told


def _span(interval: tuple[float, float]) -> str:
    return f"{percent(interval[0])} to {percent(interval[1])}"
