"""Tests of Flickr8k's own caption file, and of invalid files."""

import gzip
from pathlib import Path

import pytest

from metrics_plugins.readers import CaptionRecord, InputError, read_corpus
from metrics_plugins.readers.flickr import read_flickr


def test_lines_are_captions_of_images(tmp_path: Path) -> None:
    path = tmp_path / "my.token.txt"
    path.write_text("1.jpg#0\tA dog .\n1.jpg#1\tA hound\n\n2.jpg.1#0\tTwo\tmen\n")

    assert read_flickr(path).records == (
        CaptionRecord(image_id="1.jpg", caption="A dog .", number=1),
        CaptionRecord(image_id="1.jpg", caption="A hound", number=2),
        CaptionRecord(image_id="2.jpg.1", caption="Two\tmen", number=4),
    )


def test_packed_file_is_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "results.token.gz"
    path.write_bytes(gzip.compress(b"1.jpg#0\tA dog\n1.jpg#1\tA hound\n"))

    assert read_corpus(str(path)).captions == {"1.jpg": ("A dog", "A hound")}


def test_published_file_is_read_whole(data_folder: Path) -> None:
    captions = read_corpus(str(data_folder / "flickr8k" / "Flickr8k.token.txt.gz")).captions

    # Counts from the README beside it.
    assert len(captions) == 8092
    assert sum(len(texts) for texts in captions.values()) == 40_460


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1.jpg A dog\n", "line 1: must be IMAGE#N, a tab and a caption, got '1.jpg A dog'"),
        ("1.jpg#0\tA dog\n1.jpg\tA dog\n", "line 2: must be IMAGE#N"),
        ("\n", "must hold captions, got none"),
    ],
)
def test_other_lines_are_refused(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "my.token.txt"
    path.write_text(content)

    with pytest.raises(InputError, match=message):
        read_flickr(path)
