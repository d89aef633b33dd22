"""From whatever a reader gives to upright 8-bit sRGB: depth, colour space, colour profile, transparency, turn.

Every choice that the pixels alone do not tell is added to the notes as a sentence. Opening files is formats.py's.
"""

import logging
import struct
import warnings
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

_ORIENTATION = 0x0112
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_SIXTEEN_BIT = {"I;16": "<u2", "I;16L": "<u2", "I;16B": ">u2", "I;16N": "=u2"}
_PHOTOMETRIC, _WHITE_IS_ZERO = 262, 0  # of TIFF, which Pillow follows only up to 8 bits
_BROKEN_EXIF = (SyntaxError, ValueError, TypeError, LookupError, OSError, EOFError, AttributeError, struct.error)


def hush_pillow() -> None:
    """Keep Pillow's warnings and log lines off stderr: what matters of them is refused or noted.

    `warnings.catch_warnings` would not do: it swaps process-wide state under the feet of other threads.
    """
    warnings.filterwarnings("ignore", category=UserWarning, module=r"(PIL|pillow_heif)\.")
    warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
    logging.getLogger("PIL").setLevel(logging.CRITICAL)


def upright_rgb(image: Image.Image, notes: list[str]) -> Image.Image:
    """The loaded picture as upright RGB; sentences about what was decided on the way are added to `notes`."""
    turn = _turn(image, notes)
    flat = _eight_bits(image, notes)
    colour, alpha = _split(flat)
    rgb = _to_srgb(colour, image.info.get("icc_profile"), notes)
    if alpha is not None and alpha.getextrema() != (255, 255):
        white = Image.new("RGB", rgb.size, "white")
        white.paste(rgb, mask=alpha)
        rgb = white
        notes.append("Its transparent parts are shown on white.")
    return rgb if turn is None else rgb.transpose(turn)


def _turn(image: Image.Image, notes: list[str]) -> Image.Transpose | None:
    """How to turn it upright, by its EXIF or XMP orientation.

    The table is that of ImageOps.exif_transpose, which also rewrites the EXIF block, and so fails on blocks that can
    be read but not rewritten. A HEIC is turned by its own reader: its container rules, not its EXIF block (MIAF).
    """
    if image.format == "HEIF":
        return None
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except _BROKEN_EXIF:  # the pixels are sound all the same
        notes.append("Its EXIF data are damaged, so it is shown the way it is stored.")
        return None
    return _TURNS.get(value) if isinstance(value, int) else None


def _eight_bits(image: Image.Image, notes: list[str]) -> Image.Image:
    """A mode of 8 bits a channel; grey of 16 or 32 bits and floats are scaled, never clipped."""
    if image.mode in _SIXTEEN_BIT:
        stored = np.frombuffer(image.tobytes(), dtype=_SIXTEEN_BIT[image.mode])
        grey = ((stored.astype(np.uint32) * 255 + 32767) // 65535).astype(np.uint8)
        notes.append("Its 16-bit grey values were scaled to 8 bits.")
    elif image.mode in ("I", "F"):
        stored = np.asarray(image).ravel()
        grey = _scaled(stored.astype(np.float64), image.mode == "F", notes)
    elif image.mode == "1":
        return image.convert("LA" if image.has_transparency_data else "L")
    else:
        return image
    tags = getattr(image, "tag_v2", {})
    if tags.get(_PHOTOMETRIC) == _WHITE_IS_ZERO:
        grey = 255 - grey
    flat = Image.frombytes("L", image.size, grey.tobytes())
    key = image.info.get("transparency")
    if isinstance(key, int):
        flat.putalpha(Image.frombytes("L", image.size, np.where(stored == key, 0, 255).astype(np.uint8).tobytes()))
    return flat


def _scaled(values: NDArray[np.float64], is_float: bool, notes: list[str]) -> NDArray[np.uint8]:
    """0..255 of values whose range the file does not state: a usual full scale that holds them all, else their own."""
    finite = np.isfinite(values)
    if not finite.all():
        notes.append("Pixels that are not a finite number are shown black.")
    inside = values[finite]
    low, high = (float(inside.min()), float(inside.max())) if inside.size else (0.0, 0.0)
    scales = (1.0, 255.0) if is_float else (255.0, 65535.0)
    full = next((scale for scale in scales if low >= 0 and high <= scale), None)
    if full is None:
        bottom, span = low, (high - low) or 1.0
        notes.append(f"Its values run from {low:.6g} to {high:.6g}; they were stretched over black to white.")
    else:
        bottom, span = 0.0, full
        notes.append(f"Its {'floating-point' if is_float else '32-bit'} grey values were scaled to 8 bits.")
    scaled = np.zeros(values.shape, dtype=np.uint8)
    scaled[finite] = np.rint((inside - bottom) / span * 255)
    return scaled


def _split(image: Image.Image) -> tuple[Image.Image, Image.Image | None]:
    """The picture without transparency, and its alpha channel if it has one."""
    if image.mode in ("La", "RGBa"):
        image = image.convert("LA" if image.mode == "La" else "RGBA")
    elif image.mode in ("P", "PA"):
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    elif image.mode in ("L", "RGB") and image.has_transparency_data:
        image = image.convert("LA" if image.mode == "L" else "RGBA")
    if image.mode not in ("LA", "RGBA"):
        return image, None
    alpha = image.getchannel("A")
    return image.convert("L" if image.mode == "LA" else "RGB"), alpha


def _to_srgb(image: Image.Image, icc: bytes | None, notes: list[str]) -> Image.Image:
    """RGB, through the picture's own colour profile where it has one that suits its pixels."""
    if icc:
        try:
            return _through(ImageCms.ImageCmsProfile(BytesIO(icc)), image, notes)
        except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
            notes.append("Its colour profile cannot be used, so its colours are taken as sRGB.")
    if image.mode == "CMYK":
        notes.append("Its CMYK colours were converted without a colour profile and are approximate.")
    return image.convert("RGB")


def _through(profile: ImageCms.ImageCmsProfile, image: Image.Image, notes: list[str]) -> Image.Image:
    space = profile.profile.xcolor_space.strip()
    if space == "RGB" and image.mode != "CMYK":
        image = image.convert("RGB")
    if {"RGB": "RGB", "GRAY": "L", "CMYK": "CMYK", "Lab": "LAB"}.get(space) != image.mode:
        raise ValueError(f"a {space} profile on {image.mode} pixels")
    srgb = ImageCms.createProfile("sRGB")
    converted = ImageCms.profileToProfile(image, profile, srgb, outputMode="RGB")
    if converted is None:
        raise ValueError("no picture came back")
    name = " ".join(ImageCms.getProfileDescription(profile).split())[:60]
    if "sRGB" not in name:
        notes.append(f"Its colours were converted to sRGB from its own profile ({name or 'unnamed'}).")
    return converted
