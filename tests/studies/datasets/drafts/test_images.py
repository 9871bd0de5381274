"""Tests of zips of pictures: which key finds which picture, and hostile archives."""

import re
import stat
import struct
import zipfile
import zlib
from io import BytesIO

import pytest
from PIL import Image as Picture

from studies.datasets.drafts.images import ImageArchive, check_picture
from studies.shared.errors import ImportFailed, SourceLocation
from tests.factories.open_studies import draw_picture
from tests.studies.uploads import make_zip


def _open(tmp_path, members, **options):
    path = tmp_path / "images.zip"
    path.write_bytes(make_zip(members).read())
    return ImageArchive.open(path, **options)


def _look(tmp_path, members):
    """Return everything that is wrong, be it told at once or picture by picture."""
    try:
        return [str(error) for error in _open(tmp_path, members).look()]
    except ImportFailed as error:
        return [str(error)]


def _encode(form, size=(20, 10)):
    buffer = BytesIO()
    Picture.new("RGB", size).save(buffer, form)
    return buffer.getvalue()


def _claim_size(width, height):
    """Return a PNG that says it is of this size and holds a few bytes."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b"")]
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


def test_key_finds_a_file_with_or_without_its_ending_and_by_another_name(tmp_path) -> None:
    archive = _open(
        tmp_path, {"a.png": draw_picture(), "deep/er/b.c.png": draw_picture()}, names={"7": "somewhere/a.png"}
    )

    assert [archive.has(key) for key in ("a", "a.png", "b.c", "b.c.png", "7", "x/a", "b", "")] == [
        True, True, True, True, True, True, False, False,
    ]  # fmt: skip
    assert archive.n_files == 2


@pytest.mark.parametrize(
    ("form", "ending"), [("JPEG", ".jpg"), ("PNG", ".png"), ("WEBP", ".webp"), ("GIF", ".gif"), ("AVIF", ".avif")]
)
def test_picture_is_kept_under_the_ending_of_its_content(tmp_path, form, ending) -> None:
    archive = _open(tmp_path, {"a.html": _encode(form)})

    assert archive.look() == []
    assert archive.read("a").name == f"a{ending}"


@pytest.mark.parametrize("name", ["../a.png", "a/../../b.png", "/etc/a.png", "C:\\a.png", "..\\a.png", "a\\..\\b.png"])
def test_no_name_leads_out_of_the_zip(tmp_path, name) -> None:
    assert _look(tmp_path, {name: draw_picture()}) == [
        f"images.zip: may only have names inside its own folder, without '..', got {name!r}"
    ]


def test_link_is_refused(tmp_path) -> None:
    link = zipfile.ZipInfo("a.png")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16

    assert _look(tmp_path, {link: "/etc/passwd"}) == ["images.zip, member a.png: must be a plain file, got a link"]


def test_bomb_is_refused_without_unpacking_it(tmp_path) -> None:
    (fault,) = _look(tmp_path, {"a.png": b"\0" * (20 << 20)})

    assert re.sub(r"\([0-9,]+ bytes\)", "", fault) == (
        "images.zip: may decompress to at most 100 times its size , got 20,971,520 bytes or more"
    )


def test_many_members_are_refused(tmp_path) -> None:
    assert _look(tmp_path, {f"{number}.png": b"" for number in range(20_001)}) == [
        "images.zip: may hold at most 20,000 members, got 20,001"
    ]


@pytest.mark.parametrize(
    "content", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html>", b"", b"%PDF-1.4", b"GIF8"]
)
def test_what_is_no_picture_is_refused(tmp_path, content) -> None:
    assert _look(tmp_path, {"a.png": content}) == [
        "images.zip, member a.png: must be an image: JPEG, PNG, WEBP, GIF, AVIF, got something else"
    ]


def test_picture_that_unpacks_to_gigabytes_is_refused(tmp_path) -> None:
    with pytest.raises(ImportFailed, match=r"a.png: may have at most 50,000,000 pixels, got 8,000 x 8,000"):
        check_picture(_claim_size(8_000, 8_000), SourceLocation("a.png"))
    with pytest.raises(ImportFailed, match=r"a.png: may have at most 50,000,000 pixels, got far more"):
        check_picture(_claim_size(30_000, 30_000), SourceLocation("a.png"))


@pytest.mark.parametrize("form", ["JPEG", "PNG", "GIF"])
def test_picture_cut_short_is_refused(tmp_path, form) -> None:
    noisy = Picture.effect_noise((200, 200), 80).convert("RGB")
    buffer = BytesIO()
    noisy.save(buffer, form)

    (fault,) = _look(tmp_path, {"a.png": buffer.getvalue()[:5000]})

    assert fault.startswith("images.zip, member a.png: is a damaged image: ")


def test_two_files_of_one_name_are_refused(tmp_path) -> None:
    assert _look(tmp_path, {"x/a.png": draw_picture(), "y/a.png": draw_picture()}) == [
        "images.zip, member y/a.png: must have a unique name, but x/a.png has the same name"
    ]


def test_what_is_no_zip_is_refused(tmp_path) -> None:
    path = tmp_path / "images.zip"
    path.write_bytes(draw_picture())

    with pytest.raises(ImportFailed, match=r"images.zip: is not an intact zip"):
        ImageArchive.open(path)
