"""Tests of files that are named by a person."""

import zipfile
from pathlib import Path

import pytest

from studies.datasets.importing.files.opening import open_file, open_files
from studies.shared.errors import ImportFailed


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "files.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a/one.csv", "1")
        packed.writestr("b/one.csv", "2")
        packed.writestr("b/two.csv", "3")
    return path


@pytest.mark.parametrize(("member", "content"), [("a/one.csv", b"1"), ("two.csv", b"3")])
def test_a_member_is_named_with_or_without_its_folder(archive: Path, member: str, content: bytes) -> None:
    assert open_file(Path(f"{archive}!{member}")).content == content


def test_an_archive_with_one_file_is_that_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "one.zip", "w") as packed:
        packed.writestr("table.csv", "x")
        packed.writestr("__MACOSX/._table.csv", "y")

    assert open_file(tmp_path / "one.zip").content == b"x"


def test_a_file_whose_name_has_the_mark_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "really!.csv"
    path.write_text("x")

    assert open_file(path).content == b"x"


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        (
            "",
            "files.zip: must hold one file, or name the member: files.zip!MEMBER, got a/one.csv, b/one.csv, b/two.csv",
        ),
        ("!three.csv", "files.zip!three.csv: is not a member; the members are: a/one.csv, b/one.csv, b/two.csv"),
        ("!one.csv", "files.zip!one.csv: must be one member, with its folder; there are: a/one.csv, b/one.csv"),
    ],
)
def test_a_member_must_be_one(archive: Path, ending: str, message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        open_file(Path(f"{archive}{ending}"))
    assert str(caught.value).startswith(message)


def test_files_are_found_by_their_names(archive: Path) -> None:
    found = open_files([archive], patterns=("one.csv",), are_several=True)

    assert [file.content for file in found] == [b"1", b"2"]
    with pytest.raises(ImportFailed, match=r"files\.zip: must hold one file one\.csv, or name the file itself"):
        open_files([archive], patterns=("one.csv",), are_several=False)
