"""Tests of levels, intervals and tests against those of nlpstats, run live on the same simulated scores.

Its matrices are systems x inputs, which are our images. Its resamples are its own, so intervals and p-values agree
within the error of both simulations.
"""

import importlib.metadata
from math import sqrt

import numpy as np
import pytest
from nlpstats.correlations import bootstrap, permutation_test, williams_test
from nlpstats.correlations import correlate as correlate_theirs

from correlation.comparison.compare import ComparisonRequest, compare_metrics
from correlation.correlate import correlate
from correlation.resampling.intervals import IntervalRequest

N_SYSTEMS, N_IMAGES, N_RESAMPLES = 6, 12, 400
SYSTEMS, IMAGES = (axis.reshape(-1) for axis in np.indices((N_SYSTEMS, N_IMAGES)))
LEVELS = [("system", "system"), ("group", "input"), ("global", "global")]
COEFFICIENTS = [("pearson", "pearson"), ("spearman", "spearman"), ("kendall-b", "kendall")]
RESAMPLED = [(("systems",), "systems"), (("images",), "inputs"), (("systems", "images"), "both")]
PERMUTED = [("perm-system", "systems"), ("perm-input", "inputs"), ("perm-both", "both")]


@pytest.fixture
def matrices():
    """Two metrics and people; also seeds the generator that nlpstats draws from."""
    np.random.seed(1)  # noqa: NPY002
    rng = np.random.default_rng(7)
    quality = rng.normal(size=(N_SYSTEMS, 1)) + rng.normal(size=(N_SYSTEMS, N_IMAGES))
    return tuple(quality + noise * rng.normal(size=quality.shape) for noise in (1.0, 1.8, 0.8))


def test_the_version_is_the_one_that_was_read():
    assert importlib.metadata.version("nlpstats") == "0.0.1"


@pytest.mark.parametrize(("level", "theirs"), LEVELS)
@pytest.mark.parametrize(("name", "their_name"), COEFFICIENTS)
def test_coefficients(matrices, level, theirs, name, their_name):
    x, _, z = matrices

    found = correlate(x.ravel(), z.ravel(), level=level, coefficient=name, groups=IMAGES, systems=SYSTEMS)

    assert found.value == pytest.approx(correlate_theirs(x, z, theirs, their_name), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("axes", "their_axes"), RESAMPLED)
@pytest.mark.parametrize(("level", "theirs"), LEVELS)
def test_percentile_intervals(matrices, level, theirs, axes, their_axes):
    x, _, z = matrices

    found = correlate(
        x.ravel(),
        z.ravel(),
        level=level,
        coefficient="pearson",
        groups=IMAGES,
        systems=SYSTEMS,
        interval=IntervalRequest("percentile", axes, n_resamples=N_RESAMPLES),
        rng=np.random.default_rng(0),
    )

    expected = bootstrap(x, z, theirs, "pearson", their_axes, n_resamples=N_RESAMPLES)
    samples = np.sort(expected.samples)
    # A quantile's place among n draws has the standard error sqrt(n p (1 - p)): four of ours and theirs together.
    reach = 4 * sqrt(2 * 0.025 * 0.975 / N_RESAMPLES)
    assert np.quantile(samples, max(0.0, 0.025 - reach)) <= found.low <= np.quantile(samples, 0.025 + reach)
    assert np.quantile(samples, 0.975 - reach) <= found.high <= np.quantile(samples, min(1.0, 0.975 + reach))


@pytest.mark.slow
@pytest.mark.parametrize(("test", "theirs"), PERMUTED)
@pytest.mark.parametrize(("level", "their_level"), LEVELS)
def test_permutations(matrices, level, their_level, test, theirs):
    x, y, z = matrices

    table = compare_metrics(
        {"x": x.ravel(), "y": y.ravel()},
        z.ravel(),
        level=level,
        coefficient="pearson",
        request=ComparisonRequest(test, n_resamples=N_RESAMPLES),
        groups=IMAGES,
        systems=SYSTEMS,
        rng=np.random.default_rng(0),
    )

    expected = permutation_test(x, y, z, their_level, "pearson", theirs, n_resamples=N_RESAMPLES).pvalue
    # Four standard errors of two shares, and the one that (c + 1) / (n + 1) adds.
    reach = 4 * sqrt(2 * max(expected, 0.01) * (1 - expected) / N_RESAMPLES) + 1 / N_RESAMPLES
    assert table.differences[0].p_value == pytest.approx(expected, abs=reach)


@pytest.mark.parametrize("level", ["system", "global"])
def test_williams(matrices, level):
    x, y, z = matrices

    table = compare_metrics(
        {"x": x.ravel(), "y": y.ravel()},
        z.ravel(),
        level=level,
        coefficient="pearson",
        request=ComparisonRequest("williams"),
        groups=IMAGES,
        systems=SYSTEMS,
    )

    assert table.differences[0].p_value == pytest.approx(williams_test(x, y, z, level, "pearson").pvalue, abs=1e-9)
