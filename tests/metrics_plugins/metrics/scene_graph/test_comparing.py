import json
from pathlib import Path

import pytest

from metrics_plugins.api import Batch
from metrics_plugins.metrics.scene_graph.comparing import derive_counts, iterate_references, pair_graphs
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind
from metrics_plugins.metrics.scene_graph.tuple_files import TupleFile
from tests.metrics_plugins.metrics.ngram.tokenized import Blanks

TUPLES = {"a": [["dog"]], "b": [["dog"], ["cat"]], "c": [["hound"], ["tree", "tall"]]}


@pytest.fixture
def parser(tmp_path: Path) -> TupleFile:
    path = tmp_path / "tuples.jsonl"
    path.write_text("".join(json.dumps({"caption": key, "tuples": value}) + "\n" for key, value in TUPLES.items()))
    return TupleFile.open(str(path))


def make_batch() -> Batch:
    return Batch.make(
        ["0", "1", "2", "3"], candidates=["a", "b", "a", ""], references=[["b", "c"], [], ["b", "c"], ["c", "b"]]
    )


def test_counts_by_row(parser: TupleFile) -> None:
    counts = derive_counts(make_batch(), tokenizer=Blanks(), parser=parser)

    assert counts.shape == (4, 3, len(TupleKind))
    # dog/hound, cat, tree and tall tree are what the two references say.
    assert counts[:, :, TupleKind.ALL].tolist() == [[1, 1, 4], [0, 0, 0], [1, 1, 4], [0, 0, 4]]


def test_rows_of_equal_references_share_their_graph(parser: TupleFile) -> None:
    pairs = list(pair_graphs(make_batch(), tokenizer=Blanks(), parser=parser))

    assert [row for row, _, _ in pairs] == [0, 2, 3]
    assert pairs[0][2] is pairs[1][2]
    assert pairs[0][1] is pairs[1][1]
    assert [pair[2].names[0] for pair in pairs] == [("hound/dog",)] * 3


def test_references_come_with_the_number_of_their_rows(parser: TupleFile) -> None:
    found = [
        (n_rows, len(graph.names))
        for n_rows, graph in iterate_references(make_batch(), tokenizer=Blanks(), parser=parser)
    ]

    assert found == [(2, 4), (1, 4)]


def test_captions_are_parsed_once_whoever_asks(parser: TupleFile) -> None:
    batch = make_batch()

    first = derive_counts(batch, tokenizer=Blanks(), parser=parser)

    assert derive_counts(batch, tokenizer=Blanks(), parser=parser) is first
