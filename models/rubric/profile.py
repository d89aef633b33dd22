"""Profile `gamut-1`: the numbers of the score, the length of a short list, and the texts of the checks.

The templates and their readers live side by side: a judge that works on words (keyword) gets a check's parts back from
its text alone, because text and kind are all that a judge is asked (DESIGN, section 3).
"""

import re
from dataclasses import dataclass, field

from models.errors import GamutError
from models.rubric.checklist import Kind
from models.rubric.metarubric import Tier


class ProfileError(GamutError):
    """A profile's number is outside its limits."""


@dataclass(frozen=True)
class Profile:
    """Scoring constants (GAMUT, scoring section; limits from DESIGN, section 3) and compile constants.

    lam: credit of partially_meets, 0 < lam < 1. mu: cost of contradicts, mu <= -1. weights: per tier, > 0.
    """

    name: str = "gamut-1"
    lam: float = 0.5
    mu: float = -2.0
    weights: dict[Tier, float] = field(
        default_factory=lambda: {Tier.ANSWER_CRITICAL: 0.6, Tier.VALUABLE: 0.3, Tier.CONTEXT: 0.1}
    )
    short_list_max: int = 7

    def __post_init__(self) -> None:
        if not 0 < self.lam < 1:
            raise ProfileError(
                f"Profile {self.name}: lambda is {self.lam}, outside 0 < lambda < 1.",
                "A partial answer must be worth more than nothing and less than a full one; the default is 0.5.",
            )
        if not -1000 <= self.mu <= -1:
            raise ProfileError(
                f"Profile {self.name}: mu is {self.mu}, but must be -1 or less.",
                "A contradiction must cost at least as much as an omission; the default is -2.",
            )
        for tier in Tier:
            weight = self.weights.get(tier)
            if weight is None or not 0 < weight < float("inf"):
                raise ProfileError(
                    f"Profile {self.name}: the weight of {tier.value} is {weight}, but must be a number above 0.",
                    "Give each of the three tiers a weight; the defaults are 0.6, 0.3 and 0.1.",
                )


GAMUT_1 = Profile()
PROFILES = {GAMUT_1.name: GAMUT_1}


def profile_named(name: str | None) -> Profile:
    """The profile of that name (None: gamut-1); raises ProfileError for an unknown one."""
    try:
        return PROFILES[name or GAMUT_1.name]
    except KeyError:
        raise ProfileError(
            f"There is no profile named '{name}'.", f"Use one of: {', '.join(PROFILES)}, or leave the field out."
        ) from None


# Check texts, English (DESIGN, section 3) -------------------------------------------------------------------------


def states(fact: str) -> str:
    return f"States: {fact}"


def mentions(item: str, name: str) -> str:
    return f"Mentions {item} as one of {name}"


def mentions_at_least(n: int, name: str, options: list[str]) -> str:
    return f"Mentions at least {n} of the following {name}: {'; '.join(options)}"


def describes_step(step: str, name: str) -> str:
    return f"Describes the step '{step}' of {name}"


def gives_in_order(steps: list[str], name: str) -> str:
    numbered = " ".join(f"{i}) {step}" for i, step in enumerate(steps, start=1))
    return f"Gives these steps of {name} in this order: {numbered}"


def connects(subject: str, related: str) -> str:
    return f"Connects {subject} with {related}"


def explains(subject: str, related: str, aspect: str) -> str:
    return f"Explains about {subject} and {related}: {aspect}"


def conveys(name: str, insight: str) -> str:
    return f"Conveys about {name}: {insight}"


# ... and back ------------------------------------------------------------------------------------------------------

_THRESHOLD = re.compile(r"Mentions at least ([0-9]{1,9}) of the following (.+?): (.+)", re.DOTALL)
_SEQUENCE = re.compile(r"Gives these steps of (.+?) in this order: 1\) (.+)", re.DOTALL)
_ELEMENT = {
    Kind.PRESENCE: re.compile(
        r"States: (?P<fact>.+)|Mentions (?P<item>.+) as one of .+|Describes the step '(?P<step>.+)' of .+"
        r"|Connects (?P<pair>.+ with .+)",
        re.DOTALL,
    ),
    Kind.RELATION: re.compile(r"Explains about .+?: (?P<aspect>.+)", re.DOTALL),
    Kind.INSIGHT: re.compile(r"Conveys about .+?: (?P<insight>.+)", re.DOTALL),
}


def read_threshold(text: str) -> tuple[int, list[str]] | None:
    """(N, options) of a threshold check's text; None if a person worded it otherwise."""
    found = read_threshold_of(text)
    return (found[0], found[2]) if found else None


def read_threshold_of(text: str) -> tuple[int, str, list[str]] | None:
    """(N, name, options) of a threshold check's text; None if a person worded it otherwise."""
    match = _THRESHOLD.fullmatch(text)
    return (int(match[1]), match[2], match[3].split("; ")) if match else None


def read_sequence(text: str) -> list[str] | None:
    """The steps of a sequence check's text, in order; None if a person worded it otherwise."""
    found = read_sequence_of(text)
    return found[1] if found else None


def read_sequence_of(text: str) -> tuple[str, list[str]] | None:
    """(name, steps in order) of a sequence check's text; None if a person worded it otherwise."""
    match = _SEQUENCE.fullmatch(text)
    if match is None:
        return None
    steps, rest, number = [], match[2], 2
    while (cut := rest.find(f" {number}) ")) >= 0:
        steps.append(rest[:cut])
        rest = rest[cut + len(f" {number}) ") :]
        number += 1
    return match[1], [*steps, rest]


def read_element(kind: Kind, text: str) -> str:
    """What a check of one element asks for: the fact, item, step, aspect or insight; else the whole text."""
    pattern = _ELEMENT.get(kind)
    match = pattern.fullmatch(text) if pattern else None
    if match is None:
        return text
    return next(part for part in match.groups() if part is not None)
