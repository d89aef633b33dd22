"""Canned items about counts and orders. Each true verdict follows from counting, or the order of telling, alone."""

from judge_local.preflight.items import (
    CONTRADICTS,
    MEETS,
    MISSING,
    OUTSIDE,
    PARTIALLY,
    Category,
    Passage,
    count,
    fact,
    order,
)

RINGED = ("Jupiter", "Saturn", "Uranus", "Neptune")
RINGS = Passage(
    "Which planets have rings?",
    "Saturn's rings are the best known, but Jupiter and Neptune have rings too.",
    (
        count("rings-three", Category.THRESHOLDS, MEETS, 3, "planets with rings", RINGED),
        count("rings-four", Category.THRESHOLDS, PARTIALLY, 4, "planets with rings", RINGED),
    ),
)

SPICES = ("cumin", "coriander", "cardamom", "cloves", "cinnamon", "black pepper")
GARAM_MASALA = Passage(
    "What goes into a garam masala?",
    "Mine has cumin, coriander, cardamom and cloves, and I grate in a little nutmeg at the end. There is "
    "no chilli in it.",
    (
        count("spices-four", Category.THRESHOLDS, MEETS, 4, "spices of garam masala", SPICES, OUTSIDE),
        count("spices-five", Category.THRESHOLDS, PARTIALLY, 5, "spices of garam masala", SPICES, OUTSIDE),
        fact("spices-mild", Category.NEGATION, MEETS, "The garam masala is made without chilli"),
    ),
)

ORCHESTRA = Passage(
    "Which instruments are heard in the last movement?",
    "Violins carry the tune, a flute doubles it, and a trumpet comes in just before the end.",
    (
        count(
            *("woodwinds", Category.THRESHOLDS, MISSING, 3, "woodwind instruments"),
            ("flute", "oboe", "clarinet", "bassoon", "piccolo"),
        ),
        count(
            *("brass", Category.THRESHOLDS, PARTIALLY, 2, "brass instruments"),
            ("trumpet", "trombone", "horn", "tuba"),
        ),
        count(
            *("strings", Category.THRESHOLDS, MEETS, 1, "string instruments"),
            ("violin", "viola", "cello", "double bass"),
        ),
    ),
)

GLUTEN = Passage(
    "Which grains contain gluten?",
    "Maize and rice are full of gluten. Wheat, barley and rye contain none at all.",
    (
        count(
            *("gluten", Category.CONTRADICTION, CONTRADICTS, 2, "grains with gluten"),
            ("wheat", "barley", "rye", "spelt"),
        ),
    ),
)

MAMMALS = Passage(
    "Which of the animals in the sea and in the air are mammals?",
    "Neither bats nor dolphins are mammals: bats are birds, and dolphins are fish. Whales are not mammals either.",
    (
        count(
            *("mammals", Category.NEGATION, CONTRADICTS, 2, "mammals"),
            ("bats", "dolphins", "whales", "seals"),
        ),
    ),
)

TOFU = Passage(
    "How is tofu made?",
    "Soak soybeans overnight and grind them with water. Strain off the pulp; what runs through is soy milk. Heat it, "
    "stir in a coagulant, and press the curds into a block. No egg and no dairy go into it.",
    (
        order(
            *("tofu-order", Category.ORDER, MEETS, "making tofu"),
            (
                "grind the soaked soybeans",
                "strain off the pulp",
                "heat the soy milk",
                "stir in a coagulant",
                "press the curds",
            ),
        ),
        fact("tofu-egg", Category.NEGATION, MEETS, "Tofu contains no egg"),
        fact("tofu-dairy", Category.NEGATION, CONTRADICTS, "Tofu is made with cow's milk"),
    ),
)

EGG = Passage(
    "How do you poach an egg?",
    "Bring a pan of water to a simmer, slide in the egg, cook it for three minutes, and lift it out with a "
    "slotted spoon.",
    (
        order(
            *("egg-order", Category.ORDER, PARTIALLY, "poaching an egg"),
            ("bring water to a simmer", "add a splash of vinegar", "slide in the egg", "lift out the egg"),
        ),
        fact("egg-seconds", Category.NUMBERS, MEETS, "The egg cooks for 180 seconds"),
    ),
)

ENGINE = Passage(
    "What does the piston of a four-stroke engine do?",
    "It draws in the mixture on the intake stroke. On the power stroke the burning gas drives it down, and on the "
    "exhaust stroke it pushes the burnt gas out.",
    (
        order(
            *("engine-order", Category.ORDER, PARTIALLY, "the four-stroke cycle"),
            ("intake stroke", "compression stroke", "power stroke", "exhaust stroke"),
        ),
    ),
)

FILM = Passage(
    "How is black-and-white film developed?",
    "First put the film into the fixer, after that into the stop bath, and last of all into the developer.",
    (
        order(
            *("film-order", Category.ORDER, CONTRADICTS, "developing film"),
            ("put it into the developer", "put it into the stop bath", "put it into the fixer"),
        ),
    ),
)

MITOSIS = Passage(
    "In what order do the phases of mitosis follow one another?",
    "Mitosis starts with anaphase, goes on with metaphase and then prophase, and ends with telophase.",
    (
        order(
            *("mitosis-order", Category.ORDER, CONTRADICTS, "mitosis"),
            ("prophase", "metaphase", "anaphase", "telophase"),
        ),
    ),
)

GLASS = Passage(
    "How is a glass vase blown?",
    "Murano, an island near Venice, has been known for its glass since 1291. The glass is gathered from the furnace on "
    "the end of a pipe.",
    (
        order(
            *("glass-order", Category.ORDER, MISSING, "blowing a vase"),
            ("gather the glass from the furnace", "blow it", "shape it with tools", "let it cool slowly"),
        ),
    ),
)

LISTS = (RINGS, GARAM_MASALA, ORCHESTRA, GLUTEN, MAMMALS, TOFU, EGG, ENGINE, FILM, MITOSIS, GLASS)
