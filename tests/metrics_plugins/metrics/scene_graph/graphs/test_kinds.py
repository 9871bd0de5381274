"""Tests of the lists of colours, numbers and sizes, which are read from the program's own file."""

from collections import Counter
from pathlib import Path

import pytest

from metrics_plugins.api.errors import MissingResource
from metrics_plugins.metrics.scene_graph.graphs import kinds
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind, load_attribute_kinds


def test_lists_are_those_of_the_program() -> None:
    found = load_attribute_kinds()

    # 18 colours, ten numbers, and sizes: as the paper's section 3.4 names the three kinds.
    assert Counter(found.values()) == {TupleKind.COLOR: 18, TupleKind.CARDINALITY: 10, TupleKind.SIZE: 105}
    numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    assert sorted(word for word, kind in found.items() if kind is TupleKind.CARDINALITY) == sorted(numbers)
    assert [found.get(word) for word in ("red", "dark", "tiny", "big", "golden", "2")] == [
        TupleKind.COLOR,
        TupleKind.COLOR,
        TupleKind.SIZE,
        TupleKind.SIZE,
        None,
        None,
    ]


def test_a_file_without_the_lists_is_refused() -> None:
    with pytest.raises(MissingResource, match=r"other\.jar must hold the list commonColors in .*TupleFilter"):
        kinds._read_list("class TupleFilter {}", "commonColors", jar=Path("other.jar"))
