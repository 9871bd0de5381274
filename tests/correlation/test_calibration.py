"""Tests of the coverage of intervals and the error rates of tests; `benchmarks/calibration.py` is the long version."""

from math import sqrt

import pytest

from benchmarks.calibration import (
    iterate_power,
    measure_coverage,
    measure_rejections,
    simulate_images,
    simulate_raters,
    simulate_rivals,
)
from correlation.comparison.compare import ComparisonRequest
from correlation.resampling.intervals import IntervalRequest

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


def simulate_systems(rng):
    return simulate_rivals(rng, n_images=20, n_systems=30)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("request_", "simulate", "level"),
    [
        (ComparisonRequest("perm-both", n_resamples=199), simulate_rivals, "item"),
        (ComparisonRequest("perm-input", n_resamples=199), simulate_rivals, "item"),
        (ComparisonRequest("perm-system", n_resamples=199), simulate_systems, "system"),
        (ComparisonRequest("bootstrap", ("images",), 199), simulate_rivals, "item"),
        (ComparisonRequest("williams"), simulate_rivals, "item"),
    ],
    ids=lambda value: getattr(value, "test", None),
)
def test_equal_metrics_are_rarely_told_apart(request_, simulate, level):
    assert measure_rejections(request_, N, simulate=simulate, level=level) == pytest.approx(0.05, abs=SLACK)


@pytest.mark.slow
def test_planned_studies_find_what_they_were_planned_for():
    rows = list(iterate_power(N))

    assert [row.work for row in rows if abs(row.found - row.asked) > 4 * row.error] == []
    assert len(rows) == 9
