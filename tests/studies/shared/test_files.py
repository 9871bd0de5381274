"""Tests of reading compressed, damaged, linked and missing files."""

import gzip
import os
from pathlib import Path

import pytest

from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile, SourceFolder, digest_files, read_file
from tests.studies.datasets.importing.conftest import Refuse


def test_reads_packed_and_plain_alike(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\n")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"two\n"))
    folder = SourceFolder.open(tmp_path)

    assert folder.read_one("a.txt") == SourceFile("a.txt", b"one\n")
    assert folder.read_one("b.txt") == SourceFile("b.txt", b"two\n")
    assert folder.list_names("*.txt") == ["a.txt", "b.txt.gz"]


def test_decodes_with_a_byte_order_mark() -> None:
    assert SourceFile("a.txt", "\ufeffé".encode()).decode() == "é"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            gzip.compress(b"caption\n" * 1_000, mtime=0)[:-12],
            "a.txt.gz: is truncated: its compressed data ends too early",
        ),
        (b"no gzip", "a.txt.gz: is damaged: Not a gzipped file (b'no')"),
        (
            gzip.compress(b"", mtime=0)[:10] + b"\xff" * 20,
            "a.txt.gz: is damaged: Error -3 while decompressing data: invalid block type",
        ),
    ],
    ids=["cut", "not gzip", "garbage"],
)
def test_refuses_a_damaged_gzip(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(content)

    with pytest.raises(ImportFailed) as caught:
        read_file(path)
    assert str(caught.value) == message


def test_refuses_a_file_that_unpacks_to_too_much(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    with gzip.open(path, "wb") as stream:
        for _ in range(40):
            stream.write(bytes(1 << 20))

    with pytest.raises(
        ImportFailed, match=r"^a\.txt\.gz: may decompress to at most 100 times its size \(.* bytes\), got "
    ):
        read_file(path)


def test_refuses_a_link_that_leads_out(refuse: Refuse, flickr8k: Path, tmp_path: Path) -> None:
    path = flickr8k / "ExpertAnnotations.txt"
    target = tmp_path / "secret.txt"
    path.rename(target)
    path.symlink_to(target)

    message = refuse("flickr8k-expert", source=flickr8k)
    assert message.startswith(
        f"ExpertAnnotations.txt: must be in the folder {flickr8k.resolve()}, got a link out of it"
    )


def test_accepts_a_link_within_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\n")
    (tmp_path / "b.txt").symlink_to("a.txt")

    assert SourceFolder.open(tmp_path).read_one("b.txt").content == b"one\n"


def test_refuses_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")

    with pytest.raises(ImportFailed, match=r"must be a file, got something else$"):
        SourceFolder.open(tmp_path).read_one("a.txt")


def test_names_what_is_missing(refuse: Refuse, flickr8k: Path, tmp_path: Path) -> None:
    (flickr8k / "Flickr8k.token.txt").unlink()

    assert refuse("flickr8k-expert", source=flickr8k) == (
        f"Flickr8k.token.txt: is not in the folder {flickr8k.resolve()}, nor is Flickr8k.token.txt.gz"
    )
    assert refuse("flickr8k-cf", source=tmp_path / "none") == f"{tmp_path / 'none'}: must be a folder, got nothing"


def test_digest_depends_on_names_and_contents() -> None:
    one, two = SourceFile("a", b"bc"), SourceFile("ab", b"c")

    assert digest_files([one]) == digest_files([SourceFile("a", b"bc")])
    assert len({digest_files([one]), digest_files([two]), digest_files([one, two]), digest_files([two, one])}) == 4
