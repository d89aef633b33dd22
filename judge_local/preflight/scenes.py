"""Picture items: asked of a judge that sees, and asked again with a wrong and with an empty picture.

A scene is one large plain shape, or some, on a light ground; drawing.py draws it. Its response is true of its own
picture and false of the wrong one, so a judge that looks must say meets to the one and contradicts to the other. A
judge that does not look says the same to both.
"""

from dataclasses import dataclass

from judge_local.preflight.items import MEETS, Category, Item, fact

RED, BLUE, GREEN, BLACK = (210, 30, 40), (30, 70, 200), (20, 140, 60), (20, 20, 20)


@dataclass(frozen=True, slots=True)
class Drawing:
    """`count` equal shapes in one colour (RGB, 0..255), side by side. shape: circle, square or triangle."""

    shape: str
    colour: tuple[int, int, int]
    count: int = 1


@dataclass(frozen=True, slots=True)
class Scene:
    """A question about a picture with its canned response. `right`, `wrong`: the response is true, false of it."""

    question: str
    response: str
    item: Item
    right: Drawing
    wrong: Drawing


def _item(id: str, asked: str) -> Item:
    return fact(id, Category.PICTURE, MEETS, asked)


SCENES = (
    Scene(
        "What colour is the shape in the picture?",
        "The shape in the picture is red.",
        _item("picture-red", "The colour that the shape in the picture has"),
        Drawing("circle", RED),
        Drawing("circle", BLUE),
    ),
    Scene(
        "What colour is the square in the picture?",
        "It is a blue square.",
        _item("picture-blue", "The colour that the square in the picture has"),
        Drawing("square", BLUE),
        Drawing("square", GREEN),
    ),
    Scene(
        "Which shape does the picture show?",
        "The picture shows a triangle.",
        _item("picture-shape", "Which shape is in the picture"),
        Drawing("triangle", GREEN),
        Drawing("circle", GREEN),
    ),
    Scene(
        "How many shapes are there in the picture?",
        "There are two of them.",
        _item("picture-count", "The number of shapes that the picture shows"),
        Drawing("circle", BLACK, 2),
        Drawing("circle", BLACK, 1),
    ),
)
