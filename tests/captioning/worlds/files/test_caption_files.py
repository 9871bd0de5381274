"""Tests that caption.txt and agreement.txt are written as they were read."""

from pathlib import Path

import pytest

from captioning.worlds.errors import BadCaptionFile
from captioning.worlds.files.caption_files import format_agreement, format_captions, read_agreement, read_captions
from tests.captioning.worlds.samples import SETS, read_sample


@pytest.mark.parametrize("name", SETS)
def test_files_are_written_as_they_were(name: str, data_folder: Path) -> None:
    folder = data_folder / "shapeworld" / name
    sample = read_sample(data_folder, name)

    labels = [[1 if label else -1 for label in row] for row in sample.labels]

    assert format_captions(sample.captions) == (folder / "caption.txt").read_text()
    assert format_agreement(labels) == (folder / "agreement.txt").read_text()


def test_one_caption_a_world_needs_no_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "caption.txt"
    path.write_text(format_captions([("a",), ("b",)]))

    assert path.read_text() == "a\nb\n"
    assert read_captions(path, n_worlds=2) == (("a",), ("b",))
    assert read_captions(path, n_worlds=1) == (("a", "b"),)


def test_labels_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "agreement.txt"
    path.write_text("1.0;0.0\nyes\n")

    with pytest.raises(BadCaptionFile, match="line 2: must be numbers joined by `;`, got 'yes'"):
        read_agreement(path)
