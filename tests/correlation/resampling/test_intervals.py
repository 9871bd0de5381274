import time
from math import atanh, isnan, sqrt, tanh

import numpy as np
import pytest
import scipy.stats

from correlation.correlate import correlate
from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.resampling.counts import plan_bootstrap
from correlation.resampling.intervals import IntervalRequest

RNG = np.random.default_rng(4)
N = 60
X = RNG.normal(size=N)
Y = X + RNG.normal(size=N)


def bound(request, *, coefficient="pearson", seed=1, x=X, y=Y, level="item", **keys):
    result = correlate(
        x, y, level=level, coefficient=coefficient, interval=request, rng=np.random.default_rng(seed), **keys
    )
    return result.low, result.high


# SciPy 1.17.1 `bootstrap` draws rows by itself: with 20,000 resamples the ends agree to the Monte Carlo error.
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("coefficient", ["pearson", "kendall-b"])
def test_bootstrap_of_rows_agrees_with_scipy(method, coefficient):
    statistic = {"pearson": scipy.stats.pearsonr, "kendall-b": scipy.stats.kendalltau}[coefficient]
    n_resamples = 4000
    oracle = scipy.stats.bootstrap(
        (X, Y),
        lambda x, y: statistic(x, y)[0],
        paired=True,
        vectorized=False,
        n_resamples=n_resamples,
        method={"bca": "BCa"}.get(method, method),
        rng=np.random.default_rng(0),
    ).confidence_interval

    low, high = bound(IntervalRequest(method, ("rows",), n_resamples=n_resamples), coefficient=coefficient)

    assert (low, high) == pytest.approx((oracle.low, oracle.high), abs=0.02)


def test_fisher_by_hand():
    r = scipy.stats.pearsonr(X, Y).statistic
    reach = 1.959963984540054 / sqrt(N - 3)

    assert bound(IntervalRequest("fisher")) == pytest.approx(
        (tanh(atanh(r) - reach), tanh(atanh(r) + reach)), abs=1e-12
    )
    oracle = scipy.stats.pearsonr(X, Y).confidence_interval(0.95)
    assert bound(IntervalRequest("fisher")) == pytest.approx((oracle.low, oracle.high), abs=1e-12)


# Written out with SciPy's t quantile: value -+ t(k - 1) sqrt((k - 1)/k sum (left out - mean)^2).
def test_jackknife_over_systems_by_hand():
    systems = np.repeat(np.arange(6), 10)
    means_x, means_y = X.reshape(6, 10).mean(axis=1), Y.reshape(6, 10).mean(axis=1)
    left_out = np.array([np.corrcoef(np.delete(means_x, s), np.delete(means_y, s))[0, 1] for s in range(6)])
    error = sqrt(5 / 6 * ((left_out - left_out.mean()) ** 2).sum())
    value, reach = np.corrcoef(means_x, means_y)[0, 1], scipy.stats.t.ppf(0.975, 5) * error

    low, high = bound(IntervalRequest("jackknife", ("systems",)), level="system", systems=systems)

    assert (low, high) == pytest.approx((max(-1, value - reach), min(1, value + reach)), abs=1e-12)


def test_clustered_rows_have_wider_intervals():
    images = np.repeat(np.arange(N), 10)
    x, y = np.repeat(X, 10), np.repeat(Y, 10)

    by_row, by_image = (
        np.diff(bound(IntervalRequest("percentile", (axis,)), x=x, y=y, groups=images))[0]
        for axis in ("rows", "images")
    )

    # Ten equal rows an image carry the information of one: the true width is sqrt(10) times that of the rows.
    assert by_image / by_row == pytest.approx(sqrt(10), rel=0.1)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others():
    request = IntervalRequest("percentile", ("rows",), n_resamples=100)

    assert bound(request, seed=1) == bound(request, seed=1)
    assert bound(request, seed=1) != bound(request, seed=2)


def test_undefined_resamples_are_counted():
    result = correlate(
        [1, 2, 3],
        [1, 1, 2],
        level="item",
        coefficient="spearman",
        interval=IntervalRequest("percentile", ("rows",), n_resamples=200),
        rng=np.random.default_rng(1),
    )

    # Constant y: the third row is drawn never (8/27) or always (1/27); constant x: one row thrice, of which only the
    # first two (2/27) are not yet counted... they have constant y as well. So 9 of 27.
    assert result.interval.n_undefined == pytest.approx(200 / 3, abs=25)
    assert result.interval.low <= result.value


@pytest.mark.parametrize(
    "request_",
    [IntervalRequest("bca", ("rows",)), IntervalRequest("jackknife", ("rows",)), IntervalRequest("fisher")],
    ids=lambda request: request.method,
)
def test_an_undefined_value_has_no_interval(request_):
    low, high = bound(request_, x=[1, 1, 1], y=[1, 2, 3])

    assert isnan(low)
    assert isnan(high)


@pytest.mark.parametrize(
    ("request_", "x", "y"),
    [
        (IntervalRequest("fisher"), [1, 2, 3], [1, 3, 2]),
        (IntervalRequest("jackknife", ("rows",)), [1, 2], [1, 2]),
        (IntervalRequest("bca", ("rows",)), [1, 2, 3, 4], [1, 2, 3, 4]),
    ],
    ids=["fisher-3-rows", "jackknife-2-units", "bca-all-on-one-side"],
)
def test_too_little_to_bound(request_, x, y):
    low, high = bound(request_, x=x, y=y)

    assert (isnan(low), isnan(high)) in [(True, True), (False, False)]
    assert isnan(low) or low <= high


def test_signature_names_what_was_resampled():
    assert IntervalRequest("percentile", ("images", "raters")).signature == (
        "ci:percentile|resampled:images+raters|n:1000|confidence:0.95"
    )
    assert IntervalRequest("fisher", confidence=0.9).signature == "ci:fisher|confidence:0.9"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "normal"}, "unknown interval method 'normal'; known are: percentile, bca, jackknife, fisher"),
        ({"method": "percentile"}, r"'percentile' needs 1 to 3 different axes in `resampled`, got \(\)"),
        ({"method": "jackknife", "resampled": ("images", "raters")}, "'jackknife' needs 1 to 1 different axes"),
        ({"method": "bca", "resampled": ("items",)}, "unknown axis of resampling 'items'"),
        ({"method": "fisher", "confidence": 95}, r"`confidence` must be in \(0, 1\), got 95"),
    ],
)
def test_refuses(arguments, message):
    with pytest.raises((CorrelationInputError, UnknownNameError), match=message):
        IntervalRequest(**arguments)


@pytest.mark.parametrize(
    ("request_", "arguments", "message"),
    [
        (IntervalRequest("fisher"), {"coefficient": "spearman"}, "'fisher' is for Pearson, got coefficient 'spearman'"),
        (IntervalRequest("bca", ("images",)), {}, "`images` are to be resampled, but no such keys were given"),
        (IntervalRequest("bca", ("rows",)), {"rng": None}, "`rng` is needed by method 'bca', got None"),
    ],
)
def test_correlate_refuses(request_, arguments, message):
    with pytest.raises(CorrelationInputError, match=message):
        correlate(X, Y, **{"level": "item", "coefficient": "pearson", "interval": request_, "rng": RNG, **arguments})


# The bound of the project: 1,000 resamples over images x experts in a tenth of the time of a loop over SciPy.
@pytest.mark.slow
@pytest.mark.alone
def test_clustered_tau_c_equals_a_scipy_loop_in_a_tenth_of_its_time(flickr8k_expert):
    table, used = flickr8k_expert.judgments, ~flickr8k_expert.in_references[flickr8k_expert.judgments.item]
    x, y = flickr8k_expert.scores[0][table.item[used]], table.value[used]
    image = np.unique(table.image[table.item[used]], return_inverse=True)[1]
    rater = np.unique(table.rater[used], return_inverse=True)[1]
    request = IntervalRequest("percentile", ("images", "raters"))

    start = time.perf_counter()
    result = correlate(
        x,
        y,
        level="item",
        coefficient="kendall-c",
        groups=image,
        raters=rater,
        interval=request,
        rng=np.random.default_rng(9),
    )
    ours = time.perf_counter() - start

    plan = plan_bootstrap(("images", "raters"), n_resamples=1000, rng=np.random.default_rng(9))
    start = time.perf_counter()
    values = np.empty(1000)
    for r in range(1000):
        images, raters = (plan.draw_counts(*unit, start=r, stop=r + 1)[0] for unit in (("images", 1000), ("raters", 3)))
        index = np.repeat(np.arange(len(x)), (images[image] * raters[rater]).astype(int))
        values[r] = scipy.stats.kendalltau(x[index], y[index], variant="c").statistic
    loop = time.perf_counter() - start

    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=1e-12)
    assert ours <= loop / 10
