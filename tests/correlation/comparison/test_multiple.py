import gc
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from correlation.comparison.multiple import adjust_p_values, find_rank_clusters
from correlation.errors import CorrelationInputError, UnknownNameError


@pytest.fixture(scope="module")
def _little_to_collect() -> None:
    """Set what lives by now apart from collections, too: statsmodels collects garbage in every call for Holm."""
    gc.freeze()


# statsmodels 0.15.0 is the oracle.
@pytest.mark.usefixtures("_little_to_collect")
@pytest.mark.parametrize(("correction", "method"), [("holm", "holm"), ("bh", "fdr_bh")])
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_equals_statsmodels(correction, method, p_values):
    expected = multipletests(p_values, method=method)[1]

    np.testing.assert_allclose(adjust_p_values(p_values, correction=correction), expected, rtol=0, atol=1e-12)


# By hand, sorted .01 .02 .03 .04. Holm: 4 * .01, 3 * .02, then the largest so far.
# BH, from the largest: .04 * 4/4, .03 * 4/3, .02 * 4/2, .01 * 4/1.
@pytest.mark.parametrize(
    ("correction", "expected"),
    [("holm", [0.06, 0.04, 0.06, 0.06]), ("bh", [0.04, 0.04, 0.04, 0.04]), ("none", [0.02, 0.01, 0.03, 0.04])],
)
def test_by_hand(correction, expected):
    assert adjust_p_values([0.02, 0.01, 0.03, 0.04], correction=correction).tolist() == pytest.approx(expected)


def test_a_test_that_was_not_made_does_not_count():
    np.testing.assert_array_equal(adjust_p_values([0.02, nan, 0.5], correction="holm"), [0.04, nan, 0.5])


@pytest.mark.parametrize(
    ("p_values", "correction", "error", "message"),
    [
        ([0.1], "bonferroni", UnknownNameError, "unknown correction 'bonferroni'; known are: holm, bh, none"),
        ([1.1], "holm", CorrelationInputError, r"`p_values` must be in \[0, 1\], got \[1.1\]"),
    ],
)
def test_refuses(p_values, correction, error, message):
    with pytest.raises(error, match=message):
        adjust_p_values(p_values, correction=correction)


def matrix(*differing, size=4):
    p_values = np.ones((size, size))
    for i, j in differing:
        p_values[i, j] = p_values[j, i] = 0.001
    return p_values


@pytest.mark.parametrize(
    ("values", "p_values", "clusters"),
    [
        # Metric 1 is best, then 0, 3, 2; {1, 0} differ from {3, 2} in all four pairs.
        ([0.5, 0.6, 0.1, 0.2], matrix((0, 2), (0, 3), (1, 2), (1, 3)), (1, 1, 2, 2)),
        # One missing difference across the gap joins everything.
        ([0.5, 0.6, 0.1, 0.2], matrix((0, 2), (1, 2), (1, 3)), (1, 1, 1, 1)),
        ([0.9, 0.8, 0.7, 0.6], matrix((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)), (1, 2, 3, 4)),
        ([0.9, nan, 0.7, 0.6], matrix((0, 2), (0, 3), (0, 1)), (1, 2, 2, 2)),
    ],
)
def test_rank_clusters(values, p_values, clusters):
    assert find_rank_clusters(values, p_values, alpha=0.05) == clusters


def test_rank_clusters_refuse_another_shape():
    with pytest.raises(CorrelationInputError, match=r"`p_values` must have shape \(2, 2\), got \(1, 2\)"):
        find_rank_clusters([1, 2], [[0.1, 0.2]], alpha=0.05)
