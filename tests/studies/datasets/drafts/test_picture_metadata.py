"""Tests of pictures as written by cameras and programs, whose metadata are removed."""

from io import BytesIO

import pytest
from PIL import Image as Picture
from PIL import ImageCms, ImageSequence
from PIL.PngImagePlugin import PngInfo

from studies.datasets.drafts.images import check_picture
from studies.datasets.drafts.picture_metadata import strip_metadata
from studies.shared.errors import ImportFailed, SourceLocation

SECRET = "51.4779 North of Greenwich"
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def _write(form, *, orientation=1, **options):
    exif = Picture.Exif()
    exif[0x010E], exif[0x0112] = SECRET, orientation
    exif.get_ifd(0x8825)[29] = SECRET
    buffer = BytesIO()
    picture = Picture.linear_gradient("L").resize((40, 20)).convert("RGB")
    picture.save(buffer, form, exif=exif, icc_profile=PROFILE, **options)
    return buffer.getvalue()


def _read(content):
    with Picture.open(BytesIO(content)) as picture:
        picture.load()
        return picture


def _text():
    info = PngInfo()
    info.add_text("Comment", SECRET)
    return info


CASES = [
    ("JPEG", {"comment": SECRET, "progressive": True}),
    ("PNG", {"pnginfo": _text()}),
    ("WEBP", {"lossless": True}),
]


@pytest.mark.parametrize(("form", "options"), CASES)
def test_metadata_goes_and_pixels_and_profile_stay(form, options) -> None:
    content = _write(form, **options)
    assert SECRET.encode() in content

    left = strip_metadata(content + SECRET.encode(), SourceLocation("a"))

    assert SECRET.encode() not in left
    assert not _read(left).getexif()
    assert _read(left).tobytes() == _read(content).tobytes()
    assert _read(left).info["icc_profile"] == PROFILE
    assert strip_metadata(left, SourceLocation("a")) == left


@pytest.mark.parametrize(("form", "options"), CASES)
def test_picture_is_turned_upright(form, options) -> None:
    left = strip_metadata(_write(form, orientation=6, **options), SourceLocation("a"))

    assert _read(left).size == (20, 40)
    assert not _read(left).getexif()
    assert SECRET.encode() not in left
    assert _read(left).info["icc_profile"] == PROFILE


def test_comment_of_a_gif_goes() -> None:
    buffer = BytesIO()
    Picture.new("P", (40, 20)).save(buffer, "GIF", comment=SECRET)

    left = strip_metadata(buffer.getvalue(), SourceLocation("a"))

    assert SECRET.encode() in buffer.getvalue()
    assert SECRET.encode() not in left
    assert _read(left).tobytes() == _read(buffer.getvalue()).tobytes()


def test_what_is_no_picture_stays() -> None:
    assert strip_metadata(b"picture", SourceLocation("a")) == b"picture"


def test_a_second_picture_in_a_jpeg_and_its_comment_go():
    buffer = BytesIO()
    first, second = (Picture.new("RGB", (40, 20), colour) for colour in ("red", "blue"))
    first.save(buffer, "MPO", save_all=True, append_images=[second], comment=SECRET)

    stripped = strip_metadata(buffer.getvalue(), SourceLocation("photo.jpg"))

    assert SECRET.encode() in buffer.getvalue()
    assert SECRET.encode() not in stripped
    assert _read(stripped).format == "JPEG"
    assert check_picture(buffer.getvalue(), SourceLocation("photo.jpg")) == ".jpg"


def test_a_jpeg_without_its_end_mark_is_taken():
    content = _write("JPEG", comment=SECRET)

    stripped = strip_metadata(content[:-2], SourceLocation("photo.jpg"))

    assert stripped == strip_metadata(content, SourceLocation("photo.jpg"))


def _write_moving(form, *, orientation=1, size=(40, 20), **options):
    exif = Picture.Exif()
    exif[0x010E] = SECRET
    if orientation != 1:
        exif[0x0112] = orientation
    buffer = BytesIO()
    first, second = (Picture.new("RGB", size, colour) for colour in ("red", "blue"))
    first.save(buffer, form, save_all=True, append_images=[second], **{"exif": exif, **options})
    return buffer.getvalue()


def _read_frames(content):
    with Picture.open(BytesIO(content)) as picture:
        return [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(picture)]


def _make_box(kind, content):
    return (8 + len(content)).to_bytes(4) + kind + content


@pytest.mark.parametrize("more", [{}, {"save_all": True, "append_images": [Picture.new("RGB", (40, 20), "blue")]}])
def test_data_after_an_avif_are_removed(more) -> None:
    buffer = BytesIO()
    Picture.new("RGB", (40, 20), "red").save(buffer, "AVIF", **more)
    content = buffer.getvalue()

    behind = strip_metadata(content + SECRET.encode(), SourceLocation("a"))
    in_a_box = strip_metadata(content + _make_box(b"uuid", SECRET.encode()), SourceLocation("a"))

    assert behind == in_a_box == content
    assert strip_metadata(content, SourceLocation("a")) == content


def test_a_box_within_an_avif_is_emptied_where_it_stands() -> None:
    # What follows is found by its distance from the beginning of the file.
    content = _write("AVIF", orientation=1)
    stripped = strip_metadata(content, SourceLocation("a"))
    at = int.from_bytes(stripped[:4])
    moved = stripped[:at] + _make_box(b"uuid", SECRET.encode()) + stripped[at:]

    left = strip_metadata(moved, SourceLocation("a"))

    assert SECRET.encode() in content
    assert SECRET.encode() not in stripped
    assert SECRET.encode() not in left
    assert left == moved.replace(b"uuid" + SECRET.encode(), b"free" + bytes(len(SECRET)))


@pytest.mark.parametrize("cut", [b"\0\0\0\0mdat", b"\0\0\0\1mdat\0\0"])
def test_an_avif_that_does_not_say_where_it_ends_is_refused(cut) -> None:
    content = strip_metadata(_write("AVIF"), SourceLocation("a"))
    at = content.index(b"mdat") - 4

    with pytest.raises(ImportFailed, match="damaged image"):
        strip_metadata(content[:at] + cut + content[at + 8 :], SourceLocation("a"))


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_metadata_of_a_moving_picture_goes_and_it_still_moves(form) -> None:
    content = _write_moving(form)

    left = strip_metadata(content, SourceLocation("a"))

    assert SECRET.encode() in content
    assert SECRET.encode() not in left
    assert len(_read_frames(left)) == 2
    assert _read_frames(left) == _read_frames(content)


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_a_moving_picture_that_its_metadata_turns_is_refused(form) -> None:
    with pytest.raises(ImportFailed, match=r"^a: must be stored upright, because it is an animated image"):
        strip_metadata(_write_moving(form, orientation=6), SourceLocation("a"))


@pytest.mark.parametrize("options", [{}, {"exif": b"", "xmp": SECRET.encode()}])
def test_metadata_of_a_moving_avif_is_refused(options) -> None:
    with pytest.raises(ImportFailed, match=r"^a: must have no metadata"):
        strip_metadata(_write_moving("AVIF", **options), SourceLocation("a"))
