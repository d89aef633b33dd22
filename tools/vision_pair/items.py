"""What the tests' vision judge is asked: questions, responses that claim things, checks, and the right verdicts.

A claim is right or wrong by what the picture shows; a check about an attribute that the response leaves out is
missing, whatever the picture shows. `items` draws single verdicts for tests, `random_group` many that share a picture
for training.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from judge_local.port import Asking, Picture
from judge_local.prompt import NodePath, PromptBuilder
from models.rubric.checklist import CheckText, Kind
from models.rubric.profile import states
from models.verdicts import Variant, Verdict
from tools.vision_pair.pictures import COLOURS, COUNTS, POSITIONS, SHAPES, SIDE, Scene, picture, random_scene

VALUES = {"colour": tuple(COLOURS), "shape": SHAPES, "count": COUNTS, "position": tuple(POSITIONS)}
PICTURE_CHECKS = {
    "colour": states("the colour in the picture"),
    "shape": states("the shape in the picture"),
    "count": states("the number in the picture"),
    "position": states("the position in the picture"),
    "first picture": states("the colour in the first picture"),
    "second picture": states("the colour in the second picture"),
}
TEXT_ONLY = "text-only"
# What tests may ask: the kinds that are right more than 95 times in 100 (tests/vision_pair/card.json).
ASKED = ("colour", "shape", "position", "first picture", "second picture", TEXT_ONLY)
ABOUT = (*PICTURE_CHECKS, TEXT_ONLY)
WHERE = {"left": "on the left", "right": "on the right", "top": "at the top", "bottom": "at the bottom"}

ONE_PICTURE = (
    "What does the picture show?",
    "What is in the picture?",
    "Describe the picture.",
    "Which shape do you see, and where?",
    "Describe the shape in the picture: its colour, its position and how many there are.",
    "How many shapes are there, and of what colour?",
)
TWO_PICTURES = (
    "What do the pictures show?",
    "Which colours do the two pictures show?",
    "Compare the first picture with the second.",
    "Describe the shape in each picture.",
)
NO_PICTURE = ("What is the shape like?", "Describe the shape.", "Tell me about the shapes.", "What did you see?")
SAYS_NOTHING = (
    "I do not know.",
    "I cannot say.",
    "It is a nice picture.",
    "Nothing comes to mind.",
    "That is a good question.",
)
ASIDES = ("That is all.", "I like it.", "I am sure.", "This was easy.")

_SENTENCES: Mapping[str, tuple[str, ...]] = {
    "colour": ("It is {}.", "The shape is {}.", "The colour is {}.", "Its colour is {}.", "I see something {}."),
    "shape": ("It is a {}.", "The shape is a {}.", "I see a {}.", "The picture shows a {}.", "This is a {}."),
    "position": ("It is {}.", "The shape is {}.", "It sits {}.", "You find it {}.", "The shape lies {}."),
}
_FEW = ("It is a {}.", "I see a {}.", "The picture shows a {}.", "There is a {} in the picture.", "A {}.")
_MANY = ("There {are} {}.", "I see {}.", "I count {}.", "The picture shows {}.")

Claims = dict[str, str]
_PLAIN = {
    "colour": "{} colour is {}",
    "shape": "{} shape is a {}",
    "count": "{} number is {}",
    "position": "{} position is {}",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One check under a response. about: one of ABOUT."""

    check: CheckText
    verdict: Verdict
    about: str


@dataclass(frozen=True, slots=True)
class Group:
    """Responses to one question, each with its checks."""

    scenes: tuple[Scene, ...]
    variant: Variant
    question: str
    responses: tuple[tuple[str, tuple[Asked, ...]], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One verdict to be given. held_out: a picture shows a colour and shape that training never showed together."""

    scenes: tuple[Scene, ...]
    variant: Variant
    question: str
    response: str
    check: CheckText
    verdict: Verdict
    about: str
    held_out: bool

    def asking(self, side: int = SIDE, pictures: tuple[Picture, ...] | None = None) -> Asking:
        """As a judge is asked; `pictures` stand in for the item's own (swapped, grey, none)."""
        shown = tuple(picture(scene, side) for scene in self.scenes) if pictures is None else pictures
        return Asking(self.question, self.response, (self.check,), self.variant, shown)

    def path(self, builder: PromptBuilder, turn: int = 0, asking: Asking | None = None) -> NodePath:
        """The prompt's nodes, the check's among them."""
        return (*builder.stem(asking or self.asking()), builder.check(self.check, turn))


def items(seed: int, count: int, about: str | None = None, held_out: bool = False) -> Iterator[Item]:
    """`count` items drawn by the seed, of one kind or of all, plainly worded; no two share a picture or a response."""
    rng = Random(f"{seed} {about} {held_out}")
    while count:
        group = random_group(rng, responses=1, held_out=held_out, about=about)
        (response, asked) = group.responses[0]
        fitting = [one for one in asked if about in (None, one.about)]
        if not fitting or (held_out and not any(scene.held_out for scene in group.scenes)):
            continue
        one = rng.choice(fitting)
        yield Item(group.scenes, group.variant, group.question, response, one.check, one.verdict, one.about, held_out)
        count -= 1


def random_group(
    rng: Random, responses: int = 3, held_out: bool = False, about: str | None = None, free: float = 0.0
) -> Group:
    """A question with its pictures and responses. about: draw only what has checks of that kind. free: the share of
    groups whose responses are worded in many ways, and not plainly ("The colour is red.")."""
    sort = rng.random()
    plain = rng.random() >= free
    if about in ("first picture", "second picture") or (about is None and sort < 0.3):
        return _pair(rng, responses, held_out, plain)
    if about == TEXT_ONLY or (about is None and sort < 0.42):
        told = tuple(_told(rng, _claims(rng, None), None, plain) for _ in range(responses))
        return Group((), Variant.TEXT, rng.choice(NO_PICTURE), told)
    scene = random_scene(rng, held_out, single=about == "position")
    told = tuple(_told(rng, _claims(rng, scene), scene, plain) for _ in range(responses))
    return Group((scene,), Variant.IMAGE, rng.choice(ONE_PICTURE), told)


def truth(scene: Scene) -> Claims:
    """What a right and complete response claims."""
    known = {"colour": scene.colour, "shape": scene.shape, "count": COUNTS[scene.count - 1]}
    return known | ({"position": scene.position} if scene.position else {})


def _claims(rng: Random, scene: Scene | None) -> Claims:
    right = truth(scene) if scene else {name: rng.choice(values) for name, values in VALUES.items()}
    if rng.random() < 0.06:
        return {}
    claims = {}
    for name, value in right.items():
        if rng.random() < 0.65:
            claims[name] = value if rng.random() < 0.5 else _other(rng, name, value)
    return claims


def _other(rng: Random, name: str, value: str) -> str:
    return rng.choice([other for other in VALUES[name] if other != value])


def _told(rng: Random, claims: Claims, scene: Scene | None, plain: bool) -> tuple[str, tuple[Asked, ...]]:
    """A response that claims this, and its checks: four, in any order."""
    asked = [_text_check(rng, name, claims) for name in VALUES]
    if scene is not None:
        right = truth(scene)
        seen = [Asked(_check(name), _verdict(claims.get(name), right[name]), name) for name in right]
        asked = [*seen, *rng.sample(asked, 4 - len(seen))] if rng.random() < 0.8 else [*seen[:3], rng.choice(asked)]
    rng.shuffle(asked)
    return (say_plainly if plain else say)(rng, claims), tuple(asked)


def _check(name: str) -> CheckText:
    return CheckText(Kind.PRESENCE, PICTURE_CHECKS[name])


def _verdict(claimed: str | None, right: str) -> Verdict:
    if claimed is None:
        return Verdict.MISSING
    return Verdict.MEETS if claimed == right else Verdict.CONTRADICTS


def _text_check(rng: Random, name: str, claims: Claims) -> Asked:
    claimed = claims.get(name)
    value = claimed if claimed and rng.random() < 0.5 else rng.choice(VALUES[name])
    return Asked(
        CheckText(Kind.PRESENCE, states(_PLAIN[name].format("the", value))), _verdict(claimed, value), TEXT_ONLY
    )


def say_plainly(rng: Random, claims: Claims) -> str:
    """A response that claims exactly this, a sentence each, and names what it speaks of."""
    names = list(claims)
    rng.shuffle(names)
    said = [_PLAIN[name].format(rng.choice(("The", "Its")), claims[name]) + "." for name in names]
    return " ".join(said) or rng.choice(SAYS_NOTHING)


def say(rng: Random, claims: Claims) -> str:
    """A response that claims exactly this, in one of many wordings."""
    names = list(claims)
    rng.shuffle(names)
    together = set(names[: rng.randint(0, len(names))])
    sentences = [_together({name: claims[name] for name in together}, rng)] if together else []
    sentences += [_alone(rng, name, claims[name]) for name in names if name not in together]
    if not sentences:
        sentences = [rng.choice(SAYS_NOTHING)]
    if rng.random() < 0.15:
        sentences.append(rng.choice(ASIDES))
    rng.shuffle(sentences)
    return " ".join(sentences)


def _alone(rng: Random, name: str, value: str) -> str:
    if name == "count":
        return rng.choice(_MANY).format("one shape" if value == "one" else f"{value} shapes", are=_are(value))
    return rng.choice(_SENTENCES[name]).format(WHERE.get(value, value))


def _together(claims: Claims, rng: Random) -> str:
    several = claims.get("count", "one") != "one"
    noun = claims.get("shape", "shape") + ("s" if several else "")
    words = [claims.get("count"), claims.get("colour"), noun, WHERE.get(claims.get("position", ""))]
    phrase = " ".join(word for word in words if word)
    if "count" in claims:
        return rng.choice(_MANY).format(phrase, are=_are(claims["count"]))
    return rng.choice(_FEW).format(phrase)


def _are(count: str) -> str:
    return "is" if count == "one" else "are"


# Two pictures, by order ---------------------------------------------------------------------------------------------


def _pair(rng: Random, responses: int, held_out: bool, plain: bool) -> Group:
    scenes = [random_scene(rng, held_out and rng.random() < 0.7, single=rng.random() < 0.7) for _ in range(2)]
    if scenes[0].colour == scenes[1].colour and rng.random() < 0.7:
        scenes[1] = random_scene(rng)
    told = tuple(_told_of_two(rng, (scenes[0].colour, scenes[1].colour), plain) for _ in range(responses))
    return Group(tuple(scenes), Variant.IMAGE, rng.choice(TWO_PICTURES), told)


def _told_of_two(rng: Random, right: tuple[str, str], plain: bool) -> tuple[str, tuple[Asked, ...]]:
    first, second = (value if rng.random() < 0.65 else _other(rng, "colour", value) for value in right)
    if rng.random() < 0.3:
        second, first = right  # both colours are there, and each is said of the other picture
    silent = rng.random()
    claimed = (None if silent < 0.18 else first, None if 0.15 < silent < 0.33 else second)
    asked = [Asked(_check(name), _verdict(claimed[i], right[i]), name) for i, name in enumerate(_ORDER)]
    return say_of_two(rng, *claimed, plain), tuple(asked)


def say_of_two(rng: Random, first: str | None, second: str | None, plain: bool) -> str:
    """A response about the colours in two pictures; None: nothing is said of that one."""
    if plain:
        told = [(which, colour) for which, colour in (("first", first), ("second", second)) if colour]
        rng.shuffle(told)
        said = (f"The colour in the {which} picture is {colour}." for which, colour in told)
        return " ".join(said) or rng.choice(SAYS_NOTHING)
    if first is None and second is None:
        return rng.choice(SAYS_NOTHING)
    if first is None or second is None:
        return rng.choice(_ONE_OF_TWO).format(which="first" if first else "second", colour=first or second)
    a, b = ("first", first), ("second", second)
    if rng.random() < 0.4:
        a, b = b, a
    if rng.random() < 0.3:
        return " ".join(rng.choice(_ONE_OF_TWO).format(which=which, colour=colour) for which, colour in (a, b))
    if a[0] == "first" and rng.random() < 0.3:
        return rng.choice(_IN_ORDER).format(first, second)
    return rng.choice(_BOTH).format(a[0], a[1], b[0], b[1])


_ORDER = ("first picture", "second picture")
_ONE_OF_TWO = (
    "The shape in the {which} picture is {colour}.",
    "The {which} picture shows a {colour} shape.",
    "The {which} one is {colour}.",
    "In the {which} picture I see something {colour}.",
)
_BOTH = (
    "The {} picture shows a {} shape and the {} a {} one.",
    "The {} is {}, the {} is {}.",
    "In the {} picture it is {}, in the {} it is {}.",
)
_IN_ORDER = ("First a {} shape, then a {} one.", "First {}, then {}.")
