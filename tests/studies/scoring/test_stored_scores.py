from datetime import timedelta
from time import perf_counter

import numpy as np
import pytest

from metrics_plugins.api import Level
from studies.models import ScoreChunk, ScoringInput
from studies.scoring.chunks import pack
from studies.scoring.references import ReferenceSelection
from studies.scoring.stored_scores import average_alternatives, load_scores
from tests.factories.studies import NOW, make_dataset
from tests.studies.scoring.test_chunks import make_run

ALL = ReferenceSelection("all")

pytestmark = pytest.mark.django_db


def make_input(dataset, ids, *, digest="digest", created_at=NOW):
    return ScoringInput.objects.create(
        dataset=dataset,
        level="segment",
        references="all",
        digest=digest,
        n_rows=len(ids),
        row_ids=np.asarray(ids, dtype="<i8").tobytes(),
        created_at=created_at,
    )


def make_scores(values, *, chunk_size=2, **changes):
    run = make_run(n_rows=len(values), chunk_size=chunk_size, **{"finished_at": NOW} | changes)
    for index in range(0, len(values), chunk_size):
        chunk = np.asarray(values[index : index + chunk_size])
        ScoreChunk.objects.create(run=run, index=index // chunk_size, values=pack(chunk))
    return run


def load(dataset, **versions):
    return load_scores(dataset, level=Level.SEGMENT, selection=ALL, versions=versions or {"words": "1"})


def test_scores_are_aligned_with_ids():
    dataset = make_dataset()
    make_input(dataset, [10, 11, 15])
    run = make_scores([0.5, np.nan, 2.5])

    loaded = load(dataset)

    assert loaded.runs == {"words": run}
    assert loaded.values["words"].dtype == np.float64
    np.testing.assert_array_equal(loaded.values["words"], [0.5, np.nan, 2.5])
    assert loaded.find_rows(np.asarray([15, 12, 10, 99])).tolist() == [2, -1, 0, -1]


def test_unfinished_stale_and_unasked_scores_are_not_loaded():
    dataset = make_dataset()
    make_input(dataset, [10])
    make_scores([1.0], metric="unfinished", signature="unfinished|v:1", finished_at=None)
    make_scores([1.0], metric="stale", signature="stale|v:1")
    make_scores([1.0], metric="unasked", signature="unasked|v:1")

    assert load(dataset, unfinished="1", stale="2").values == {}


def test_the_newest_input_counts():
    dataset = make_dataset()
    make_input(dataset, [10], created_at=NOW + timedelta(days=1))
    make_input(dataset, [10, 11], digest="older")
    make_scores([1.0, 2.0], input_digest="older")

    assert load(dataset).values == {}
    assert load(dataset).row_ids.tolist() == [10]


def test_nothing_scored_is_nothing_found():
    loaded = load(make_dataset())

    assert loaded.values == {}
    assert loaded.find_rows(np.asarray([3])).tolist() == [-1]


@pytest.mark.slow
@pytest.mark.alone
def test_a_million_scores_load_in_under_a_second():
    dataset = make_dataset()
    make_input(dataset, np.arange(1_000_000))
    make_scores(np.linspace(0, 1, 1_000_000), chunk_size=5000)

    started = perf_counter()
    loaded = load(dataset)
    elapsed = perf_counter() - started

    assert len(loaded.values["words"]) == len(loaded.row_ids) == 1_000_000
    assert loaded.values["words"][-1] == 1.0
    assert elapsed < 1.0


def test_rows_of_one_caption_are_averaged():
    ids, values = average_alternatives(np.array([3, 5, 5, 5, 8, 8]), np.array([1.0, 1.0, 2.0, 6.0, 4.0, np.nan]))

    assert ids.tolist() == [3, 5, 8]
    np.testing.assert_array_equal(values, [1, 3, np.nan])
