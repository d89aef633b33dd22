"""What the gate does not take: every refusal is one sentence and a next step, and nothing else ever comes out."""

import os
import struct
import warnings
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFile

from models.media.gate import LIMITS, GatedImage, ImageLimits, ImageRefused, decode, open_image, read_file
from tests.unit.media import pictures

MORE = [pictures.photo().rotate(180), pictures.photo().transpose(Image.Transpose.FLIP_LEFT_RIGHT)]
ANIMATED = {"save_all": True, "append_images": MORE}
WHOLE = {
    "png": pictures.encoded(pictures.photo(), "PNG"),
    "apng": pictures.encoded(pictures.photo(), "PNG", **ANIMATED),
    "jpeg": pictures.encoded(pictures.photo(), "JPEG"),
    "jpeg-progressive": pictures.encoded(pictures.photo(), "JPEG", progressive=True),
    "jpeg-flat": pictures.encoded(Image.new("RGB", (64, 64), "red"), "JPEG"),
    "webp": pictures.encoded(pictures.photo(), "WEBP"),
    "webp-lossless": pictures.encoded(pictures.photo(), "WEBP", lossless=True),
    "webp-animated": pictures.encoded(pictures.photo(), "WEBP", **ANIMATED),
    "gif": pictures.encoded(pictures.photo(), "GIF"),
    "gif-animated": pictures.encoded(pictures.photo(), "GIF", **ANIMATED),
    "tiff": pictures.encoded(pictures.photo(), "TIFF"),
    "tiff-lzw": pictures.encoded(pictures.photo(), "TIFF", compression="tiff_lzw"),
    "bmp": pictures.encoded(pictures.photo(), "BMP"),
    "avif": pictures.encoded(pictures.photo(), "AVIF"),
    "heic": pictures.encoded(pictures.photo(), "HEIF"),
    "heic-several": pictures.encoded(pictures.photo(), "HEIF", **ANIMATED),
}
CUT = "This picture is cut off: the end of its file is missing. Copy or download it again from where it came from."
NO_IMAGE = (
    "This picture is not an image that Gamut reads. "
    "Save it as PNG or JPEG and use that; WebP, GIF, TIFF, BMP, HEIC and AVIF are read too."
)
SMALLER = "Save a smaller copy of it in a picture editor and use that one."


def refusal(data: bytes, limits: ImageLimits = LIMITS) -> str:
    with pytest.raises(ImageRefused) as caught:
        decode(data, limits)
    assert caught.value.sentence.endswith(".")
    assert caught.value.next_step.endswith(".")
    return str(caught.value)


def file_refusal(path: Path, limits: ImageLimits = LIMITS) -> str:
    with pytest.raises(ImageRefused) as caught:
        open_image(path, limits)
    return str(caught.value)


# Files ------------------------------------------------------------------------------------------------------------


def test_a_missing_file_is_named_with_its_place(tmp_path):
    path = tmp_path / "no such cup.png"
    assert file_refusal(path) == f"There is no file '{path}'. Check its name and place, or choose the picture again."


def test_a_folder_is_not_a_picture(tmp_path):
    assert file_refusal(tmp_path) == f"'{tmp_path.name}' is a folder, not a picture. Choose a picture file inside it."


def test_an_empty_file_is_refused_by_name(tmp_path):
    (tmp_path / "cup.png").write_bytes(b"")
    assert file_refusal(tmp_path / "cup.png") == (
        "The picture 'cup.png' is empty (0 bytes). Copy or download it again from where it came from."
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_without_being_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.png")
    assert file_refusal(tmp_path / "pipe.png") == (
        "'pipe.png' is not an ordinary file. Save the picture as a file and choose that one."
    )


def test_a_name_that_no_file_can_have_is_a_sentence_too():
    text = file_refusal(Path("cup\0.png"))
    assert "cup?.png" in text
    assert "\0" not in text


def test_a_file_that_may_not_be_read_says_why(tmp_path, monkeypatch):
    (tmp_path / "cup.png").write_bytes(WHOLE["png"])

    def denied(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    assert file_refusal(tmp_path / "cup.png") == (
        "The file 'cup.png' cannot be read: Permission denied. "
        "Check that you may open it and that its disk is connected."
    )


def test_too_many_bytes_are_refused_before_they_are_read(tmp_path, monkeypatch):
    with (tmp_path / "huge.png").open("wb") as file:
        file.truncate(130_000_000)  # sparse: nothing is written
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("the file was opened"))
    assert file_refusal(tmp_path / "huge.png") == (
        f"The picture 'huge.png' is 130 MB; at most 100 MB are taken. {SMALLER}"
    )


def test_the_limit_of_bytes_holds_for_bytes_in_memory_and_can_be_set():
    text = refusal(WHOLE["png"], ImageLimits(max_bytes=2_000))
    assert text == f"This picture is 2.4 KB; at most 2 KB are taken. {SMALLER}"
    assert decode(WHOLE["png"], ImageLimits(max_bytes=len(WHOLE["png"]))).width == 32


def test_a_file_at_the_limit_is_read_whole(tmp_path):
    (tmp_path / "cup.png").write_bytes(WHOLE["png"])
    assert read_file(tmp_path / "cup.png", ImageLimits(max_bytes=len(WHOLE["png"]))) == WHOLE["png"]


def test_a_path_with_spaces_and_foreign_letters_is_read_and_named(tmp_path):
    folder = tmp_path / "Bilder für Zoë"
    folder.mkdir()
    good, bad = folder / "чашка 咖啡.png", folder / "كوب قهوة.jpg"
    good.write_bytes(WHOLE["png"])
    bad.write_bytes(WHOLE["jpeg"][:500])
    assert open_image(good).rgb == pictures.PHOTO.tobytes()
    assert file_refusal(bad).startswith("The picture 'كوب قهوة.jpg' is cut off")


# Kinds ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"just words",
        b"BMW is a make of car, and this is a text about it",
        b"<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>",
        b"%PDF-1.7\n1 0 obj",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n",
        b"\0\0\1\0\1\0\x10\x10",
        pictures.encoded(pictures.photo(), "PPM"),
        pictures.encoded(pictures.photo(), "ICO"),
        pictures.encoded(pictures.photo(), "JPEG2000"),
        pictures.encoded(pictures.photo(), "EPS"),
        struct.pack(">I", 24) + b"ftypisom\0\0\0\0isommp42",
    ],
    ids=["text", "bm-text", "svg", "pdf", "ps", "ico-stub", "ppm", "ico", "jp2", "eps", "mp4"],
)
def test_what_is_not_an_image_of_ours_is_refused_whatever_its_name(data, tmp_path):
    assert refusal(data) == NO_IMAGE
    (tmp_path / "cup.png").write_bytes(data)
    assert file_refusal(tmp_path / "cup.png") == NO_IMAGE.replace("This picture", "The picture 'cup.png'")


def test_the_name_of_a_file_does_not_decide_what_it_is(tmp_path):
    (tmp_path / "cup.txt").write_bytes(WHOLE["png"])
    assert open_image(tmp_path / "cup.txt").mime == "image/png"


# Pixels -----------------------------------------------------------------------------------------------------------


def test_a_bomb_is_refused_by_its_header_alone():
    assert refusal(pictures.png_claiming(41_000, 30_000)) == (
        f"This picture is 41,000 x 30,000 pixels (1,230 megapixels); at most 100 megapixels are taken. {SMALLER}"
    )


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (pictures.png_claiming(100_000, 100_000), "100,000 x 100,000"),
        (pictures.gif_claiming(65_535, 65_535), "65,535 x 65,535"),
        (pictures.bmp_claiming(100_000, 100_000), "100,000 x 100,000"),
        (pictures.bmp_claiming(100_000, -100_000), "100,000 x 100,000"),
        (pictures.webp_claiming(16_383, 16_383), "16,383 x 16,383"),
    ],
    ids=["png", "gif", "bmp", "bmp-top-down", "webp"],
)
def test_every_format_counts_pixels_before_it_decodes(data, size, monkeypatch):
    monkeypatch.setattr(Image.core, "new", lambda *_: pytest.fail("memory was taken"))
    assert refusal(data).startswith(f"This picture is {size} pixels (")


@pytest.mark.parametrize("kind", ["JPEG", "TIFF", "AVIF", "HEIF", "WEBP", "GIF"])
def test_the_limit_of_pixels_can_be_set_and_is_inclusive(kind):
    data = pictures.encoded(pictures.photo(), kind)
    assert decode(data, ImageLimits(max_pixels=32 * 24)).width == 32
    assert refusal(data, ImageLimits(max_pixels=32 * 24 - 1)) == (
        f"This picture is 32 x 24 pixels (0.000768 megapixels); at most 0.000767 megapixels are taken. {SMALLER}"
    )


def test_a_frame_larger_than_its_gif_is_refused():
    small_screen = pictures.gif_claiming(1, 1)
    frame = small_screen.index(b"\x2c") + 5
    data = small_screen[:frame] + struct.pack("<HH", 65_535, 65_535) + small_screen[frame + 4 :]
    assert refusal(data) == (f"This picture holds a frame far larger than the 100 megapixels that are taken. {SMALLER}")


@pytest.mark.parametrize(
    "data", [pictures.png_claiming(0, 5), pictures.gif_claiming(0, 5), pictures.bmp_claiming(0, 5)]
)
def test_a_picture_without_pixels_is_refused(data):
    assert refusal(data) == "This picture has no pixels (0 x 5). Copy or export it again from where it came from."


def test_a_lack_of_memory_is_told_as_such(monkeypatch):
    def no_memory(*_args):
        raise MemoryError

    monkeypatch.setattr(ImageFile.ImageFile, "load", no_memory)
    assert refusal(WHOLE["png"]) == (
        "This picture does not fit into this computer's free memory. Close other programs, or use a smaller copy."
    )


# Damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WHOLE)
def test_a_picture_that_lost_its_end_is_never_taken(name):
    data = WHOLE[name]
    cuts = {*range(0, len(data), max(1, len(data) // 60)), *range(len(data) - 12, len(data))}
    texts = {cut: refusal(data[:cut]) for cut in cuts}
    assert len(texts) == len(cuts)
    if name not in {"tiff", "tiff-lzw"}:  # a TIFF's directory may be cut anywhere, and is then called damaged
        assert texts[max(cuts)] == CUT
        assert texts[len(data) - 12] == CUT


def test_a_later_page_that_is_missing_is_not_overlooked():
    data = pictures.encoded(pictures.photo(), "TIFF", **ANIMATED)
    assert decode(data).notes == ("It has 3 pages; only the first is used.",)
    for share in (0.3, 0.5, 0.9, 0.99):
        assert refusal(data[: int(len(data) * share)]) == CUT


def test_truncated_pictures_stay_refused_because_pillow_is_not_told_to_load_them():
    decode(WHOLE["png"])
    assert ImageFile.LOAD_TRUNCATED_IMAGES is False


def test_a_damaged_png_is_told_by_its_checksums():
    data = bytearray(WHOLE["png"])
    data[len(data) // 2] ^= 0xFF
    assert refusal(bytes(data)) == (
        "This picture is damaged, or of a kind of PNG that cannot be decoded. "
        "Open it in a picture editor, save it as PNG and use that copy."
    )


def test_warnings_of_the_decoder_do_not_leak(recwarn, capfd):
    warnings.simplefilter("always")
    exif = pictures.turned(pictures.wedge(), 6, "JPEG")
    at = exif.index(b"Exif\0\0") + 14
    broken = exif[:at] + b"\xff\xff" + exif[at + 2 :]
    with Image.open(BytesIO(broken)) as image:
        image.getexif()
    assert recwarn.pop(UserWarning)  # Pillow alone does warn about these bytes
    assert isinstance(decode(broken), GatedImage)
    assert not recwarn.list
    assert capfd.readouterr() == ("", "")


@given(st.binary(max_size=300))
def test_random_bytes_give_a_refusal_or_a_picture(data):
    try:
        image = decode(data)
    except ImageRefused:
        return
    assert len(image.rgb) == image.width * image.height * 3


@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_pictures_with_wrong_bytes_give_a_refusal_or_a_picture(name, draw):
    data = bytearray(WHOLE[name])
    for _ in range(draw.draw(st.integers(1, 8))):
        reach = draw.draw(st.sampled_from([40, 300, len(data)]))
        data[draw.draw(st.integers(0, min(reach, len(data)) - 1))] = draw.draw(st.integers(0, 255))
    try:
        image = decode(bytes(data), ImageLimits(max_pixels=200_000))
    except ImageRefused as refused:
        assert refused.sentence.startswith("This picture ")
        return
    assert len(image.rgb) == image.width * image.height * 3
