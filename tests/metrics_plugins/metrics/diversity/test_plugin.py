"""Tests of all metrics of caption sets: other sets never change a score, and any text is accepted."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.api import Batch, Metric
from tests.metrics_plugins.metrics.diversity.sets import (
    CORPUS_METRICS,
    SET_METRICS,
    fit,
    load_bundled_registry,
    make_batch,
    run,
)

ORDERED = {"self-cider-d", "f-beta"}
WORDS = st.lists(st.sampled_from(["a", "dog", "the", "red", "ball"]), max_size=8).map(" ".join)
TEXTS = st.text(st.characters(), max_size=12) | WORDS
ANY_ROWS = st.lists(st.tuples(st.lists(TEXTS, max_size=5), st.lists(TEXTS, max_size=2)), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def real_batch(data_folder: Path) -> Batch:
    """5,000 sets of two to twelve captions of COCO: those of one image, and some of the next."""
    with gzip.open(data_folder / "coco" / "example_input.json.gz", "rt") as file:
        images = json.load(file)
    references = [image["refs"] for image in images]
    return make_batch(
        [(references[row] + references[row + 1])[: 2 + row // 2 % 9] for row in range(0, 10_000, 2)],
        references=references[::2],
    )


def score(metric: Metric, batch: Batch) -> np.ndarray:
    """Return the bits of each score, so that equal means equal to the last one, NaN included."""
    return run(metric, batch).scores.values.view(np.int64)


def test_all_are_registered() -> None:
    found = [name.info.id for name in load_bundled_registry() if name.plugin == "diversity"]

    assert sorted(found) == sorted([*SET_METRICS, *CORPUS_METRICS])


@pytest.mark.parametrize("metric_id", SET_METRICS)
def test_scores_do_not_depend_on_other_rows(metric_id: str, real_batch: Batch) -> None:
    metric = fit(metric_id, real_batch if metric_id != "novelty" else real_batch.select(range(0, 5000, 2)))
    whole = score(metric, real_batch)
    order = np.random.default_rng(1).permutation(len(real_batch))

    assert np.array_equal(score(metric, real_batch.select(order)), whole[order])
    parts = [score(metric, real_batch.select(rows)) for rows in np.array_split(order, [1, 3, 10, 100, 2000])]
    assert np.array_equal(np.concatenate(parts), whole[order])
    alone = [score(metric, real_batch.select([row]))[0] for row in order[:50]]
    assert alone == whole[order[:50]].tolist()


@pytest.mark.parametrize("metric_id", sorted({*SET_METRICS} - ORDERED))
def test_order_of_captions_does_not_change_a_bit(metric_id: str, real_batch: Batch) -> None:
    generator = np.random.default_rng(2)
    shuffled = make_batch(
        [generator.permutation(np.array(captions, dtype=object)).tolist() for captions in real_batch.caption_sets],
        references=real_batch.references,
    )
    metric = fit(metric_id, real_batch)

    assert np.array_equal(score(metric, shuffled), score(metric, real_batch))


@given(rows=ANY_ROWS, seed=st.integers(0, 9))
@settings(deadline=None)
def test_any_text_stays_within_bounds_and_sets_stay_apart(
    rows: Sequence[tuple[list[str], list[str]]], seed: int
) -> None:
    order = np.random.default_rng(seed).permutation(len(rows))
    caption_sets, references = [captions for captions, _ in rows], [texts for _, texts in rows]
    batch = make_batch(caption_sets, references=references)
    for metric_id in (*SET_METRICS, *CORPUS_METRICS):
        metric = fit(metric_id, batch)
        whole = score(metric, batch)  # raises BadScores out of bounds
        if metric_id in SET_METRICS:
            assert score(metric, batch.select(order)).tolist() == whole[order].tolist()
            assert [score(metric, batch.select([row]))[0] for row in range(len(rows))] == whole.tolist()


def test_set_metrics_summarise_to_their_mean(real_batch: Batch) -> None:
    result = run("lsa", real_batch)

    assert result.corpus == pytest.approx(np.nanmean(result.scores.values), abs=1e-12)
