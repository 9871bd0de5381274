"""Tests of corpora from files in every format, alone and together."""

import json
import zipfile
from pathlib import Path

import pytest

from metrics_plugins.api import FitsOn, Input
from metrics_plugins.readers import InputError, read_corpus
from tests.metrics_plugins.api.examples import make_info

CAPTIONS = [{"image_id": 7, "caption": "a dog"}, {"image_id": 8, "caption": "the sky"}, {"image_id": 7, "caption": "a"}]
ANNOTATIONS = {"images": [{"id": 7}, {"id": 8}], "annotations": CAPTIONS}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.json").write_text(json.dumps(ANNOTATIONS))
    (tmp_path / "train.csv").write_text("image_id,caption\n7,a dog\n8,the sky\n7,a\n")
    (tmp_path / "plain.txt").write_text("two birds\n\n  a cat\n")
    with zipfile.ZipFile(tmp_path / "all.jar", "w") as jar:
        jar.write(tmp_path / "train.json", "data/captions_train.json")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["train.json", "train.csv", "all.jar!captions_train.json", "all.jar!data/captions_train.json"]
)
def test_the_same_captions_have_the_same_digest_whatever_their_file(name: str, folder: Path) -> None:
    corpus = read_corpus(str(folder / name))

    assert corpus.captions == {"7": ("a dog", "a"), "8": ("the sky",)}
    assert corpus.digest == read_corpus(str(folder / "train.json")).digest


def test_files_are_read_together_and_lines_are_images_of_their_own(folder: Path) -> None:
    corpus = read_corpus(f"{folder}/train.csv, {folder}/plain.txt")

    assert corpus.captions == {
        "7": ("a dog", "a"),
        "8": ("the sky",),
        "plain.txt line 1": ("two birds",),
        "plain.txt line 3": ("a cat",),
    }
    assert corpus.digest != read_corpus(str(folder / "train.csv")).digest


def test_rows_are_images_or_captions_as_the_metric_reads_them(folder: Path) -> None:
    corpus = read_corpus(str(folder / "train.csv"))
    sets = corpus.make_batch(make_info("a", inputs=frozenset({Input.CAPTION_SET}), fits_on=FitsOn.CAPTIONS))
    single = corpus.make_batch(make_info("b", fits_on=FitsOn.CAPTIONS))

    assert (sets.keys, list(sets.caption_sets)) == (("7", "8"), [("a dog", "a"), ("the sky",)])
    assert (single.keys, list(single.candidates)) == (("7", "7", "8"), ["a dog", "a", "the sky"])
    assert list(single.references) == [("a dog", "a"), ("a dog", "a"), ("the sky",)]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (" , ", "a corpus must be named by files, separated by commas, got ' , '"),
        ("{}/nothing.txt", r"nothing\.txt: cannot be read: No such file"),
        ("{}/blank.txt", r"blank\.txt: must hold captions, got none"),
        ("{}/all.jar!other.json", r"must hold one file 'other\.json', got 0"),
        ("{}/train.csv!x.json", "must be a complete, unencrypted zip"),
        ("{}/train.md", r"train\.md: the name must end in"),
    ],
)
def test_what_is_wrong_is_said(names: str, message: str, folder: Path) -> None:
    (folder / "blank.txt").write_text("\n \n")

    with pytest.raises(InputError, match=message):
        read_corpus(names.format(folder))
