"""Drawing the pictures of the scenes: PNG bytes made in memory, through the one image gate."""

from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw

from judge_local.port import Picture
from judge_local.preflight.scenes import Drawing
from models.media.gate import decode

SIDE = 256  # pixels; every picture is a square
GROUND, GREY = (245, 245, 240), (128, 128, 128)


def picture(drawing: Drawing | None) -> Picture:
    """The drawing as a judge gets it, through the one image gate; None: a plain grey picture of the same size."""
    pixels = np.full((SIDE, SIDE, 3), GREY if drawing is None else GROUND, dtype=np.uint8)
    image = Image.fromarray(pixels)
    if drawing is not None:
        _draw(ImageDraw.Draw(image), drawing)
    encoded = BytesIO()
    image.save(encoded, "PNG")
    gated = decode(encoded.getvalue(), name="preflight picture")
    return Picture(gated.sha256, gated.width, gated.height, gated.rgb)


def _draw(on: ImageDraw.ImageDraw, drawing: Drawing) -> None:
    cell = SIDE / drawing.count
    radius = 0.4 * cell
    for number in range(drawing.count):
        x, y = (number + 0.5) * cell, SIDE / 2
        box = (x - radius, y - radius, x + radius, y + radius)
        if drawing.shape == "circle":
            on.ellipse(box, fill=drawing.colour)
        elif drawing.shape == "square":
            on.rectangle(box, fill=drawing.colour)
        else:
            on.polygon([(x, y - radius), (x - radius, y + radius), (x + radius, y + radius)], fill=drawing.colour)
