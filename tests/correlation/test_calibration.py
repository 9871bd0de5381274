"""Intervals cover and tests reject about as often as they say; `benchmarks/calibration.py` is the long version."""

from math import sqrt

import pytest

from benchmarks.calibration import measure_coverage, measure_rejections, simulate_images, simulate_raters
from correlation.comparison import ComparisonRequest
from correlation.intervals import IntervalRequest

N = 120
# Four standard errors of a share of .95 (or .05) from N simulations.
SLACK = 4 * sqrt(0.95 * 0.05 / N)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("simulate", "axes"),
    [(simulate_images, ("images",)), (simulate_raters, ("images", "raters"))],
    ids=["images", "crossed"],
)
def test_clustered_intervals_cover_where_naive_ones_do_not(simulate, axes):
    naive, clustered = (
        measure_coverage(simulate, IntervalRequest("percentile", a, n_resamples=200), N) for a in (("rows",), axes)
    )

    assert clustered == pytest.approx(0.95, abs=SLACK)
    assert naive < 0.93
    assert naive < clustered


@pytest.mark.slow
@pytest.mark.parametrize(
    "request_",
    [
        ComparisonRequest("perm-both", n_resamples=199),
        ComparisonRequest("bootstrap", ("images",), 199),
        ComparisonRequest("williams"),
    ],
    ids=lambda request: request.test,
)
def test_equal_metrics_are_rarely_told_apart(request_):
    assert measure_rejections(request_, N, noise=(1.0, 1.0), n_items=60) == pytest.approx(0.05, abs=SLACK)
