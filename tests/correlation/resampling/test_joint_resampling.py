"""Tests of many metrics in the same resamples; see also test_correlate_metrics.py."""

import numpy as np
import pytest

from correlation.errors import CorrelationInputError
from correlation.resampling.intervals import IntervalRequest
from correlation.resampling.joint_resampling import MOST_RESAMPLES_A_TASK, resample_jointly
from tests.correlation.test_correlate_metrics import IMAGES, RATERS, simulate

REQUEST = IntervalRequest("percentile", ("images", "raters"), n_resamples=MOST_RESAMPLES_A_TASK + 20)


def resample(scores, judgments, **changed):
    options = {"interval": REQUEST, "rng": np.random.default_rng(3), "groups": IMAGES, "raters": RATERS}
    return resample_jointly(scores, judgments, coefficient="kendall-b", systems=None, **{**options, **changed})


def test_results_do_not_depend_on_the_number_of_processes():
    scores, judgments = simulate()

    one, two = (resample(scores, judgments, processes=processes) for processes in (1, 2))

    assert set(one) == set(two) == set(scores)
    for name in scores:
        np.testing.assert_array_equal(one[name], two[name])


def test_metrics_that_share_too_little_are_left_out():
    scores, judgments = simulate(levels=None)

    assert resample(scores, judgments) == {}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rng": None}, "`rng` is needed by method 'percentile'"),
        ({"raters": None}, "`raters` are to be resampled, but no such keys were given"),
    ],
)
def test_what_is_needed_is_said(changed, message):
    with pytest.raises(CorrelationInputError, match=message):
        resample(*simulate(), **changed)
