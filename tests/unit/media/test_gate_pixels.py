"""What comes out of the gate: upright sRGB pixels, hashes, notes, thumbnails, whatever the file was made of."""

import hashlib
import struct
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageCms, ImageOps

from models.media.gate import GatedImage, decode, fit, pixel_hash, thumbnail
from tests.unit.media import pictures

LOSSLESS = {"PNG": {}, "TIFF": {}, "WEBP": {"lossless": True}}
LOSSY = {"JPEG": {"quality": 95, "subsampling": 0}, "AVIF": {"quality": 95}, "HEIF": {"quality": 95}}


def array(image: GatedImage) -> np.ndarray:
    return np.frombuffer(image.rgb, dtype=np.uint8).reshape(image.height, image.width, 3)


def grey(image: GatedImage) -> list[list[int]]:
    pixels = array(image)
    assert (pixels[..., 0] == pixels[..., 1]).all()
    assert (pixels[..., 0] == pixels[..., 2]).all()
    return pixels[..., 0].tolist()


# Turn -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", LOSSLESS)
def test_all_eight_orientations_give_the_same_upright_pixels(kind, orientation):
    image = decode(pictures.turned(pictures.wedge(), orientation, kind, **LOSSLESS[kind]))
    assert (image.width, image.height) == (24, 16)
    assert image.rgb == pictures.wedge().tobytes()


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", LOSSY)
def test_lossy_formats_are_turned_upright_too(kind, orientation):
    image = decode(pictures.turned(pictures.wedge(), orientation, kind, **LOSSY[kind]))
    assert (image.width, image.height) == (24, 16)
    difference = array(image).astype(int) - np.asarray(pictures.wedge()).astype(int)
    assert abs(difference).mean() < 6  # a wrong turn differs by 50 and more


@pytest.mark.parametrize("orientation", [0, *range(1, 10)])
def test_the_turn_is_the_one_that_pillow_makes(orientation):
    exif = Image.Exif()
    exif[pictures.EXIF_ORIENTATION] = orientation
    data = pictures.encoded(pictures.photo(), "PNG", exif=exif)
    with Image.open(BytesIO(data)) as image:
        assert decode(data).rgb == ImageOps.exif_transpose(image).tobytes()


def test_damaged_exif_is_said_and_the_picture_is_still_shown():
    exif = pictures.chunk(b"eXIf", b"no TIFF header at all")
    data = pictures.encoded(pictures.photo(), "PNG")
    image = decode(data[:33] + exif + data[33:])
    assert image.rgb == pictures.PHOTO.tobytes()
    assert image.notes == ("Its EXIF data are damaged, so it is shown the way it is stored.",)


# Depth ------------------------------------------------------------------------------------------------------------


def test_sixteen_bit_grey_is_scaled_not_clipped():
    image = decode(pictures.gray16_png(np.array([[0, 128, 257, 32768, 65278, 65535]])))
    assert grey(image) == [[0, 0, 1, 128, 254, 255]]
    assert image.notes == ("Its 16-bit grey values were scaled to 8 bits.",)


def test_sixteen_bit_grey_of_either_byte_order_reads_alike():
    values = np.arange(0, 65536, 3001, dtype=np.uint16).reshape(2, -1)
    expected = [[round(int(v) / 257) for v in row] for row in values]
    for mode, order in (("I;16", "<u2"), ("I;16B", ">u2")):
        stored = Image.frombytes(mode, values.shape[::-1], values.astype(order).tobytes())
        assert grey(decode(pictures.encoded(stored, "TIFF"))) == expected


def test_white_is_zero_holds_beyond_eight_bits():
    data = pictures.encoded(Image.frombytes("I;16", (2, 1), b"\0\0\xff\xff"), "TIFF")
    tag = struct.pack("<HHI", 262, 3, 1)
    at = data.index(tag) + len(tag)
    assert grey(decode(data)) == [[0, 255]]
    assert grey(decode(data[:at] + b"\0\0" + data[at + 2 :])) == [[255, 0]]


def test_a_transparent_value_of_sixteen_bits_becomes_white():
    data = pictures.gray16_png(np.array([[0, 300, 400]]), pictures.chunk(b"tRNS", struct.pack(">H", 300)))
    image = decode(data)
    assert grey(image) == [[0, 255, 2]]
    assert image.notes[-1] == "Its transparent parts are shown on white."


@pytest.mark.parametrize(
    ("values", "expected", "note"),
    [
        ([0.0, 0.25, 1.0], [0, 64, 255], "Its floating-point grey values were scaled to 8 bits."),
        ([0.0, 100.4, 255.0], [0, 100, 255], "Its floating-point grey values were scaled to 8 bits."),
        ([-1.0, 0.0, 3.0], [0, 64, 255], "Its values run from -1 to 3; they were stretched over black to white."),
        ([5e3, 5e3, 5e3], [0, 0, 0], "Its values run from 5000 to 5000; they were stretched over black to white."),
    ],
)
def test_floats_are_scaled_by_a_range_that_is_said(values, expected, note):
    image = decode(pictures.encoded(Image.fromarray(np.array([values], dtype=np.float32)), "TIFF"))
    assert grey(image) == [expected]
    assert image.notes == (note,)


def test_what_is_not_a_number_is_black_and_said():
    values = np.array([[np.nan, np.inf, 1.0]], dtype=np.float32)
    image = decode(pictures.encoded(Image.fromarray(values), "TIFF"))
    assert grey(image) == [[0, 0, 255]]
    assert image.notes[0] == "Pixels that are not a finite number are shown black."


@pytest.mark.parametrize(
    ("values", "expected"), [([0, 7, 255], [0, 7, 255]), ([0, 257, 65535], [0, 1, 255]), ([-10, 0, 10], [0, 128, 255])]
)
def test_wide_integers_are_scaled_by_the_scale_that_holds_them(values, expected):
    image = decode(pictures.encoded(Image.fromarray(np.array([values], dtype=np.int32)), "TIFF"))
    assert grey(image) == [expected]


def test_one_bit_is_black_and_white():
    stored = Image.fromarray(np.array([[0, 255, 0, 255]], dtype=np.uint8)).convert("1")
    assert grey(decode(pictures.encoded(stored, "PNG"))) == [[0, 255, 0, 255]]


# Colour and transparency ------------------------------------------------------------------------------------------


def test_a_cmyk_jpeg_shows_its_colours_and_not_their_negative():
    red = Image.new("CMYK", (16, 16), (0, 255, 255, 0))
    image = decode(pictures.encoded(red, "JPEG", quality=95))
    assert abs(array(image).astype(int) - [255, 0, 0]).max() < 8
    assert image.notes == ("Its CMYK colours were converted without a colour profile and are approximate.",)


def test_ycbcr_and_lab_pixels_become_rgb():
    blue = Image.new("RGB", (8, 8), (20, 40, 200))
    jpeg_in_tiff = decode(pictures.encoded(blue.convert("YCbCr"), "TIFF"))
    assert abs(array(jpeg_in_tiff).astype(int) - [20, 40, 200]).max() < 4
    to_lab = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB")
    lab = decode(pictures.encoded(ImageCms.applyTransform(blue, to_lab), "TIFF"))
    assert abs(array(lab).astype(int) - [20, 40, 200]).max() < 16  # 8 bits hold Lab coarsely
    assert "cannot" not in "".join(lab.notes)


@pytest.mark.parametrize(
    ("mode", "colour", "expected"),
    [
        ("RGBA", (0, 0, 0, 0), 255),
        ("RGBA", (0, 0, 0, 128), 127),
        ("LA", (0, 0), 255),
        ("LA", (100, 255), 100),
        ("RGBA", (9, 9, 9, 255), 9),
    ],
)
def test_transparency_is_flattened_on_white_and_said(mode, colour, expected):
    image = decode(pictures.encoded(Image.new(mode, (1, 1), colour), "PNG"))
    assert grey(image) == [[expected]]
    assert image.notes == (() if colour[-1] == 255 else ("Its transparent parts are shown on white.",))


def test_transparent_entries_of_a_palette_and_single_transparent_colours_become_white():
    palette = Image.new("P", (2, 1))
    palette.putpalette([10, 20, 30, 200, 0, 0])
    palette.putpixel((1, 0), 1)
    for transparency in (0, b"\0\xff"):
        image = decode(pictures.encoded(palette, "PNG", transparency=transparency))
        assert array(image).tolist() == [[[255, 255, 255], [200, 0, 0]]]
    assert array(decode(pictures.encoded(palette, "GIF"))).tolist() == [[[10, 20, 30], [200, 0, 0]]]
    assert array(decode(pictures.encoded(palette, "GIF", transparency=0))).tolist()[0][0] == [255, 255, 255]
    colour = Image.fromarray(np.array([[[1, 2, 3], [4, 5, 6]]], dtype=np.uint8))
    keyed = decode(pictures.encoded(colour, "PNG", transparency=(1, 2, 3)))
    assert array(keyed).tolist() == [[[255, 255, 255], [4, 5, 6]]]
    single = decode(pictures.encoded(Image.fromarray(np.array([[7, 8]], dtype=np.uint8)), "PNG", transparency=8))
    assert grey(single) == [[7, 255]]
    bits = Image.fromarray(np.array([[0, 255]], dtype=np.uint8)).convert("1")
    assert grey(decode(pictures.encoded(bits, "PNG", transparency=0))) == [[255, 255]]


def swapped_profile() -> bytes:
    """An sRGB profile whose red and green are told the other way round, so that using it shows."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    count = struct.unpack_from(">I", profile, 128)[0]
    at = {bytes(profile[132 + 12 * i : 136 + 12 * i]): 132 + 12 * i for i in range(count)}
    red, green = at[b"rXYZ"], at[b"gXYZ"]
    profile[red : red + 4], profile[green : green + 4] = b"gXYZ", b"rXYZ"
    return bytes(profile).replace(b"s\0R\0G\0B", b"s\0W\0A\0P")


def test_a_colour_profile_is_followed_and_named():
    red = Image.new("RGB", (4, 4), (255, 0, 0))
    image = decode(pictures.encoded(red, "PNG", icc_profile=swapped_profile()))
    assert abs(array(image).astype(int) - [0, 255, 0]).max() < 4
    assert len(image.notes) == 1
    assert image.notes[0].startswith("Its colours were converted to sRGB from its own profile (")
    assert "sWAP" in image.notes[0]


def test_a_profile_that_is_srgb_changes_nothing_to_speak_of():
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    image = decode(pictures.encoded(pictures.photo(), "PNG", icc_profile=srgb))
    assert abs(array(image).astype(int) - pictures.PHOTO).max() <= 1
    assert image.notes == ()
    grey_with_srgb = decode(pictures.encoded(pictures.photo().convert("L"), "JPEG", icc_profile=srgb))
    assert grey_with_srgb.notes == ()


def test_a_profile_that_cannot_be_used_is_said():
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    broken = decode(pictures.encoded(pictures.photo(), "PNG", icc_profile=b"not a profile"))
    assert broken.rgb == pictures.PHOTO.tobytes()
    assert broken.notes == ("Its colour profile cannot be used, so its colours are taken as sRGB.",)
    mismatched = decode(pictures.encoded(Image.new("CMYK", (8, 8)), "JPEG", icc_profile=srgb))
    assert mismatched.notes[0] == broken.notes[0]


# More than one picture --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "note"),
    [
        ("GIF", "It is animated (3 frames); only the first frame is used."),
        ("WEBP", "It is animated (3 frames); only the first frame is used."),
        ("PNG", "It is animated (3 frames); only the first frame is used."),
        ("AVIF", "It is animated (3 frames); only the first frame is used."),
        ("TIFF", "It has 3 pages; only the first is used."),
        ("HEIF", "It holds 3 pictures; only the primary one is used."),
    ],
)
def test_the_first_of_several_pictures_is_taken_and_that_is_said(kind, note):
    frames = [Image.new("RGB", (16, 16), colour) for colour in ("red", "lime", "blue")]
    image = decode(pictures.encoded(frames[0], kind, save_all=True, append_images=frames[1:]))
    assert abs(array(image).astype(int) - [255, 0, 0]).max() < 12
    assert image.notes == (note,)
    assert decode(pictures.encoded(frames[0], kind)).notes == ()


# Identity ---------------------------------------------------------------------------------------------------------


def test_the_content_hash_is_of_the_bytes_and_the_pixel_hash_of_what_is_seen():
    png, bmp = (pictures.encoded(pictures.photo(), kind) for kind in ("PNG", "BMP"))
    first, second = decode(png), decode(bmp)
    assert first.sha256 == hashlib.sha256(png).hexdigest()
    assert first.sha256 != second.sha256
    assert first.pixel_sha256 == second.pixel_sha256
    assert (first.mime, second.mime) == ("image/png", "image/bmp")
    assert first.pixel_sha256 == hashlib.sha256(b"rgb8 32x24\n" + pictures.PHOTO.tobytes()).hexdigest()


def test_dimensions_are_part_of_the_pixel_hash():
    assert pixel_hash(2, 3, b"\0" * 18) != pixel_hash(3, 2, b"\0" * 18)


def test_the_pixels_are_kept_out_of_what_is_printed():
    assert "rgb=" not in repr(decode(pictures.encoded(pictures.photo(), "PNG")))


@pytest.mark.parametrize(
    ("kind", "mime"),
    [("JPEG", "image/jpeg"), ("WEBP", "image/webp"), ("AVIF", "image/avif"), ("HEIF", "image/heic")],
)
def test_the_mime_type_is_that_of_the_bytes(kind, mime):
    assert decode(pictures.encoded(pictures.photo(), kind)).mime == mime


# Smaller copies ---------------------------------------------------------------------------------------------------


def test_a_thumbnail_fits_keeps_the_proportions_and_is_the_same_every_time():
    wide = decode(pictures.turned(Image.linear_gradient("L").convert("RGB").resize((300, 900)), 6, "PNG"))
    small = thumbnail(wide)
    assert small == thumbnail(wide)
    assert (small.width, small.height, small.mime) == (85, 256, "image/jpeg")
    with Image.open(BytesIO(small.data)) as shown:
        assert shown.size == (85, 256)
        assert shown.getpixel((40, 5))[0] < 20
        assert shown.getpixel((40, 250))[0] > 235


def test_a_small_picture_is_not_blown_up_for_its_thumbnail():
    small = thumbnail(decode(pictures.encoded(pictures.photo(), "PNG")))
    assert (small.width, small.height) == (32, 24)


def test_a_line_of_pixels_keeps_one_pixel_in_its_thumbnail():
    small = thumbnail(decode(pictures.encoded(Image.new("RGB", (2000, 1)), "PNG")))
    assert (small.width, small.height) == (256, 1)


def test_fitting_says_what_it_did_and_keeps_the_identity_of_the_bytes():
    image = decode(pictures.encoded(Image.new("RGB", (1500, 1000), "teal"), "PNG"))
    small, sentence = fit(image, 512)
    assert sentence == "Reduced from 1,500 x 1,000 to 512 x 341 pixels."
    assert small.notes == (sentence,)
    assert (small.width, small.height, small.sha256) == (512, 341, image.sha256)
    assert small.pixel_sha256 == pixel_hash(512, 341, small.rgb) != image.pixel_sha256


def test_a_picture_that_fits_is_handed_back_as_it_is():
    image = decode(pictures.encoded(pictures.photo(), "PNG"))
    assert fit(image, 32) == (image, None)
