"""Tests of files that cannot be read, decompressed or decoded."""

import gzip
from pathlib import Path

import pytest

from metrics_plugins.readers.records import InputError
from metrics_plugins.readers.text import read_text


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_text(tmp_path / "none.json")

    assert str(raised.value) == f"{tmp_path / 'none.json'}: cannot be read: No such file or directory"


def test_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_text(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b"", "must hold captions, got an empty file"),
        ("a.json.gz", gzip.compress(b"", mtime=0), "must hold captions, got an empty file"),
        ("a.json.gz", b"[]", "must be a complete gzip file, got: Not a gzipped file"),
        ("a.json.gz", gzip.compress(b"[1, 2, 3]", mtime=0)[:-9], "must be a complete gzip file, got: "),
        (
            "a.json.gz",
            gzip.compress(b"[1]", mtime=0)[:12] + b"\xff\xff\xff" + bytes(20),
            "must be a complete gzip file, got: ",
        ),
        ("a.csv", b"image_id,caption\n1,a\n2,caf\xe9\n", "line 3: must be UTF-8, got byte 0xe9 at offset 26"),
        ("a.csv.gz", gzip.compress(b"a\n\xff", mtime=0), "line 2: must be UTF-8, got byte 0xff at offset 2"),
    ],
)
def test_what_is_wrong_with_the_bytes_is_said(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(InputError) as raised:
        read_text(path)

    assert str(raised.value).startswith(f"{path}: {message}")
