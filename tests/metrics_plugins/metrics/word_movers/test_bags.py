"""Tests of counted words, without stop words and words without vectors."""

from pathlib import Path

from metrics_plugins.api import Batch
from metrics_plugins.metrics.word_movers.bags import derive_bags
from metrics_plugins.metrics.word_movers.stop_words import ENGLISH
from metrics_plugins.metrics.word_movers.vector_files import read_vector_file
from metrics_plugins.text.plugin import provide_tokenizer
from tests.metrics_plugins.metrics.word_movers.plane import write_plane


def test_words_are_counted_in_alphabetical_order(tmp_path: Path) -> None:
    vectors = read_vector_file(write_plane(tmp_path))
    batch = Batch.make(["x", "y"], candidates=["west of East, the west?", "nowhere"])
    bags = derive_bags(batch, provide_tokenizer("ptb"), stop_words="english", vectors=vectors)
    first, second = (bags.get(text) for text in batch.candidate_rows)

    assert bags.vectors.tolist() == [[1, 0], [-1, 0]]  # east, west
    assert (first.ids.tolist(), first.counts.tolist(), first.shares.tolist()) == ([0, 1], [1, 2], [1 / 3, 2 / 3])
    assert len(second.ids) == 0


def test_captions_are_pooled_with_their_repetitions(tmp_path: Path) -> None:
    vectors = read_vector_file(write_plane(tmp_path))
    batch = Batch.make(["x"], caption_sets=[["east west", "west", "west"]])
    bags = derive_bags(batch, provide_tokenizer("ptb"), stop_words="none", vectors=vectors)
    (rows,) = batch.caption_set_rows

    assert bags.pool(rows).counts.tolist() == [1, 3]
    assert bags.pool(rows[:0]).counts.tolist() == []


def test_stop_words_are_function_words_in_lower_case() -> None:
    assert {"the", "is", "n't", "with", "themselves"} < ENGLISH
    assert not ENGLISH & {"man", "dog", "two", "red", "left", "top", ""}
    assert all(word == word.lower() for word in ENGLISH)
