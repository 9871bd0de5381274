"""Tests of many metrics under a protocol: each on its own rows, with the same resamples."""

import dataclasses

import numpy as np
import pytest

from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.evaluate_metrics import evaluate_metrics
from correlation.protocols.inputs import RatedItems
from correlation.protocols.named import get_protocol
from correlation.resampling.intervals import IntervalRequest
from correlation.tables import JudgmentTable

N_ITEMS, N_RATERS = 30, 4


def make_data():
    rng = np.random.default_rng(6)
    item, rater = (axis.reshape(-1) for axis in np.indices((N_ITEMS, N_RATERS)))
    quality = rng.normal(size=N_ITEMS)
    table = JudgmentTable.build(
        items=[f"i{number}" for number in range(N_ITEMS)],
        image=[f"image {number // 3}" for number in range(N_ITEMS)],
        item=[f"i{number}" for number in item],
        rater=[f"r{number}" for number in rater],
        value=np.clip(np.round(2.5 + quality[item] + 0.7 * rng.normal(size=len(item))), 1, 4),
    )
    good, poor = quality + rng.normal(size=N_ITEMS), quality + 3 * rng.normal(size=N_ITEMS)
    gaps = np.where(np.arange(N_ITEMS) % 5 == 0, np.nan, good)
    scores = {"good": good, "gaps": gaps, "poor": np.round(poor), "constant": np.ones(N_ITEMS)}
    return {name: RatedItems.build(table, scores=column) for name, column in scores.items()}


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(
    ("ratings", "measures", "interval"),
    [
        ("each", ["item:kendall-c", "item:pearson"], IntervalRequest("percentile", ("images", "raters"), 30)),
        ("mean", ["item:kendall-c"], IntervalRequest("percentile", ("images", "raters"), 30)),
        ("mean", ["item:spearman"], IntervalRequest("bca", ("images",), 30)),
        ("median", ["item:spearman"], IntervalRequest("percentile", ("images",), 30)),
        ("mean", ["item:pearson", "group:pearson"], IntervalRequest("percentile", ("images",), 30)),
        ("each", ["item:kendall-b"], None),
        ("dawid-skene", ["item:kendall-c", "group:kendall-c"], None),
        ("z-mean", ["group:spearman"], IntervalRequest("percentile", ("images",), 30)),
    ],
    ids=[
        "together",
        "pooled anew",
        "another method",
        "pooled once",
        "a level without",
        "no interval",
        "a model",
        "by rater",
    ],
)
def test_rows_are_those_of_each_metric(ratings, measures, interval, processes):
    protocol = get_protocol("custom", rows="all", references="all", ratings=ratings, measures=measures)
    data = make_data()

    found = dict(evaluate_metrics(protocol, data, interval=interval, seed=8, processes=processes))

    assert list(found) == list(data)
    for name, rows in found.items():
        alone = evaluate_protocol(protocol, data[name], interval=interval, rng=np.random.default_rng(8))
        assert [row.coefficient for row in rows] == [row.coefficient for row in alone]
        for row, expected in zip(rows, alone, strict=True):
            assert (row.n, row.n_missing, row.reason) == (expected.n, expected.n_missing, expected.reason)
            assert row.value == pytest.approx(expected.value, abs=0, nan_ok=True)
            if interval is not None:
                bounds = (row.low, row.high)
                assert bounds == pytest.approx((expected.low, expected.high), abs=1e-12, nan_ok=True)


def test_criteria_are_pooled_apart():
    table = next(iter(make_data().values())).judgments
    criterion = np.where(np.arange(len(table.value)) % 2 == 0, "M1", "M2")
    asked = dataclasses.replace(table, criterion=criterion)
    data = {name: dataclasses.replace(each, judgments=asked) for name, each in make_data().items()}
    protocol = get_protocol("coco-2015", measures=["item:kendall-b"], criteria=["M1", "M2"])

    found = dict(evaluate_metrics(protocol, data, interval=None, seed=8))

    assert found["good"] == evaluate_protocol(protocol, data["good"], metric="good")
    assert found["good"][0].value != found["good"][1].value
