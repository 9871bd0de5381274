"""Tests of the arrays for a few phrases."""

from pathlib import Path

from metrics_plugins.metrics.meteor.indexing import WORD_BITS, index_sources
from tests.metrics_plugins.metrics.meteor.tiny import write_sources


def test_tree_and_edges(tmp_path: Path) -> None:
    arrays = index_sources(write_sources(tmp_path))

    words = arrays["word_letters"].tobytes().decode().split("\n")
    assert words[:7] == ["a", "dog", "one", "big", "hound", "runs", "animal"]
    # Depth 1: a, dog, one, big, hound, animal; depth 2: a dog, one dog, big dog; depth 3: big dog runs.
    assert arrays["level_offsets"].tolist() == [0, 6, 9, 10]
    assert arrays["node_keys"].tolist() == [
        *(0, 1, 2, 3, 4, 6),
        *(parent << WORD_BITS | 1 for parent in (0, 2, 3)),
        2 << WORD_BITS | 5,
    ]
    # dog -> big dog, animal; a dog -> one dog, hound; big dog runs -> dog: by phrase, then as in the table.
    assert arrays["edge_offsets"].tolist() == [0, 0, 2, 2, 2, 2, 2, 4, 4, 4, 5]
    assert arrays["edge_targets"].tolist() == [8, 5, 7, 4, 1]
