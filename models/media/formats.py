"""The picture formats that are read: how their bytes are told apart, which single reader each gets, where each ends.

Readers are called directly, not through Image.open: a format that is not in this table (EPS, PDF, ...) can never be
tried, and Pillow's registry and process-wide pixel limit stay untouched. Limits and sentences are the gate's.
"""

import struct
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

from PIL import (
    AvifImagePlugin,
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)


class CutOff(Exception):
    """The reader found that a part of the file which its header promises is not there."""


def _png(file: BytesIO) -> Image.Image:
    if not _png_is_sound(file.getbuffer()):
        raise ValueError("a critical chunk does not match its checksum")
    return PngImagePlugin.PngImageFile(file)


def _heif(file: BytesIO) -> Image.Image:
    from pillow_heif.as_plugin import HeifImageFile  # loaded when the first HEIC comes: it brings libheif

    image: Image.Image = HeifImageFile(file)
    return image


Reader = Callable[[BytesIO], Image.Image]
READERS: dict[str, Reader] = {
    "PNG": _png,
    "JPEG": JpegImagePlugin.JpegImageFile,
    "WebP": WebPImagePlugin.WebPImageFile,
    "GIF": GifImagePlugin.GifImageFile,
    "TIFF": TiffImagePlugin.TiffImageFile,
    "BMP": BmpImagePlugin.BmpImageFile,
    "HEIC": _heif,
    "AVIF": AvifImagePlugin.AvifImageFile,
}
MIMES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "WebP": "image/webp",
    "GIF": "image/gif",
    "TIFF": "image/tiff",
    "BMP": "image/bmp",
    "HEIC": "image/heic",
    "AVIF": "image/avif",
}
_MAGIC = {
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
    b"II+\0": "TIFF",
    b"MM\0+": "TIFF",
}
_BMP_HEADERS = {12, 40, 52, 56, 64, 108, 124}
_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
_AVIF_BRANDS = {b"avif", b"avis"}
_BOXES = {b"ftyp", b"meta", b"mdat", b"moov", b"moof", b"free", b"skip", b"uuid"}
_MOST_PAGES = 1000
_STRIPS, _TILES = (273, 279), (324, 325)  # TIFF tags: offsets and byte counts of a page's pixel data


def sniff(data: bytes) -> str | None:
    """The format's name by its first bytes (a key of READERS), or None; a file's name is never asked."""
    for magic, kind in _MAGIC.items():
        if data.startswith(magic):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data[:2] == b"BM" and len(data) >= 18 and struct.unpack_from("<I", data, 14)[0] in _BMP_HEADERS:
        return "BMP"
    if data[4:8] == b"ftyp" and len(data) >= 12:
        length = min(struct.unpack_from(">I", data)[0], 256)
        brands = {data[8:12], *(data[at : at + 4] for at in range(16, length, 4))}
        if brands & _AVIF_BRANDS:
            return "AVIF"
        if brands & _HEIC_BRANDS:
            return "HEIC"
    return None


def declared_size(kind: str, data: bytes) -> tuple[int, int] | None:
    """(width, height) as the header states it, for formats whose reader refuses or takes memory before it can be asked.

    None where the reader itself only looks at the header (JPEG, TIFF, HEIC, AVIF), or the header is not all there.
    """
    try:
        match kind:
            case "PNG":
                return _pair(">II", data, 16)
            case "GIF":
                return _pair("<HH", data, 6)
            case "BMP" if data[14] == 12:
                return _pair("<HH", data, 18)
            case "BMP":
                width, height = _pair("<ii", data, 18)
                return abs(width), abs(height)
            case "WebP":
                return _webp_size(data)
    except (struct.error, IndexError):
        return None
    return None


def _pair(layout: str, data: bytes, at: int) -> tuple[int, int]:
    first, second = struct.unpack_from(layout, data, at)
    return first, second


def _webp_size(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            bits = struct.unpack_from("<I", data, 21)[0]
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = _pair("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
    return None


def is_cut_off(kind: str, data: bytes) -> bool:
    """Whether the container's own structure says that bytes are missing at its end.

    Pillow notices missing pixels of the first frame by itself, but not a missing tail after them.
    """
    match kind:
        case "PNG":
            return not _png_ends(data)
        case "JPEG":
            return b"\xff\xd9" not in data
        case "GIF":
            return gif_frames(data) is None
        case "WebP":
            return len(data) < 12 or 8 + struct.unpack_from("<I", data, 4)[0] > len(data)
        case "HEIC" | "AVIF":
            return not _boxes_end(data)
        case "TIFF" if data[2] == 42 or data[3] == 42:
            return len(data) < 8 or struct.unpack_from("<I" if data[:1] == b"I" else ">I", data, 4)[0] >= len(data)
    return False


def _png_ends(data: bytes) -> bool:
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        name, end = data[at + 4 : at + 8], at + 12 + length
        if end > len(data):
            return False
        if name == b"IEND":
            return True
        at = end
    return False


def _png_is_sound(data: memoryview) -> bool:
    """Whether every critical chunk of a whole PNG matches its checksum; Pillow does not check those of the pixels."""
    at = 8
    while True:
        (length,) = struct.unpack_from(">I", data, at)
        name, end = bytes(data[at + 4 : at + 8]), at + 12 + length
        if name[:1].isupper() and zlib.crc32(data[at + 4 : end - 4]) != struct.unpack_from(">I", data, end - 4)[0]:
            return False
        if name == b"IEND":
            return True
        at = end


def gif_frames(data: bytes) -> int | None:
    """The number of frames of a GIF that reaches its trailer (GIF89a, appendix A), or None if it does not."""
    try:
        at = 13 + _colour_table(data[10])
        frames = 0
        while (block := data[at]) != 0x3B:
            if block == 0x2C:
                frames += 1
                at += 10 + _colour_table(data[at + 9]) + 1
            else:  # 0x21, an extension; anything else is skipped byte by byte, as Pillow does
                at += 2 if block == 0x21 else 1
                if block != 0x21:
                    continue
            while data[at]:
                at += data[at] + 1
            at += 1
    except IndexError:
        return None
    return frames


def _colour_table(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _boxes_end(data: bytes) -> bool:
    """Whether the top-level boxes (ISO/IEC 14496-12) end within the data; what cameras append after them is let be."""
    at = 0
    while at + 8 <= len(data) and data[at + 4 : at + 8] in _BOXES:
        (length,) = struct.unpack_from(">I", data, at)
        if length == 1 and at + 16 <= len(data):
            (length,) = struct.unpack_from(">Q", data, at + 8)
        elif length == 0:
            return True  # "up to the end of the file"
        if length < 8 or at + length > len(data):
            return False
        at += length
    return True


def more_than_one(kind: str, image: Image.Image, data: bytes) -> Iterator[str]:
    """A sentence if the file holds more than the picture that is taken; raises CutOff for a page that is not there."""
    match kind:
        case "TIFF":
            pages = _tiff_pages(image, len(data))
            if pages > 1:
                count = f"{pages:,}" if pages <= _MOST_PAGES else f"more than {_MOST_PAGES:,}"
                yield f"It has {count} pages; only the first is used."
        case "HEIC":
            pictures = getattr(image, "n_frames", 1)
            if pictures > 1:
                yield f"It holds {pictures:,} pictures; only the primary one is used."
        case _:
            frames = (gif_frames(data) or 1) if kind == "GIF" else getattr(image, "n_frames", 1)
            if frames > 1:
                yield f"It is animated ({frames:,} frames); only the first frame is used."


def _tiff_pages(image: Any, length: int) -> int:
    """The number of pages, up to _MOST_PAGES + 1, each of which was seen to lie within the file."""
    pages = 0
    while pages <= _MOST_PAGES:
        try:
            image.seek(pages)
        except EOFError:
            break
        except (TypeError, SyntaxError, struct.error) as error:
            raise CutOff from error
        pages += 1
        for offsets, counts in (_STRIPS, _TILES):
            places = zip(image.tag_v2.get(offsets, ()), image.tag_v2.get(counts, ()), strict=False)
            if any(offset + count > length for offset, count in places):
                raise CutOff
    image.seek(0)
    return pages


def says_cut_off(error: Exception) -> bool:
    """Whether a reader's error is about bytes that are not there."""
    words = str(error).lower()
    return isinstance(error, EOFError) or "truncated" in words or "unexpected end of file" in words
