"""The one image gate: every picture that is viewed, imported or judged passes it, and comes out as upright RGB bytes.

Bytes are checked before they are decoded (size, kind, declared pixels, a missing end), and a picture that cannot be had
whole is refused in a sentence. Which library reads a format is formats.py's, how pixels become RGB is pixels.py's.
"""

import hashlib
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path

from PIL import Image

from models.errors import GamutError
from models.media import formats, pixels


class ImageRefused(GamutError):
    """The picture is not taken; nothing of it was used."""


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """What the gate takes at most: pixels (width times height, before anything is decoded) and bytes of the file.

    WebP and GIF stay below 178,956,970 pixels whatever is set here: their reader has that ceiling of its own.
    """

    max_pixels: int = 100_000_000
    max_bytes: int = 100_000_000


LIMITS = ImageLimits()
THUMBNAIL_SIDE = 256


@dataclass(frozen=True, slots=True)
class GatedImage:
    """A picture that passed: upright, sRGB, 8 bits a channel.

    sha256: of the original bytes. pixel_sha256: of the upright pixels and their dimensions, so two files that show the
    same share it. mime: what the bytes are, whatever the file's name says. width, height: in pixels, upright.
    rgb: height * width * 3 bytes, row by row, no padding. notes: a sentence for each thing that the pixels alone do not
    tell (a first frame, a page, a flattened transparency, a scaled depth, a foreign colour profile, a reduction).
    """

    sha256: str
    pixel_sha256: str
    mime: str
    width: int
    height: int
    rgb: bytes = field(repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A small copy for lists: encoded bytes with their mime type, at most 256 pixels a side, upright."""

    data: bytes = field(repr=False)
    mime: str
    width: int
    height: int


def read_file(path: Path | str, limits: ImageLimits = LIMITS) -> bytes:
    """The bytes of a picture file, never more than `limits.max_bytes`; raises ImageRefused."""
    path = Path(path)
    name = _printable(path.name or str(path))
    try:
        if path.is_dir():
            raise ImageRefused(f"'{name}' is a folder, not a picture.", "Choose a picture file inside it.")
        if not path.exists():
            raise ImageRefused(
                f"There is no file '{_printable(str(path))}'.", "Check its name and place, or choose the picture again."
            )
        if not path.is_file():
            raise ImageRefused(f"'{name}' is not an ordinary file.", "Save the picture as a file and choose that one.")
        _check_bytes(path.stat().st_size, limits, _called(name))
        with path.open("rb") as file:
            data = file.read(limits.max_bytes + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "its name cannot be used"
        raise ImageRefused(
            f"The file '{name}' cannot be read: {why}.", "Check that you may open it and that its disk is connected."
        ) from error
    _check_bytes(len(data), limits, _called(name))
    return data


def open_image(path: Path | str, limits: ImageLimits = LIMITS) -> GatedImage:
    """Read and decode a picture file; raises ImageRefused, naming the file."""
    return decode(read_file(path, limits), limits, name=Path(path).name)


def decode(data: bytes, limits: ImageLimits = LIMITS, *, name: str | None = None) -> GatedImage:
    """Decode a picture's bytes into upright RGB, or raise ImageRefused; `name` is what its sentences call the picture.

    Nothing is downscaled and nothing is repaired. Pixels are counted from the header, before memory is taken for them.
    """
    called = _called(name)
    _check_bytes(len(data), limits, called)
    kind = formats.sniff(data)
    if kind is None:
        raise ImageRefused(
            f"{called} is not an image that Gamut reads.",
            "Save it as PNG or JPEG and use that; WebP, GIF, TIFF, BMP, HEIC and AVIF are read too.",
        )
    declared = formats.declared_size(kind, data)
    if declared is not None:
        _check_pixels(*declared, limits, called)
    if formats.is_cut_off(kind, data):
        raise _cut_off(called)
    pixels.hush_pillow()
    notes: list[str] = []
    try:
        with formats.READERS[kind](BytesIO(data)) as image:
            _check_pixels(*image.size, limits, called)
            notes += formats.more_than_one(kind, image, data)
            image.load()
            _check_pixels(*image.size, limits, called)
            upright = pixels.upright_rgb(image, notes)
    except ImageRefused:
        raise
    except formats.CutOff:
        raise _cut_off(called) from None
    except Image.DecompressionBombError as error:
        raise ImageRefused(
            f"{called} holds a frame far larger than the {_megapixels(limits.max_pixels)} that are taken.",
            "Save a smaller copy of it in a picture editor and use that one.",
        ) from error
    except MemoryError as error:
        raise ImageRefused(
            f"{called} does not fit into this computer's free memory.", "Close other programs, or use a smaller copy."
        ) from error
    except Exception as error:  # decoders raise SyntaxError, KeyError, struct.error, ... for bytes that break them
        if formats.says_cut_off(error):
            raise _cut_off(called) from error
        raise ImageRefused(
            f"{called} is damaged, or of a kind of {kind} that cannot be decoded.",
            "Open it in a picture editor, save it as PNG and use that copy.",
        ) from error
    return _gated(upright, hashlib.sha256(data).hexdigest(), formats.MIMES[kind], tuple(notes))


def thumbnail(image: GatedImage, side: int = THUMBNAIL_SIDE) -> Thumbnail:
    """A JPEG that fits into side x side pixels, never enlarged; the same pixels give the same bytes."""
    small = _as_pillow(image)
    small.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=3.0)
    out = BytesIO()
    small.save(out, "JPEG", quality=90, subsampling=0)
    return Thumbnail(out.getvalue(), "image/jpeg", small.width, small.height)


def fit(image: GatedImage, max_side: int) -> tuple[GatedImage, str | None]:
    """The picture with no side above `max_side` pixels, and the sentence that says it was made smaller, or None.

    The sentence is among the new picture's notes too. `sha256` stays that of the original bytes.
    """
    if max(image.width, image.height) <= max_side:
        return image, None
    scale = max_side / max(image.width, image.height)
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    small = _as_pillow(image).resize(size, Image.Resampling.LANCZOS)
    sentence = f"Reduced from {_size(image.width, image.height)} to {_size(*size)} pixels."
    return _gated(small, image.sha256, image.mime, (*image.notes, sentence)), sentence


def pixel_hash(width: int, height: int, rgb: bytes) -> str:
    """64 hex digits of sha256 over the dimensions and the upright RGB bytes."""
    digest = hashlib.sha256(f"rgb8 {width}x{height}\n".encode())
    digest.update(rgb)
    return digest.hexdigest()


def _gated(image: Image.Image, sha256: str, mime: str, notes: tuple[str, ...]) -> GatedImage:
    rgb = image.tobytes()
    gated = GatedImage(sha256, "", mime, image.width, image.height, rgb, notes)
    return replace(gated, pixel_sha256=pixel_hash(image.width, image.height, rgb))


def _as_pillow(image: GatedImage) -> Image.Image:
    return Image.frombytes("RGB", (image.width, image.height), image.rgb)


def _check_bytes(size: int, limits: ImageLimits, called: str) -> None:
    if size == 0:
        raise ImageRefused(f"{called} is empty (0 bytes).", "Copy or download it again from where it came from.")
    if size > limits.max_bytes:
        raise ImageRefused(
            f"{called} is {_bytes(size)}; at most {_bytes(limits.max_bytes)} are taken.",
            "Save a smaller copy of it in a picture editor and use that one.",
        )


def _check_pixels(width: int, height: int, limits: ImageLimits, called: str) -> None:
    if width <= 0 or height <= 0:
        raise ImageRefused(
            f"{called} has no pixels ({_size(width, height)}).", "Copy or export it again from where it came from."
        )
    if width * height > limits.max_pixels:
        raise ImageRefused(
            f"{called} is {_size(width, height)} pixels ({_megapixels(width * height)}); "
            f"at most {_megapixels(limits.max_pixels)} are taken.",
            "Save a smaller copy of it in a picture editor and use that one.",
        )


def _cut_off(called: str) -> ImageRefused:
    return ImageRefused(
        f"{called} is cut off: the end of its file is missing.", "Copy or download it again from where it came from."
    )


def _called(name: str | None) -> str:
    return f"The picture '{_printable(name)}'" if name else "This picture"


def _printable(name: str) -> str:
    """A file name that can be shown: undecodable bytes and control characters become '?'."""
    text = name.encode("utf-8", "replace").decode()
    return "".join(char if char.isprintable() else "?" for char in text)


def _size(width: int, height: int) -> str:
    return f"{width:,} x {height:,}"


def _megapixels(count: int) -> str:
    millions = count / 1e6
    return f"{millions:,.1f}".removesuffix(".0") + " megapixels" if millions >= 1 else f"{millions:.3g} megapixels"


def _bytes(count: int) -> str:
    for unit, factor in (("MB", 1e6), ("KB", 1e3)):
        if count >= factor:
            return f"{count / factor:,.1f}".removesuffix(".0") + f" {unit}"
    return f"{count} bytes"
