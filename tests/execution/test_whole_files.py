"""Tests that a file appears only when it is complete."""

import os

import pytest

from execution.whole_files import write_whole


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
