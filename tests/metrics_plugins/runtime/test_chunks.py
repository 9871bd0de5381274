"""Tests that chunks of rows can be pickled, and that their joined scores equal those of all rows."""

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.api.errors import BadScores
from metrics_plugins.runtime import run_metric
from metrics_plugins.runtime.chunks import (
    ChunkResult,
    cut_chunks,
    decode_result,
    encode_result,
    join_results,
    score_chunk,
)
from tests.metrics_plugins.api.examples import Recall, Vocabulary, Words

CAPTIONS = ("one", "two words", "", "a b c d", "one two three")
ROWS = Batch.make(
    [f"row-{number}" for number in range(5)],
    candidates=CAPTIONS,
    references=[["two words"], ["two", "b"], [], ["a"], ["x"]],
)


@pytest.mark.parametrize(("size", "lengths"), [(2, [2, 2, 1]), (4, [4, 1]), (5, [5]), (9, [5])])
def test_rows_are_cut_without_loss(size, lengths):
    chunks = cut_chunks(ROWS, ("words",), size=size)

    assert [len(chunk.batch) for chunk in chunks] == lengths
    assert [chunk.index for chunk in chunks] == list(range(len(lengths)))
    assert [key for chunk in chunks for key in chunk.batch.keys] == list(ROWS.keys)
    assert {chunk.metrics for chunk in chunks} == {("words",)}


def test_one_chunk_is_the_batch_itself_with_what_it_remembers():
    (chunk,) = cut_chunks(ROWS, ("words",))

    assert chunk.batch is ROWS


@pytest.mark.parametrize("metric", [Words(), Recall(power=2.0)], ids=["mean", "decomposable"])
def test_chunks_in_any_order_say_what_the_whole_says(metric):
    whole = run_metric(metric, ROWS, rng=np.random.default_rng(0))
    results = [result for chunk in cut_chunks(ROWS, ("m",), size=2) for result in score_chunk({"m": metric}, chunk)]

    joined = join_results(metric, results[::-1], keys=ROWS.keys)

    assert joined.scores.keys == whole.scores.keys
    assert joined.scores.values.tobytes() == whole.scores.values.tobytes()
    assert (joined.corpus, joined.signature, joined.n_infinite) == (whole.corpus, whole.signature, 0)
    assert (joined.statistics is None) == (whole.statistics is None)


class Learned(Words):
    """The number of words, fitted on the judgments of the rows 0 to 2."""

    @property
    def fitted_on(self) -> frozenset[str]:
        return frozenset({"row-0", "row-1", "row-2"})


def test_rows_that_a_metric_learned_from_have_no_score_even_if_they_are_a_whole_chunk():
    results = [result for chunk in cut_chunks(ROWS, ("m",), size=2) for result in score_chunk({"m": Learned()}, chunk)]

    joined = join_results(Learned(), results, keys=ROWS.keys)

    assert [result.error for result in results] == ["", "", ""]
    np.testing.assert_array_equal(joined.scores.values, [np.nan, np.nan, np.nan, 4, 3])
    assert joined.corpus == 3.5


def test_metric_that_learned_from_all_rows_of_an_input_fails():
    (chunk,) = cut_chunks(ROWS.select([0, 1, 2]), ("m",), size=3)
    (result,) = score_chunk({"m": Learned()}, chunk)

    assert result.error.startswith("metric 'words' was fitted on 3 of these 3 rows")


def test_metric_of_all_rows_together_has_one_score():
    (chunk,) = cut_chunks(ROWS, ("vocabulary",))
    run = join_results(Vocabulary(), score_chunk({"vocabulary": Vocabulary()}, chunk), keys=ROWS.keys)

    assert (run.scores.values.tolist(), run.corpus) == ([8.0], 8.0)


def test_result_travels_as_bytes():
    (result,) = score_chunk({"recall": Recall(power=1.0)}, cut_chunks(ROWS, ("recall",))[0])
    fields, blob = encode_result(result)

    read = decode_result(fields, blob, metric="recall", index=0, n_rows=5, seconds=result.seconds)

    assert read.values.tobytes() == result.values.tobytes()
    assert read.statistics.tobytes() == result.statistics.tobytes()
    assert (read.n_infinite, read.peak, read.seconds) == (result.n_infinite, result.peak, result.seconds)
    with pytest.raises(BadScores, match="gave 5 scores for 4 rows"):
        decode_result(fields, blob, metric="recall", index=0, n_rows=4, seconds=0.0)
    with pytest.raises(BadScores, match="cannot be read"):
        decode_result({}, blob, metric="recall", index=0, n_rows=5, seconds=0.0)


def test_error_has_no_scores_to_travel():
    with pytest.raises(ValueError, match="chunk 3 of words holds an error"):
        encode_result(ChunkResult("words", 3, 0.0, error="it failed"))
