"""Tests of every bundled metric: any text is accepted, and other rows never change a score."""

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.api import Level, Metric
from metrics_plugins.encoders import devices
from tests.metrics_plugins.bundled import Row, fit, list_bundled, score

# SPICE merges the graphs of references in their order, as the program that defined it does.
MINDS_REFERENCE_ORDER: Final = frozenset(name for name in list_bundled() if name.startswith("spice")) | {"uniqueness"}
# Defined on segments of a system's words in the order of its captions.
MINDS_ROW_ORDER: Final = frozenset({"ttr-1", "ttr-2"})
# Undefined where no reference names a colour, a number or a size.
OFTEN_UNDEFINED: Final = frozenset({"spice-color", "spice-cardinality", "spice-size"})
# A last bit that depends on other rows changes in some rows of a hundred; families have tests of thousands of rows.
N_ROWS: Final = 500
# With references, some 800 texts: several tiles of each common length, and full tiles as well as ones to fill up.
N_ENCODED: Final = 120
ON_NETWORKS: Final = ("clip-score", "critic-judgments", "critic-lstm", "critic-reference", "ref-clip-score")
ON_ENCODERS: Final = (*ON_NETWORKS, "embedding-f1", "sentence-cosine")

WORDS = st.lists(st.sampled_from(["a", "dog", "the", "red", "ball", "two", "Dogs", "."]), max_size=8).map(" ".join)
TEXTS = st.text(st.characters(), max_size=12) | WORDS
ROWS = st.lists(st.tuples(st.lists(TEXTS, min_size=1, max_size=4), st.lists(TEXTS, max_size=3)), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def real_rows(data_folder: Path) -> list[Row]:
    """Captions of COCO with five or six references each; the caption set has some of the next image's too."""
    with gzip.open(data_folder / "coco" / "example_input.json.gz", "rt") as file:
        images = json.load(file)[: N_ROWS + 1]
    return [([image["test"], *following["refs"][:3]], image["refs"]) for image, following in pairwise(images)]


def fit_with_small_tiles(metric_id: str, rows: list[Row]) -> Metric:
    """Return a fitted metric whose encoders do not fill up each tile of a few texts to hundreds of tokens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(devices, "_TOKENS_ON_PROCESSOR", 16)
        return fit(metric_id, rows)


@pytest.mark.parametrize("metric_id", list_bundled())
@given(rows=ROWS, seed=st.integers(0, 9))
@settings(deadline=None, max_examples=40)
def test_any_text(metric_id: str, rows: list[Row], seed: int) -> None:
    generator = np.random.default_rng(seed)
    metric = fit_with_small_tiles(metric_id, rows)

    scores = score(metric, rows)

    order = generator.permutation(len(rows))
    shuffled = [rows[row] for row in order]
    turned = [(captions, [texts[place] for place in generator.permutation(len(texts))]) for captions, texts in rows]
    if metric_id in MINDS_REFERENCE_ORDER:
        np.testing.assert_array_equal(score(metric, shuffled), scores[order])
    elif metric_id in MINDS_ROW_ORDER:
        score(metric, shuffled)  # raises BadScores out of bounds
        np.testing.assert_array_equal(score(metric, rows), scores)
        np.testing.assert_array_equal(score(metric, turned), scores)
    elif metric.info.level is Level.CORPUS:
        np.testing.assert_allclose(score(metric, shuffled), scores, rtol=1e-12)
        np.testing.assert_array_equal(score(metric, turned), scores)
    else:
        both = np.concatenate([scores[order], scores])
        np.testing.assert_array_equal(score(metric, [*shuffled, *turned]), both)


@pytest.mark.slow
@pytest.mark.parametrize("metric_id", list_bundled(Level.SEGMENT, Level.SET))
def test_scores_do_not_depend_on_other_rows(metric_id: str, real_rows: list[Row]) -> None:
    rows = real_rows[:N_ENCODED] if metric_id.startswith(ON_ENCODERS) else real_rows
    metric = fit(metric_id, rows)
    order = np.random.default_rng(1).permutation(len(rows))

    scores = score(metric, rows)

    assert np.isfinite(scores).mean() > (0.2 if metric_id in OFTEN_UNDEFINED else 0.5)
    np.testing.assert_array_equal(score(metric, [rows[row] for row in order]), scores[order])
    every = 12 if metric_id in ON_NETWORKS else 1
    alone = np.concatenate([score(metric, [row]) for row in rows[::every]])
    np.testing.assert_array_equal(alone, scores[::every])
