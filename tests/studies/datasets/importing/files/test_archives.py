"""Tests of zip archives, valid and hostile."""

import stat
import struct
import zipfile
from pathlib import Path

import pytest

from studies.datasets.importing.files.archives import SourceArchive
from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile
from studies.shared.limits import FileLimits


def write_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def open_and_read(path: Path, *, limits: FileLimits | None = None) -> str:
    """The message with which the archive, or its first member, is refused."""
    with pytest.raises(ImportFailed) as caught:
        _read_first(path, limits=limits or FileLimits())
    return str(caught.value)


def _read_first(path: Path, *, limits: FileLimits) -> None:
    archive = SourceArchive.open(path, limits=limits)
    archive.read(archive.names[:1])


def test_reads_members_by_pattern(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"b/one.json": b"1", "a/two.json": b"2", "c.txt": b"3"})
    archive = SourceArchive.open(path)

    assert archive.list_names("*.json") == ["a/two.json", "b/one.json"]
    assert archive.read(["b/one.json"]) == [SourceFile("one.json", b"1")]


@pytest.mark.parametrize(
    "name",
    ["../out.json", "a/../../out.json", "/etc/passwd", "..\\out.json", "C:\\out.json", "a\\..\\b", "\\\\host\\x"],
)
def test_refuses_a_name_outside_the_folder(name: str, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"fine.json": b"1", name: b"2"})

    assert open_and_read(path) == f"x.zip: may only have names inside its own folder, without '..', got {name!r}"


def test_refuses_a_member_that_is_a_link(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("a.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")

    assert open_and_read(tmp_path / "x.zip") == "x.zip, member a.json: must be a plain file, got a link"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_refuses_a_name_that_is_there_twice(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a.json", "1")
        archive.writestr("a.json", "2")

    assert open_and_read(tmp_path / "x.zip") == "x.zip, member a.json: must occur only once"


def test_refuses_a_bomb_by_its_declared_size(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.json": bytes(32 << 20)})

    packed = zipfile.ZipFile(path).getinfo("a.json").compress_size
    assert open_and_read(path) == (
        f"x.zip: may decompress to at most 100 times its size ({packed:,} bytes), got 33,554,432 bytes or more"
    )
    assert open_and_read(path, limits=FileLimits(n_bytes=1 << 20)) == (
        "x.zip: may hold at most 1,048,576 bytes decompressed, got 33,554,432 or more"
    )


def test_counts_members_together(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {f"{number}.json": bytes(400) for number in range(3)})
    archive = SourceArchive.open(path, limits=FileLimits(n_bytes=1_000))

    with pytest.raises(ImportFailed, match="may hold at most 1,000 bytes decompressed, got 1,200 or more"):
        archive.read(archive.names)


def test_refuses_a_bomb_that_declares_less(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.json": bytes(32 << 20)})
    honest = struct.pack("<L", 32 << 20)
    path.write_bytes(path.read_bytes().replace(honest, struct.pack("<L", 10)))

    assert open_and_read(path) == "x.zip, member a.json: is damaged: Bad CRC-32 for file 'a.json'"


def test_refuses_too_many_members(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {f"{number}": b"" for number in range(5)})

    assert open_and_read(path, limits=FileLimits(n_members=4)) == "x.zip: may hold at most 4 members, got 5"


def test_refuses_a_cut_archive(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.json": bytes(range(256)) * 40})
    path.write_bytes(path.read_bytes()[:-30])

    assert open_and_read(path) == "x.zip: is not an intact zip: File is not a zip file"


def test_refuses_damaged_data(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.json": bytes(range(256)) * 40})
    content = bytearray(path.read_bytes())
    content[60:80] = bytes(20)
    path.write_bytes(bytes(content))

    assert open_and_read(path).startswith("x.zip, member a.json: is damaged: ")


def test_refuses_what_is_not_there(tmp_path: Path) -> None:
    assert open_and_read(tmp_path / "x.zip") == f"{tmp_path / 'x.zip'}: must be a zip file, got nothing"
