"""Tests that a file appears only when it is complete."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from execution.whole_files import PRIVATE, write_whole


def test_file_is_replaced_when_the_new_one_is_complete(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"old")

    write_whole(path, b"new")

    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("table.csv", b"new")]


def test_what_cannot_be_written_leaves_nothing(tmp_path):
    (tmp_path / "folder").mkdir()

    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", b"new")

    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_pipe_is_written_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    write_whole(path, b"new")

    assert os.read(reader, 10) == b"new"
    os.close(reader)


def test_mode_is_that_of_other_new_files(tmp_path):
    (tmp_path / "other").touch()

    write_whole(tmp_path / "table.csv", b"new")

    assert (tmp_path / "table.csv").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_private_file_replaces_one_that_others_can_read(tmp_path):
    path = tmp_path / "names.csv"
    path.touch(0o644)

    write_whole(path, b"new", mode=PRIVATE)

    assert path.stat().st_mode & 0o777 == 0o600


def test_several_writers_at_the_same_time_leave_one_whole_file(tmp_path):
    path = tmp_path / "keys.json"
    contents = [bytes([number]) * 100_000 for number in range(8)]

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda content: write_whole(path, content), contents * 5))

    assert [each.name for each in tmp_path.iterdir()] == ["keys.json"]
    assert path.read_bytes() in contents
