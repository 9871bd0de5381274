import numpy as np
import pytest

from metrics_plugins.runtime.chunks import ChunkResult
from studies.models import Run, ScoreChunk
from studies.scoring.chunks import (
    count_chunks,
    find_missing,
    finish_if_complete,
    get_rows,
    save_chunk,
    unpack_scores,
    unpack_statistics,
)
from tests.factories.studies import NOW


def make_run(*, n_rows=5, chunk_size=2, **changes):
    fields = {
        "metric": "words",
        "signature": "words|v:1",
        "input_digest": "digest",
        "n_rows": n_rows,
        "chunk_size": chunk_size,
        "higher_is_better": True,
        "plugin": "examples",
        "versions": {},
        "device": "cpu",
        "dtype": "float64",
        "started_at": NOW,
    }
    return Run.objects.create(**fields | changes)


def make_result(index, values, *, statistics=None):
    return ChunkResult("words", index, 0.5, np.asarray(values, dtype=np.float64), statistics)


@pytest.mark.parametrize(("n_rows", "chunk_size", "expected"), [(0, 2, 0), (1, 2, 1), (4, 2, 2), (5, 2, 3)])
def test_count_chunks(n_rows, chunk_size, expected):
    assert count_chunks(Run(n_rows=n_rows, chunk_size=chunk_size)) == expected


def test_the_last_chunk_is_short():
    assert [list(get_rows(Run(n_rows=5, chunk_size=2), index)) for index in range(3)] == [[0, 1], [2, 3], [4]]


@pytest.mark.django_db
def test_chunks_come_in_any_order():
    run = make_run()
    save_chunk(run, make_result(2, [0.5]))
    save_chunk(run, make_result(0, [0.1, np.nan]))
    assert find_missing(run) == [1]
    assert not finish_if_complete(run, now=NOW)

    save_chunk(run, make_result(1, [-np.pi, 1e-300]))

    assert finish_if_complete(run, now=NOW)
    run.refresh_from_db()
    assert (run.finished_at, run.seconds) == (NOW, 1.5)
    np.testing.assert_array_equal(unpack_scores(run), [0.1, np.nan, -np.pi, 1e-300, 0.5])
    assert unpack_statistics(run) is None


@pytest.mark.django_db
def test_statistics_are_kept_by_row():
    run = make_run(n_rows=3)
    save_chunk(run, make_result(0, [1, 2], statistics=np.asarray([[1.0, 2.0], [3.0, 4.0]])))
    save_chunk(run, make_result(1, [3], statistics=np.asarray([[5.0, 6.0]])))

    assert unpack_statistics(run).tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


@pytest.mark.django_db
def test_a_chunk_that_is_there_is_left_alone():
    run = make_run()
    save_chunk(run, make_result(0, [1, 2]))

    save_chunk(run, make_result(0, [3, 4]))

    run.refresh_from_db()
    assert run.seconds == 0.5
    assert ScoreChunk.objects.get(run=run).values == np.asarray([1.0, 2.0]).tobytes()


@pytest.mark.django_db
def test_an_error_is_not_a_chunk():
    with pytest.raises(ValueError, match="chunk 0 of words holds an error and no scores"):
        save_chunk(make_run(), ChunkResult("words", 0, 0.5, error="BadScores"))
