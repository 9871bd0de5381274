"""Tests of finding, verifying and downloading packages by pip, from a folder instead of an index."""

from pathlib import Path

import pytest

from metrics_plugins.installing.packages import InstallError, check_digests, download_files, find_files
from tests.metrics_plugins.installing.wheels import write_wheel


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_what_is_missing_is_found_verified_and_downloaded_once(index: Path, tmp_path: Path) -> None:
    tested = {
        ("accordance-toy", "1.0"): frozenset({write_wheel(index, "accordance_toy", needs=["accordance-part>=1"])}),
        ("accordance-part", "1.0"): frozenset({write_wheel(index, "accordance_part")}),
    }
    # The tested version is chosen, not the newest.
    write_wheel(index, "accordance_part", version="2.0")

    files = find_files(["accordance-toy>=1", "numpy"], tested=tested)
    check_digests(files, tested=tested)

    assert {(file.name, file.version, file.licence) for file in files} == {
        ("accordance_toy", "1.0", "MIT"),
        ("accordance_part", "1.0", "MIT"),
    }
    downloads, told = tmp_path / "downloads", []
    download_files(files, folder=downloads, say=told.append)
    assert {path.name for path in downloads.iterdir()} == {file.file_name for file in files}
    # One file arrived, the other was cut off.
    (downloads / files[0].file_name).write_bytes(b"PK")
    told.clear()
    download_files(files, folder=downloads, say=told.append)
    assert told == ["1 of 2 files are there from an earlier call", f"downloading 1 to 1 of 1: {files[0].name}"]
    # Nothing is left to do, and no index is asked.
    for path in index.iterdir():
        path.unlink()
    download_files(files, folder=downloads, say=told.append)


def test_file_that_was_not_tested_is_refused(index: Path) -> None:
    write_wheel(index, "accordance_toy")
    tested = {("accordance-toy", "1.0"): frozenset({"0" * 64})}
    files = find_files(["accordance-toy"], tested=tested)

    with pytest.raises(InstallError, match=r"^accordance_toy-1\.0-py3-none-any\.whl has the digest [0-9a-f]{64}, "):
        check_digests(files, tested=tested)


def test_file_that_changed_after_it_was_found_is_refused(index: Path, tmp_path: Path) -> None:
    tested = {("accordance-toy", "1.0"): frozenset({write_wheel(index, "accordance_toy")})}
    files = find_files(["accordance-toy"], tested=tested)
    write_wheel(index, "accordance_toy", needs=["numpy"])

    with pytest.raises(InstallError, match="pip failed while downloading; what has arrived is kept"):
        download_files(files, folder=tmp_path / "downloads", say=lambda _: None)


def test_package_that_does_not_exist_is_named(index: Path) -> None:
    with pytest.raises(InstallError, match=r"pip failed while finding packages: .*accordance-nowhere"):
        find_files(["accordance-nowhere"], tested={})
