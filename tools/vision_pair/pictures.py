"""Draws what the tests' vision judge is shown: one to three flat shapes of one colour on a light ground.

A scene is a description with a seed; the same scene is the same bytes at the same size. numpy alone, no torch.
"""

import hashlib
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from judge_local.port import Picture

SIDE = 64
COLOURS = {
    "red": (214, 38, 38),
    "green": (36, 160, 60),
    "blue": (44, 76, 214),
    "yellow": (236, 196, 32),
    "purple": (150, 44, 176),
}
SHAPES = ("circle", "square", "triangle")
ODD_SHAPES = ("diamond", "bar", "pole", "ring")  # never asked about: they teach that a colour is one on any shape
COUNTS = ("one", "two", "three")
POSITIONS = {"left": (0.27, 0.5), "right": (0.73, 0.5), "top": (0.5, 0.27), "bottom": (0.5, 0.73)}

NEAR = 80  # of two colours, the sum of differences over red, green and blue
# Never drawn in training: that such a picture is read right shows that colour and shape were learnt apart.
HELD_OUT = frozenset({("green", "triangle"), ("purple", "circle")})


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture shows. count: 1..3; position: a key of POSITIONS, None where there are several shapes.

    seed: moves, resizes and tints a little, without changing any of the above.
    """

    colour: str
    shape: str
    count: int = 1
    position: str | None = None
    seed: int = 0

    @property
    def held_out(self) -> bool:
        return (self.colour, self.shape) in HELD_OUT


def random_scene(rng: Random, held_out: bool = False, single: bool = False) -> Scene:
    """A scene with a colour and shape that training may show, or (`held_out`) one that it may not."""
    pairs = sorted((c, s) for c in COLOURS for s in SHAPES if ((c, s) in HELD_OUT) == held_out)
    colour, shape = rng.choice(pairs)
    count = 1 if single or rng.random() < 0.5 else rng.choice((2, 3))
    position = rng.choice(sorted(POSITIONS)) if count == 1 else None
    return Scene(colour, shape, count, position, rng.randrange(1 << 30))


def draw(scene: Scene, side: int = SIDE, paint: tuple[int, int, int] | None = None) -> NDArray[np.uint8]:
    """RGB, (side, side, 3), with soft edges; lengths scale with `side`, so another size shows the same scene.

    paint: an RGB colour in place of the scene's own.
    """
    rng = Random(scene.seed)
    ground = 226 + rng.random() * 20 + np.array([rng.uniform(-6, 6) for _ in range(3)])
    colour = np.array(paint or COLOURS[scene.colour]) + np.array([rng.uniform(-12, 12) for _ in range(3)])
    centres, radius = _layout(scene, rng)
    steps = (np.arange(side) + 0.5) / side
    x, y = np.meshgrid(steps, steps)
    cover = np.zeros((side, side))
    for cx, cy in centres:
        inside = _inside(scene.shape, x - cx, y - cy, radius)
        cover = np.maximum(cover, np.clip(inside * side + 0.5, 0, 1))
    rgb = ground + cover[..., None] * (colour - ground)
    pixels: NDArray[np.uint8] = np.clip(np.rint(rgb), 0, 255).astype(np.uint8)
    return pixels


def odd_paint(rng: Random, shape: str) -> tuple[int, int, int]:
    """Any not too light colour but one that is held out for that shape, or close to it."""
    while True:
        paint = (rng.randrange(200), rng.randrange(200), rng.randrange(200))
        near = [
            c
            for c, s in HELD_OUT
            if s == shape and sum(abs(a - b) for a, b in zip(COLOURS[c], paint, strict=True)) < NEAR
        ]
        if not near:
            return paint


def picture(scene: Scene, side: int = SIDE) -> Picture:
    """The scene as the judge gets it."""
    return as_picture(draw(scene, side))


def grey_picture(side: int = SIDE) -> Picture:
    """A picture that shows nothing."""
    return as_picture(np.full((side, side, 3), 128, np.uint8))


def as_picture(rgb: NDArray[np.uint8]) -> Picture:
    """Any (height, width, 3) pixels as the judge gets them."""
    raw = np.ascontiguousarray(rgb).tobytes()
    return Picture(hashlib.sha256(repr(rgb.shape).encode() + raw).hexdigest(), rgb.shape[1], rgb.shape[0], raw)


def _layout(scene: Scene, rng: Random) -> tuple[list[tuple[float, float]], float]:
    """Centres and radius, as shares of the side."""
    if scene.position is not None:
        x, y = POSITIONS[scene.position]
        return [(x + rng.uniform(-0.04, 0.04), y + rng.uniform(-0.04, 0.04))], rng.uniform(0.17, 0.22)
    if scene.count == 1:
        return [(rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7))], rng.uniform(0.17, 0.22)
    radius = rng.uniform(0.125, 0.15)
    while True:
        centres = [(rng.uniform(0.17, 0.83), rng.uniform(0.17, 0.83)) for _ in range(scene.count)]
        pairs = [(a, b) for i, a in enumerate(centres) for b in centres[:i]]
        if all((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 > (2.5 * radius) ** 2 for a, b in pairs):
            return centres, radius


def _inside(shape: str, x: NDArray[np.float64], y: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """How far inside a shape around the origin each point lies, as a share of the side; negative outside."""
    inside: NDArray[np.float64]
    if shape == "circle":
        inside = radius - np.hypot(x, y)
    elif shape == "square":
        inside = 0.88 * radius - np.maximum(abs(x), abs(y))
    elif shape == "diamond":
        inside = (radius - abs(x) - abs(y)) / np.sqrt(2)
    elif shape in ("bar", "pole"):
        long, short = (x, y) if shape == "bar" else (y, x)
        inside = np.minimum(radius - abs(long), 0.4 * radius - abs(short))
    elif shape == "ring":
        inside = 0.3 * radius - abs(np.hypot(x, y) - 0.7 * radius)
    else:
        slanted = (radius + y - 1.75 * abs(x)) / np.hypot(1, 1.75)
        inside = np.minimum(slanted, 0.8 * radius - y)
    return inside
