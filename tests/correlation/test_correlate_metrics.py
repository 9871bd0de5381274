"""Tests that many metrics together give the same results as each by itself."""

import numpy as np
import pytest

from correlation.coefficients.bivariate import COEFFICIENTS
from correlation.correlate import correlate
from correlation.correlate_metrics import correlate_metrics
from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.resampling.intervals import IntervalRequest

N_IMAGES, N_RATERS = 40, 5
IMAGES, RATERS = (axis.reshape(-1) for axis in np.indices((N_IMAGES, N_RATERS)))


def simulate(*, levels=4):
    """Scores of four metrics (plain, with ties, with gaps, constant) and judgments on a scale of so many levels."""
    rng = np.random.default_rng(5)
    quality = np.repeat(rng.normal(size=N_IMAGES), N_RATERS)
    plain = np.repeat(rng.normal(size=N_IMAGES), N_RATERS) + quality
    judgments = quality + rng.normal(size=len(quality))
    gaps = np.where(IMAGES % 7 == 0, np.nan, 2 * plain)
    scores = {"plain": plain, "gaps": gaps, "ties": np.round(plain), "constant": np.full(len(plain), 0.1)}
    return scores, judgments if levels is None else np.clip(np.round(judgments), -levels // 2, levels // 2)


@pytest.mark.parametrize("levels", [2, 6, None], ids=["few levels", "more levels", "a slider"])
@pytest.mark.parametrize("resampled", [("images",), ("images", "raters"), ("rows",)], ids="+".join)
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_results_are_those_of_each_metric_by_itself(coefficient, resampled, levels):
    scores, judgments = simulate(levels=levels)
    request = IntervalRequest("percentile", resampled, n_resamples=30)
    keys = {"level": "item", "coefficient": coefficient, "groups": IMAGES, "raters": RATERS, "interval": request}

    results = correlate_metrics(scores, judgments, **keys, rng=np.random.default_rng(3))

    assert list(results) == list(scores)
    for name, result in results.items():
        alone = correlate(scores[name], judgments, **keys, rng=np.random.default_rng(3))
        assert (result.n, result.n_missing, result.reason) == (alone.n, alone.n_missing, alone.reason)
        assert [result.value, result.low, result.high] == pytest.approx(
            [alone.value, alone.low, alone.high], abs=1e-12, nan_ok=True
        )
        assert (result.interval.request, result.interval.n_undefined) == (request, alone.interval.n_undefined)


@pytest.mark.parametrize(
    ("level", "interval"),
    [
        ("item", None),
        ("item", IntervalRequest("bca", ("images",), n_resamples=30)),
        ("item", IntervalRequest("jackknife", ("images",))),
        ("group", IntervalRequest("percentile", ("images",), n_resamples=30)),
    ],
)
def test_other_requests_are_passed_on(level, interval):
    scores, judgments = simulate()
    keys = {"level": level, "coefficient": "kendall-b", "groups": IMAGES, "raters": RATERS, "interval": interval}

    results = correlate_metrics(scores, judgments, **keys, rng=np.random.default_rng(3))

    for name in ("plain", "gaps", "ties"):
        assert results[name] == correlate(scores[name], judgments, **keys, rng=np.random.default_rng(3))


def test_the_generator_is_left_as_it_was():
    scores, judgments = simulate()
    rng = np.random.default_rng(3)
    request = IntervalRequest("percentile", ("images",), n_resamples=5)

    correlate_metrics(scores, judgments, level="item", coefficient="pearson", groups=IMAGES, interval=request, rng=rng)

    assert rng.random() == np.random.default_rng(3).random()


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"interval": IntervalRequest("percentile", ("systems",))}, CorrelationInputError, "`systems` are to be resam"),
        ({"rng": None}, CorrelationInputError, "`rng` is needed"),
        ({"coefficient": "tau"}, UnknownNameError, "unknown coefficient 'tau'"),
        ({"groups": IMAGES[1:]}, CorrelationInputError, "`groups` must have one entry per x"),
    ],
)
def test_errors_are_those_of_correlate(changed, error, message):
    scores, judgments = simulate()
    keys = {"level": "item", "coefficient": "pearson", "groups": IMAGES, "rng": np.random.default_rng(3)}
    keys["interval"] = IntervalRequest("percentile", ("images",))

    with pytest.raises(error, match=message):
        correlate_metrics(scores, judgments, **{**keys, **changed})
