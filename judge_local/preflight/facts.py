"""Canned items about single facts, links and insights. Each true verdict follows from the words of the response alone.

Partially meets is earned the one way that the rule names: the response gives the genus where the check asks for the
species.
"""

from judge_local.preflight.items import (
    CONTRADICTS,
    MEETS,
    MISSING,
    PARTIALLY,
    Category,
    Passage,
    fact,
    insight,
    relation,
)

NEST = Passage(
    "Which animal built this nest, and where is it?",
    "A bird of prey built it. The nest is a pile of sticks in the crown of a dead pine, 20 metres above the ground, "
    "and it has been used for nine summers in a row.",
    (
        fact("nest-osprey", Category.PRESENCE, PARTIALLY, "The nest was built by an osprey"),
        fact("nest-pine", Category.PRESENCE, MEETS, "The nest is in a dead pine"),
        fact("nest-height", Category.NUMBERS, CONTRADICTS, "The nest is about 2 metres above the ground"),
    ),
)

TOWER = Passage(
    "What should a visitor know about the Eiffel Tower?",
    "The Eiffel Tower is an open metal lattice, put up in the late 1880s for a world's fair. Its tip is 330 metres "
    "above the ground. There was a plan to pull it down after twenty years, but that was never done.",
    (
        fact("tower-year", Category.NUMBERS, PARTIALLY, "The Eiffel Tower was finished in 1889"),
        fact("tower-unit", Category.NUMBERS, MEETS, "The tip of the Eiffel Tower is 0.33 kilometres above the ground"),
        fact("tower-gone", Category.NEGATION, CONTRADICTS, "The Eiffel Tower was pulled down after twenty years"),
        fact("tower-paint", Category.ABSENCE, MISSING, "The Eiffel Tower is repainted every seven years"),
    ),
)

SHIP = Passage(
    "What happened to the ship on its first crossing?",
    "The vessel hit an iceberg at night and went down in less than three hours. Two out of three people on board lost "
    "their lives.",
    (
        fact("ship-sank", Category.PARAPHRASE, MEETS, "The ship sank"),
        fact("ship-collision", Category.CONTRADICTION, CONTRADICTS, "The ship was lost without hitting anything"),
    ),
)

TIDES = Passage(
    "How are the Moon and the tides connected?",
    "The Moon's gravity pulls the oceans into two bulges. The Earth turns under them, so most coasts have two high "
    "tides a day. At certain phases of the Moon the high tides are higher than usual.",
    (
        relation(
            "tides-cause", Category.PRESENCE, MEETS, "the Moon", "the tides", "the Moon's gravity raises the tides"
        ),
        relation(
            *("tides-phases", Category.PRESENCE, PARTIALLY, "the Moon", "the tides"),
            "high tides are highest at full moon and at new moon",
        ),
        relation(
            *("tides-brake", Category.ABSENCE, MISSING, "the Moon", "the tides"),
            "friction of the tides makes the Moon move away from the Earth",
        ),
        relation(
            *("tides-once", Category.CONTRADICTION, CONTRADICTS, "the Moon", "the tides"),
            "most coasts have a single high tide a day",
        ),
    ),
)

MONET = Passage(
    "How did Monet's eyesight change his painting?",
    "In his later years Monet suffered from a disease of the eyes. As it got worse, reds and browns crept into his "
    "canvases and outlines dissolved. After an operation in 1923 he could see blue again and repainted several works.",
    (
        relation(
            *("monet-warm", Category.PARAPHRASE, MEETS, "Monet's eyesight", "his painting"),
            "his failing sight made his colours warmer",
        ),
        relation(
            *("monet-cataract", Category.PRESENCE, PARTIALLY, "Monet's eyesight", "his painting"),
            "cataracts clouded his sight in his later years",
        ),
        relation(
            *("monet-operation", Category.NEGATION, CONTRADICTS, "Monet's eyesight", "his painting"),
            "he never had his eyes operated on",
        ),
        relation(
            *("monet-tubes", Category.ABSENCE, MISSING, "Monet's eyesight", "his painting"),
            "he labelled his tubes of paint to know the colours",
        ),
    ),
)

PENICILLIN = Passage(
    "What does the discovery of penicillin show about how medicines come about?",
    "Fleming saw by chance that a mould had killed the bacteria in a dish he had forgotten. Little came of it for ten "
    "years, until Florey, Chain and a large team learned to purify the substance; outside events then hurried the work "
    "along. A lucky find was the start, but years of work by many people made the medicine.",
    (
        insight(
            *("penicillin-team", Category.PARAPHRASE, MEETS, "the discovery of penicillin"),
            "luck began it, and a long common effort turned it into a drug",
        ),
        insight(
            *("penicillin-war", Category.PRESENCE, PARTIALLY, "the discovery of penicillin"),
            "the Second World War hurried the work along",
        ),
        insight(
            *("penicillin-alone", Category.CONTRADICTION, CONTRADICTS, "the discovery of penicillin"),
            "one researcher brought it from the dish to the medicine all alone",
        ),
        insight(
            *("penicillin-resistance", Category.ABSENCE, MISSING, "the discovery of penicillin"),
            "bacteria become resistant where a drug is used too often",
        ),
    ),
)

CHEESE = Passage(
    "What do the steps of making a hard cheese have in common?",
    "Cutting, warming, pressing and salting all serve one purpose: each step removes something from the curd. None of "
    "them can be left out.",
    (
        insight(
            *("cheese-water", Category.PRESENCE, PARTIALLY, "making hard cheese"),
            "each step takes water out of the curd",
        ),
        insight(*("cheese-purpose", Category.PRESENCE, MEETS, "making hard cheese"), "all steps have the same purpose"),
        insight(
            *("cheese-skip", Category.NEGATION, CONTRADICTS, "making hard cheese"), "some of the steps may be skipped"
        ),
        insight(
            *("cheese-winter", Category.ABSENCE, MISSING, "making hard cheese"),
            "cheese was a way to keep milk through the winter",
        ),
    ),
)

FACTS = (NEST, TOWER, SHIP, TIDES, MONET, PENICILLIN, CHEESE)
