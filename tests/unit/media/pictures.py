"""Pictures, good and bad, that the gate's tests make for themselves."""

import struct
import zlib
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

EXIF_ORIENTATION = 0x0112
PHOTO = np.random.default_rng(7).integers(0, 256, (24, 32, 3), dtype=np.uint8)


def photo() -> Image.Image:
    """32 x 24 pixels of noise: no two places look alike, and nothing compresses away."""
    return Image.fromarray(PHOTO)


def wedge() -> Image.Image:
    """24 x 16 pixels whose four corners differ, smooth enough to survive lossy formats."""
    y, x = np.mgrid[0:16, 0:24]
    return Image.fromarray(np.stack([x * 10, y * 15, np.full_like(x, 60)], axis=-1).astype(np.uint8))


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    """The picture's bytes in a Pillow format."""
    if kind == "HEIF":
        from pillow_heif import register_heif_opener

        register_heif_opener()
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def turned(image: Image.Image, orientation: int, kind: str, **options: Any) -> bytes:
    """The picture as stored by a camera that was held so that `orientation` turns it back."""
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = orientation
    back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # Image.Transpose of the inverse turn
    stored = image if orientation == 1 else image.transpose(Image.Transpose(back[orientation]))
    return encoded(stored, kind, exif=exif.tobytes(), **options)


def chunk(name: bytes, content: bytes) -> bytes:
    """One PNG chunk with its checksum."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png_claiming(width: int, height: int) -> bytes:
    """A small, whole PNG whose header claims these dimensions (8-bit RGB)."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


def gif_claiming(width: int, height: int) -> bytes:
    """A GIF of one frame, two colours, whose screen claims these dimensions."""
    screen = struct.pack("<HHBBB", width, height, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    return b"GIF89a" + screen + frame + b"\x3b"


def bmp_claiming(width: int, height: int) -> bytes:
    """A BMP whose header claims these dimensions (24-bit)."""
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 154, 0, 0, 54) + info + b"\0" * 100


def webp_claiming(width: int, height: int) -> bytes:
    """An extended WebP whose canvas claims these dimensions."""
    canvas = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\0\0\0\0" + canvas
    return b"RIFF" + struct.pack("<I", len(body)) + body


def gray16_png(values: np.ndarray[Any, Any], *extra: bytes) -> bytes:
    """A 16-bit grey PNG of these values (rows, columns), with further chunks before its pixels."""
    height, width = values.shape
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(extra) + pixels + chunk(b"IEND", b"")
