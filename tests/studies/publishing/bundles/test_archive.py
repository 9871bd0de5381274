"""Tests of the file of a bundle: hostile and damaged ones are rejected before they are read."""

import json
import zipfile

import pytest

from studies.publishing.bundles.archive import MANIFEST, print_line, read_archive, write_archive
from studies.publishing.bundles.errors import BundleRefused
from studies.shared.limits import FileLimits

FILES = {"b.jsonl": b"{}\n", "a/c.npy": b"\x93NUMPY"}


@pytest.fixture
def path(tmp_path):
    write_archive(FILES, about={"study": "rated", "report": 1}, path=tmp_path / "bundle.zip")
    return tmp_path / "bundle.zip"


def test_what_is_written_is_read(path):
    manifest, files = read_archive(path)

    assert files == FILES
    assert (manifest["format"], manifest["study"], manifest["report"]) == ("accordance-bundle@1", "rated", 1)
    assert manifest["files"]["b.jsonl"] == {
        "bytes": 3,
        # sha256sum of "{}\n"
        "sha256": "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356",
    }


def test_line_of_json_is_always_the_same():
    assert print_line({"b": 0.1, "a": "é\u2028"}) == '{"a":"é\u2028","b":0.1}\n'


def write_zip(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)


@pytest.mark.parametrize("name", ["../evil.txt", "/etc/evil", "a/../../evil", "C:\\evil", "..\\evil"])
def test_a_name_outside_of_the_folder_is_refused(tmp_path, name):
    write_zip(tmp_path / "bundle.zip", [(MANIFEST, "{}"), (name, "x")])

    with pytest.raises(BundleRefused, match="may only have names inside its own folder"):
        read_archive(tmp_path / "bundle.zip")
    assert [each.name for each in tmp_path.iterdir()] == ["bundle.zip"]


def test_a_bomb_is_refused(tmp_path):
    write_zip(tmp_path / "bundle.zip", [(MANIFEST, "{}"), ("zeros", b"\0" * (40 << 20))])

    with pytest.raises(BundleRefused, match="may decompress to at most 100 times its size"):
        read_archive(tmp_path / "bundle.zip")
    with pytest.raises(BundleRefused, match="may hold at most 1,000 bytes decompressed"):
        read_archive(tmp_path / "bundle.zip", limits=FileLimits(n_bytes=1000))


def test_too_many_members_are_refused(tmp_path):
    write_zip(tmp_path / "bundle.zip", [(f"{number}", "") for number in range(2001)])

    with pytest.raises(BundleRefused, match="may hold at most 2,000 members"):
        read_archive(tmp_path / "bundle.zip")


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "is not an intact zip"), (b"PK\x03\x04 and no more", "is not an intact zip"), (None, "must be a zip file")],
)
def test_what_is_no_zip_is_refused(tmp_path, content, message):
    if content is not None:
        (tmp_path / "bundle.zip").write_bytes(content)

    with pytest.raises(BundleRefused, match=message):
        read_archive(tmp_path / "bundle.zip")


def test_a_flipped_bit_is_found_or_says_nothing(path):
    """Whatever bit: the content is as it was (times, attributes), or the bundle is refused."""
    whole = path.read_bytes()
    n_refused = 0
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        try:
            _, files = read_archive(path)
        except BundleRefused:
            n_refused += 1
        else:
            assert files == FILES
    assert n_refused > len(whole) / 2


def test_a_file_cut_short_is_refused(path):
    path.write_bytes(path.read_bytes()[:-30])

    with pytest.raises(BundleRefused, match="is not an intact zip"):
        read_archive(path)


def change(path, members):
    with zipfile.ZipFile(path) as archive:
        there = {name: archive.read(name) for name in archive.namelist()}
    write_zip(path, [(name, content) for name, content in {**there, **members}.items() if content is not None])


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"b.jsonl": b"{}"}, "b.jsonl does not match its manifest"),
        ({"b.jsonl": None}, "it lacks b.jsonl"),
        ({"more": b""}, "it holds more, which its manifest does not list"),
        ({MANIFEST: None}, "it has no manifest.json"),
        ({MANIFEST: b"{"}, "manifest.json is not valid JSON"),
        ({MANIFEST: b"[]"}, "must have the format 'accordance-bundle@1', got None"),
        ({MANIFEST: json.dumps({"format": "accordance-bundle@2"}).encode()}, "got 'accordance-bundle@2'"),
        ({MANIFEST: json.dumps({"format": "accordance-bundle@1"}).encode()}, "must list `files` by name"),
    ],
)
def test_what_is_not_as_listed_is_named(path, members, message):
    change(path, members)

    with pytest.raises(BundleRefused, match=message):
        read_archive(path)


def test_a_failure_leaves_the_old_file(path):
    before = path.read_bytes()

    with pytest.raises(TypeError):
        write_archive({"a": None}, about={}, path=path)

    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["bundle.zip"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BundleRefused, match=r"cannot write .*/nowhere/bundle.zip: No such file or directory"):
        write_archive({}, about={}, path=tmp_path / "nowhere" / "bundle.zip")
