"""Tests that the plugin is found, and of rows without references."""

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.runtime import load_registry, run_metric

METRICS = (
    "spice",
    "spice-attribute",
    "spice-cardinality",
    "spice-color",
    "spice-object",
    "spice-relation",
    "spice-size",
    "spice-u",
    "uniqueness",
)


def test_metrics_of_the_plugin() -> None:
    assert [name.info.id for name in load_registry(strict=True) if name.plugin == "scene_graph"] == list(METRICS)


@pytest.mark.parametrize("metric_id", METRICS)
def test_a_row_without_references_has_no_score(metric_id: str) -> None:
    batch = Batch.make(["0", "1"], candidates=["a dog"] * 2, references=[[], ["a small red dog and two cats on a mat"]])

    metric = load_registry().build(metric_id)
    scores = run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values

    assert np.isnan(scores).tolist() == [True, False]
