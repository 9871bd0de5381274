"""Tests that intervals of a protocol's rows equal those of explicitly repeated rows, votes and ratings."""

import numpy as np
import pytest

from correlation.errors import CorrelationInputError
from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from correlation.protocols.row import keep_defined
from correlation.resampling.counts import plan_bootstrap
from correlation.resampling.intervals import IntervalRequest
from correlation.tables import JudgmentTable

RNG = np.random.default_rng(21)
N_IMAGES, N_RATERS, N_RESAMPLES = 8, 3, 40
ITEMS = np.array([f"i{k}" for k in range(2 * N_IMAGES)])
IMAGES = np.repeat(np.arange(N_IMAGES), 2)
RATERS = np.array(["ann", "bob", "cem"])
# Multiples of 1/8, so that rounding makes or breaks no tie.
SCORES = np.round(RNG.normal(size=len(ITEMS)) * 8) / 8
RATINGS = RNG.integers(0, 2, size=(len(ITEMS), N_RATERS)).astype(float)
VOTES = RNG.choice([-1.0, 1.0], size=(len(ITEMS), N_RATERS), p=[0.3, 0.7])
PAIR_SCORES = RNG.integers(0, 4, size=(2, len(ITEMS), 2)) / 2
CATEGORY = np.where(np.arange(len(ITEMS)) % 3, "HC", "MM")


def build_table(values, items=ITEMS, images=IMAGES, category=CATEGORY, raters=RATERS):
    return JudgmentTable.build(
        items=items,
        image=images,
        category=category,
        system=np.resize(["s", "t"], len(items)),
        item=np.repeat(items, len(raters)),
        rater=np.tile(raters, len(items)),
        value=values.reshape(-1),
    )


def write_out(axes, seed, build, protocol):
    """Bounds by evaluating, for every resample, a table in which drawn images and raters are copied."""
    plan = plan_bootstrap(axes, n_resamples=N_RESAMPLES, rng=np.random.default_rng(int(seed.integers(2**63))))
    values = []
    for r in range(N_RESAMPLES):
        images, raters = (
            plan.draw_counts(axis, size, start=r, stop=r + 1)[0].astype(int) if axis in axes else np.ones(size, int)
            for axis, size in (("images", N_IMAGES), ("raters", N_RATERS))
        )
        items = np.repeat(np.arange(len(ITEMS)), images[IMAGES])
        values.append([row.value for row in evaluate_protocol(protocol, build(items, np.repeat(np.arange(3), raters)))])
    return np.nanquantile(np.array(values, dtype=float), [0.025, 0.975], axis=0).T.tolist()


def build_rated(items, raters):
    names = [f"{k}" for k in range(len(items))]
    table = build_table(
        RATINGS[np.ix_(items, raters)], names, IMAGES[items], CATEGORY[items], [f"r{k}" for k in range(len(raters))]
    )
    return RatedItems.build(table, scores=SCORES[items])


def build_pairs(items, raters):
    names = [f"{k}" for k in range(len(items))]
    table = build_table(
        VOTES[np.ix_(items, raters)], names, IMAGES[items], CATEGORY[items], [f"r{k}" for k in range(len(raters))]
    )
    return JudgedPairs.build(table, scores=PAIR_SCORES[:, items])


@pytest.mark.parametrize("axes", [("images",), ("raters",), ("images", "raters")], ids="+".join)
@pytest.mark.parametrize("ratings", ["each", "mean", "share-of-yes"])
def test_bounds_of_ratings(ratings, axes):
    protocol = get_protocol(
        "custom", rows="all", references="all", ratings=ratings, measures=("item:kendall-b", "item:pearson")
    )
    request = IntervalRequest("percentile", axes, n_resamples=N_RESAMPLES)
    data = build_rated(np.arange(len(ITEMS)), np.arange(N_RATERS))

    rows = evaluate_protocol(protocol, data, interval=request, rng=np.random.default_rng(2))

    expected = write_out(axes, np.random.default_rng(2), build_rated, protocol)
    np.testing.assert_allclose([[row.low, row.high] for row in rows], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("axes", [("images",), ("raters",), ("images", "raters")], ids="+".join)
def test_bounds_of_pairs(axes):
    protocol = get_protocol("spice-u-pascal", categories=("HC", "MM"))
    request = IntervalRequest("percentile", axes, n_resamples=N_RESAMPLES)
    data = build_pairs(np.arange(len(ITEMS)), np.arange(N_RATERS))

    rows = evaluate_protocol(protocol, data, interval=request, rng=np.random.default_rng(3))

    expected = write_out(axes, np.random.default_rng(3), build_pairs, protocol)
    np.testing.assert_allclose([[row.low, row.high] for row in rows], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", ["bca", "jackknife"])
def test_other_methods_bound_a_row_too(method):
    data = build_pairs(np.arange(len(ITEMS)), np.arange(N_RATERS))

    rows = evaluate_protocol(
        get_protocol("pascal-50s", categories=()),
        data,
        interval=IntervalRequest(method, ("images",), n_resamples=200),
        rng=np.random.default_rng(4),
    )

    assert rows[0].low < rows[0].value < rows[0].high


def test_two_metrics_with_one_seed_share_their_resamples():
    protocol = get_protocol("custom", rows="all", references="all", ratings="each", measures="item:pearson")
    request = IntervalRequest("percentile", ("images",), n_resamples=50)
    data = build_rated(np.arange(len(ITEMS)), np.arange(N_RATERS))

    first, second = (
        evaluate_protocol(protocol, metric, interval=request, rng=np.random.default_rng(5))[0]
        for metric in (data, data.with_scores(2 * SCORES + 1))
    )

    assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=1e-12)


@pytest.mark.parametrize(
    ("ratings", "measure", "message"),
    [("mean", "group:pearson", "not for mean at 'group'"), ("median", "item:pearson", "not for median at 'item'")],
)
def test_raters_of_pooled_ratings_are_resampled_where_a_mean_is_pooled(ratings, measure, message):
    protocol = get_protocol("custom", rows="all", references="all", ratings=ratings, measures=measure)
    data = build_rated(np.arange(len(ITEMS)), np.arange(N_RATERS))

    with pytest.raises(CorrelationInputError, match=message):
        evaluate_protocol(
            protocol, data, interval=IntervalRequest("percentile", ("raters",)), rng=np.random.default_rng(6)
        )


@pytest.mark.parametrize(("value", "kept"), [(None, None), (float("nan"), None), (0, 0.0), (0.25, 0.25)])
def test_keep_defined(value, kept):
    assert keep_defined(value) == kept
