from math import isnan

import numpy as np
import pytest
import scipy.stats

from correlation.agreement.ceiling import measure_ceiling
from correlation.correlate import correlate
from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.resampling.intervals import IntervalRequest
from correlation.tables import JudgmentTable

RNG = np.random.default_rng(9)
N_ITEMS = 60
TRUTH = RNG.normal(size=(N_ITEMS, 1))
TABLE = TRUTH + RNG.normal(size=(N_ITEMS, 4))
IMAGES = np.arange(N_ITEMS) // 3
SYSTEMS = np.arange(N_ITEMS) % 3


def build(table, **columns):
    item, rater = np.indices(table.shape)
    given = ~np.isnan(table)
    return JudgmentTable.build(
        items=np.arange(len(table)),
        image=IMAGES[: len(table)],
        system=SYSTEMS[: len(table)],
        item=item[given],
        rater=rater[given],
        value=table[given],
        **columns,
    )


# The published inter-human number of Flickr8k-Expert: the mean of the three pairs' tau-b, without own references.
def test_flickr8k_expert_mean_pairwise_tau_b(flickr8k_expert):
    judgments = flickr8k_expert.judgments
    used = ~flickr8k_expert.in_references[judgments.item]

    result = measure_ceiling(judgments.keep(used), method="mean-pairwise", coefficient="kendall-b")

    assert [part.value for part in result.parts] == pytest.approx([0.77473, 0.65524, 0.77851], abs=5e-6)
    assert result.value == pytest.approx(0.736, abs=5e-4)
    assert [part.n for part in result.parts] == [5664] * 3


def test_mean_pairwise_by_scipy():
    expected = [scipy.stats.pearsonr(TABLE[:, a], TABLE[:, b])[0] for a in range(4) for b in range(a + 1, 4)]

    result = measure_ceiling(build(TABLE), method="mean-pairwise", coefficient="pearson")

    assert [part.value for part in result.parts] == pytest.approx(expected, abs=1e-12)
    assert [part.name for part in result.parts][:2] == ["0 x 1", "0 x 2"]


def test_leave_one_out_by_scipy_with_gaps():
    table = TABLE.copy()
    table[RNG.random(table.shape) < 0.2] = np.nan
    expected = []
    for rater in range(4):
        rest = np.delete(table, rater, axis=1)
        both = ~np.isnan(table[:, rater]) & ~np.isnan(rest).all(axis=1)
        expected.append(scipy.stats.spearmanr(table[both, rater], np.nanmean(rest[both], axis=1))[0])

    result = measure_ceiling(build(table), method="leave-one-out", coefficient="spearman")

    assert [part.value for part in result.parts] == pytest.approx(expected, abs=1e-12)
    assert result.value == pytest.approx(np.mean(expected), abs=1e-12)


# Each judgment is truth + noise of the same variance: halves of two correlate 1/(1 + 1/2) = 2/3, all four with another
# four 2 * 2/3 / (1 + 2/3) = 4/5.
def test_split_half_estimates_the_reliability_of_all_judgments():
    rng = np.random.default_rng(1)
    n = 4000
    table = rng.normal(size=(n, 1)) + rng.normal(size=(n, 4))
    judgments = JudgmentTable.build(
        items=np.arange(n),
        image=np.arange(n),
        item=np.arange(n).repeat(4),
        rater=np.tile(np.arange(4), n),
        value=table.reshape(-1),
    )

    result = measure_ceiling(judgments, method="split-half", coefficient="pearson", n_splits=5, rng=rng)

    assert result.value == pytest.approx(0.8, abs=0.02)
    assert len(result.parts) == 5


# Without ties, AUC over all pairs is (1 + tau-a) / 2, and so it is after the correction for halves.
def test_split_half_of_an_auc_is_corrected_around_chance():
    auc, tau = (
        measure_ceiling(
            build(TABLE), method="split-half", coefficient=name, n_splits=5, rng=np.random.default_rng(3)
        ).value
        for name in ("auc", "kendall-a")
    )

    assert auc == pytest.approx((1 + tau) / 2, abs=1e-12)


def test_split_half_of_three_judgments_leaves_one_against_two():
    result = measure_ceiling(build(TABLE[:, :3]), method="split-half", coefficient="pearson", n_splits=3, rng=RNG)

    assert [part.n for part in result.parts] == [N_ITEMS] * 3


@pytest.mark.parametrize("level", ["item", "group", "system", "global"])
@pytest.mark.parametrize("axis", ["images", "systems"])
def test_intervals_at_every_level(level, axis):
    table = TABLE.copy()
    table[:9, 0] = np.nan

    result = measure_ceiling(
        build(table),
        method="leave-one-out",
        coefficient="pearson",
        level=level,
        interval=IntervalRequest("percentile", (axis,), n_resamples=100),
        rng=np.random.default_rng(3),
    )

    assert result.low <= result.high
    assert result.interval.request.resampled == (axis,)


def test_one_pair_of_raters_has_the_interval_of_its_correlation():
    request = IntervalRequest("percentile", ("images",), n_resamples=100)
    ceiling = measure_ceiling(
        build(TABLE[:, :2]),
        method="mean-pairwise",
        coefficient="kendall-b",
        interval=request,
        rng=np.random.default_rng(8),
    )

    seed = int(np.random.default_rng(8).integers(2**63))
    result = correlate(
        TABLE[:, 0],
        TABLE[:, 1],
        level="item",
        coefficient="kendall-b",
        groups=IMAGES.astype(str),
        interval=request,
        rng=np.random.default_rng(seed),
    )
    expected = result.value, result.low, result.high
    assert (ceiling.value, ceiling.low, ceiling.high) == pytest.approx(expected, abs=1e-12)


def test_a_metric_above_the_ceiling_is_marked():
    result = measure_ceiling(build(TABLE), method="mean-pairwise", coefficient="pearson")

    assert result.is_exceeded_by(result.value + 0.01)
    assert not result.is_exceeded_by(result.value)
    assert not result.is_exceeded_by(float("nan"))


@pytest.mark.parametrize("method", ["mean-pairwise", "leave-one-out", "split-half"])
def test_one_rater_has_no_ceiling(method):
    result = measure_ceiling(build(TABLE[:, :1]), method=method, coefficient="pearson", n_splits=2, rng=RNG)

    assert isnan(result.value)
    assert result.reason == (
        "no caption was judged by two raters; plan at least three raters per caption to obtain one"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "best"}, "unknown method of the human ceiling 'best'; known are: mean-pairwise"),
        ({"level": "corpus"}, "unknown level 'corpus'"),
        ({"method": "split-half", "rng": None}, "`rng` is needed by method 'split-half', got None"),
        ({"method": "split-half", "n_splits": 0}, "`n_splits` must be at least 1, got 0"),
    ],
)
def test_refuses(arguments, message):
    with pytest.raises((CorrelationInputError, UnknownNameError), match=message):
        measure_ceiling(build(TABLE), **{"method": "leave-one-out", "coefficient": "pearson", "rng": RNG, **arguments})


def test_several_criteria_are_refused():
    table = JudgmentTable.build(
        items=["a"], image=["1"], item=["a", "a"], rater=["x", "x"], value=[1, 2], criterion=["M1", "M2"]
    )

    with pytest.raises(CorrelationInputError, match="must be of one criterion, got several"):
        measure_ceiling(table, method="mean-pairwise", coefficient="pearson")
