"""Tests of the features of rows, which equal the metrics' scores and do not depend on other rows."""

import numpy as np

from metrics_plugins.api import Batch
from metrics_plugins.metrics.critics.judged.metric import CriticJudgments
from metrics_plugins.metrics.critics.reference.settings import PARTS
from metrics_plugins.runtime import load_registry, run_metric

ROWS = [
    ("a dog runs on the grass", ["a brown dog runs", "the dog is running on grass", "a dog"]),
    ("two men", ["a cat sleeps on a chair"]),
    ("a red bus", []),
]
RNG = np.random.default_rng(0)


def make_batch(rows: list) -> Batch:
    return Batch.make(
        [str(row) for row in range(len(rows))],
        candidates=[candidate for candidate, _ in rows],
        references=[references for _, references in rows],
    )


def test_features_are_what_the_metrics_say() -> None:
    metric = load_registry().build("critic-judgments")
    assert isinstance(metric, CriticJudgments)
    batch = make_batch(ROWS)

    found = dict(zip(metric.settings.names, metric.reader.measure(batch).T, strict=True))

    for name, metric_id in (("sentence mean", "sentence-cosine"), ("sentence best", "sentence-cosine-max")):
        plain = run_metric(load_registry().build(metric_id), batch, rng=RNG).scores.values
        np.testing.assert_array_equal(found[name], plain)
    for name in ("bleu-1", "rouge-l", "meteor"):
        plain = run_metric(load_registry().build(name), batch, rng=RNG).scores.values
        np.testing.assert_array_equal(found[name][:2], plain[:2])
    critic = run_metric(metric.reader.critic, batch, rng=RNG).scores.values
    parts = np.column_stack([found[f"critic {part.replace('_', ' ')}"] for part in PARTS])
    np.testing.assert_array_equal((parts * metric.reader.critic.head.shares).sum(axis=1), critic)
    np.testing.assert_allclose(found["length"][:2], [np.log(7 / (1 + 12 / 3)), np.log(3 / 7)])
    # One reference is alike to none; without any there is nothing to measure.
    assert np.isfinite(found["references alike"]).tolist() == [True, False, False]
    assert all(np.isnan(values[2]) for values in found.values())
    np.testing.assert_array_equal(metric.reader.measure(make_batch(ROWS[:1])), metric.reader.measure(batch)[:1])
