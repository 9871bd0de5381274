"""Tests of files with document frequencies, which are written, read and used by CIDEr."""

import json
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.ngram.frequency_files import (
    make_frequencies,
    read_frequencies,
    tabulate_corpus,
    write_frequencies,
)
from metrics_plugins.readers import Corpus
from tests.metrics_plugins.metrics.ngram.tokenized import Blanks, make_batch, make_golden_batch, run, score

GOLDEN_BATCH = make_golden_batch()
CORPUS = Corpus(digest="x", captions=dict(zip(GOLDEN_BATCH.keys, GOLDEN_BATCH.references, strict=True)))


def write(path: Path, content: object) -> str:
    path.write_text(json.dumps(content))
    return str(path)


@pytest.mark.parametrize("name", ["df.json", "df.json.gz"])
def test_a_table_comes_back_as_it_was_counted(name: str, tmp_path: Path) -> None:
    counted = tabulate_corpus(CORPUS, tokenizer=Blanks())
    write_frequencies(tmp_path / name, counted)
    read = read_frequencies(str(tmp_path / name), order=4)

    assert (read.n_images, read.words) == (counted.n_images, counted.words)
    assert [keys.tolist() for keys in read.keys] == [keys.tolist() for keys in counted.keys]
    assert [each.tolist() for each in read.frequencies] == [each.tolist() for each in counted.frequencies]


def test_any_word_comes_back(tmp_path: Path) -> None:
    # JSON lets a caption have a lone surrogate, which UTF-8 cannot say.
    corpus = Corpus(digest="x", captions={"1": ("a\ud800 \u00e9",), "2": ("a\ud800 \u00e9",)})
    write_frequencies(tmp_path / "df.json", tabulate_corpus(corpus, tokenizer=Blanks(), order=1))

    assert read_frequencies(str(tmp_path / "df.json"), order=1).words == ("a\ud800", "\u00e9")


@pytest.mark.parametrize("metric_id", ["cider", "cider-d"])
def test_one_row_scores_under_a_given_table_as_among_all(metric_id: str, tmp_path: Path) -> None:
    path = str(tmp_path / "df.json")
    write_frequencies(Path(path), tabulate_corpus(CORPUS, tokenizer=Blanks()))
    whole = run(metric_id, GOLDEN_BATCH).scores.values

    alone = [run(metric_id, GOLDEN_BATCH.select([row]), df=path).scores.values[0] for row in range(len(GOLDEN_BATCH))]

    assert np.array_equal(alone, whole)
    assert np.array_equal(run(metric_id, GOLDEN_BATCH, df=path).scores.values, whole)


def test_weights_of_a_table_by_hand(tmp_path: Path) -> None:
    # ln 4 - ln 4 = 0 for "a", ln 4 - ln 2 for "dog", ln 4 for "cat", which is unknown. With n = 1 and references
    # "a dog": the candidate "dog cat" has cosine ln 2 ln 2 / (sqrt(ln 2^2 + ln 4^2) ln 2) = 1 / sqrt(5).
    path = write(tmp_path / "df.json", {"n_images": 4, "frequencies": {"a": 4, "dog": 2}})

    assert score("cider", [("dog cat", ["a dog"])], n=1, df=path) == pytest.approx([10 / 5**0.5], abs=1e-12)


def test_parts_that_a_table_lacks_weigh_as_unknown() -> None:
    documents = make_frequencies({"a dog runs": 3, "far too long for this": 2}, n_images=9, order=3)

    assert documents.words == ("a", "dog", "runs")
    assert [each.tolist() for each in documents.frequencies] == [[1, 1, 1], [1], [3]]


def test_signature_names_the_table(tmp_path: Path) -> None:
    path = write(tmp_path / "df.json", {"n_images": 4, "frequencies": {"a": 4}})
    digest = read_frequencies(path, order=4).source

    signature = run("cider-d", make_batch([("a", ["a"])]), df=path).signature

    assert str(signature) == f"cider-d|n:4|sigma:6|tok:blanks|df:{digest}|v:1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], r"must have a number `n_images` and an object `frequencies`, got \[\]"),
        ({"n_images": 0, "frequencies": {}}, "must have a number `n_images`"),
        ({"n_images": 4, "frequencies": []}, "and an object `frequencies`"),
        (
            {"n_images": 4, "frequencies": {"a dog": 5}},
            "n-gram 'a dog': must have .* from 1 to 4, got 5",
        ),
        ({"n_images": 4, "frequencies": {"a": 1.5}}, "n-gram 'a': must have .* got 1.5"),
    ],
)
def test_a_broken_rule_is_named(content: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(MetricError, match=message):
        read_frequencies(write(tmp_path / "df.json", content), order=4)


def test_pickles_and_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")

    with pytest.raises(MetricError, match=r"coco-train\.p: .* must be \.json or \.json\.gz \(pickles are not read\)"):
        read_frequencies("coco-train.p", order=4)
    with pytest.raises(MetricError, match=r"bad\.json: must be JSON"):
        read_frequencies(str(tmp_path / "bad.json"), order=4)
    with pytest.raises(MetricError, match=r"none\.json: cannot be read"):
        read_frequencies(str(tmp_path / "none.json"), order=4)
