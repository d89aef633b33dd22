"""What a preflight item is: one check of one short canned answer, with the verdict that it earns.

Every kind of check has a rule for each verdict (DESIGN section 3, and the system text of the judge prompt); each rule
has two items or more, and the categories cut the same items by what makes them hard. The texts of checks come from
models/rubric/profile.py, so they are what the app compiles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from models.rubric import profile
from models.rubric.checklist import CheckText, Kind
from models.verdicts import Verdict

MEETS, PARTIALLY = Verdict.MEETS, Verdict.PARTIALLY_MEETS
MISSING, CONTRADICTS = Verdict.MISSING, Verdict.CONTRADICTS
OUTSIDE = "threshold.outside"  # an option that is not listed neither helps nor hurts, whatever the verdict is
RULES = (
    *(f"{kind.value}.{verdict.value}" for kind in Kind for verdict in Verdict),
    OUTSIDE,
)


class Category(StrEnum):
    """What an item tries a judge on."""

    PRESENCE = "presence"
    ABSENCE = "absence"
    CONTRADICTION = "contradiction"
    NEGATION = "negation"
    NUMBERS = "numbers_and_units"
    ORDER = "order"
    THRESHOLDS = "thresholds"
    PARAPHRASE = "paraphrase"
    LANGUAGES = "other_languages"
    PICTURE = "wrong_picture"
    BLANK = "blank_response"
    INJECTION = "injection"


@dataclass(frozen=True, slots=True)
class Item:
    """One check and its true verdict. `rule`: the verdict-meaning rule it tries, "kind.verdict" or OUTSIDE."""

    id: str
    category: Category
    check: CheckText
    truth: Verdict
    rule: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A question and a canned response, asked once with all its items."""

    question: str
    response: str
    items: tuple[Item, ...]


def fact(id: str, category: Category, truth: Verdict, text: str) -> Item:
    """A presence check of a simple fact."""
    return _item(id, category, truth, Kind.PRESENCE, profile.states(text))


def relation(id: str, category: Category, truth: Verdict, subject: str, related: str, aspect: str) -> Item:
    """A check of one aspect of a relationship."""
    return _item(id, category, truth, Kind.RELATION, profile.explains(subject, related, aspect))


def insight(id: str, category: Category, truth: Verdict, name: str, text: str) -> Item:
    """A check of what a whole list or process conveys."""
    return _item(id, category, truth, Kind.INSIGHT, profile.conveys(name, text))


def count(
    id: str, category: Category, truth: Verdict, n: int, name: str, options: Sequence[str], rule: str | None = None
) -> Item:
    """A threshold check: at least n of the options."""
    return _item(id, category, truth, Kind.THRESHOLD, profile.mentions_at_least(n, name, list(options)), rule)


def order(id: str, category: Category, truth: Verdict, name: str, steps: Sequence[str]) -> Item:
    """A sequence check: these steps in this order."""
    return _item(id, category, truth, Kind.SEQUENCE, profile.gives_in_order(list(steps), name))


def _item(id: str, category: Category, truth: Verdict, kind: Kind, text: str, rule: str | None = None) -> Item:
    return Item(id, category, CheckText(kind, text), truth, rule or f"{kind.value}.{truth.value}")
