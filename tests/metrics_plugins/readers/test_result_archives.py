"""Tests of results in a zip: exactly one file, of a bounded size, and nothing else."""

import struct
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from metrics_plugins.readers.records import InputError
from metrics_plugins.readers.result_archives import ResultsContent, read_results_content

NAME = "captions_test-dev_my_net_results.json"
BOUND = 1000


def _pack(*names: str, content: bytes = b"[]", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name in names:
            # With a fixed date: pytest's workers must find the same test cases.
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "names",
    [
        (NAME,),
        (f"folder/{NAME}",),
        ("folder/", f"folder/{NAME}", "folder/.DS_Store", f"__MACOSX/folder/._{NAME}"),
    ],
)
def test_the_only_results_file_of_a_zip_is_read(names: tuple[str, ...]) -> None:
    content = read_results_content(BytesIO(_pack(*names)), max_bytes=BOUND)

    assert content == ResultsContent(content=b"[]", split="test-dev", algorithm="my_net")


def test_name_of_a_plain_file_may_be_any(tmp_path: Path) -> None:
    named, other = tmp_path / NAME, tmp_path / "results.txt"
    for path in (named, other):
        path.write_bytes(b"[]")

    assert read_results_content(named, max_bytes=2) == ResultsContent(b"[]", "test-dev", "my_net")
    assert read_results_content(other, max_bytes=2) == ResultsContent(b"[]", None, None)


def _lie_about_the_size(archive: bytes, *, size: int) -> bytes:
    # The unpacked size is at offset 22 of the local header and at offset 24 of the entry of the table of contents.
    entry = archive.index(b"PK\x01\x02")
    packed = bytearray(archive)
    packed[22:26] = packed[entry + 24 : entry + 28] = struct.pack("<L", size)
    return bytes(packed)


def _mark_encrypted(archive: bytes) -> bytes:
    entry = archive.index(b"PK\x01\x02")
    packed = bytearray(archive)
    packed[6] |= 1
    packed[entry + 8] |= 1
    return bytes(packed)


def _add_zip64(archive: bytes) -> bytes:
    end = archive.index(b"PK\x05\x06")
    return archive[:end] + struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1) + archive[end:]


BOMB = _pack(NAME, content=bytes(100_000))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x" * 1001, "must have at most 1,000 bytes, got more"),
        (_pack(NAME, content=bytes(1001), method=zipfile.ZIP_STORED), "must have at most 1,000 bytes, got 1,1"),
        (BOMB, f"{NAME} must unpack to at most 1,000 bytes, got 100,000"),
        (_lie_about_the_size(BOMB, size=900), "must be an intact zip, got: Bad CRC-32"),
        (_pack(NAME, method=zipfile.ZIP_LZMA), f"{NAME} must be packed by 'deflate' or 'store', got method 14"),
        (_pack(NAME, method=zipfile.ZIP_BZIP2), f"{NAME} must be packed by 'deflate' or 'store', got method 12"),
        (_mark_encrypted(_pack(NAME)), f"{NAME} must not be encrypted"),
        (_add_zip64(_pack(NAME)), "must be a plain zip, got one in the format for files above 4 GiB"),
        (_pack(), "must hold exactly one file captions_<split>_<algorithm>_results.json, got 0 files"),
        (
            _pack(NAME, "readme.txt"),
            "must hold exactly one file captions_<split>_<algorithm>_results.json, got 2 files",
        ),
        (_pack("results.json"), "must hold a file captions_<split>_<algorithm>_results.json, got 'results.json'"),
        (_pack(NAME, content=b""), "must hold captions, got an empty file"),
        (_pack(NAME)[:-30], "must be an intact zip, got a file without a table of contents"),
        (b"PK", "must be an intact zip, got a file without a table of contents"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_other_files_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_results_content(BytesIO(content), max_bytes=BOUND)

    assert str(raised.value).startswith(message)


def test_table_of_contents_is_bounded_before_it_is_read() -> None:
    many = _pack(*(f"{number:060}" for number in range(12_000)))

    with pytest.raises(InputError, match="must be a zip of one file, got a table of contents of 1,272,000 bytes"):
        read_results_content(BytesIO(many), max_bytes=len(many))


def test_missing_file_is_not_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_results_content(tmp_path / "none.json", max_bytes=BOUND)

    assert str(raised.value) == "cannot be read: No such file or directory"
