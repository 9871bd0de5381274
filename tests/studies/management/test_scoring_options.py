"""Tests of parameters on the command line of `score`."""

import pytest

from metrics_plugins.api.errors import UnknownMetric
from studies.management.scoring_options import read_params
from studies.scoring.errors import ScoringFailed


def test_parameters_have_the_types_of_the_metric() -> None:
    assert read_params(["cider-d.n=3", "cider-d.sigma=2"], metrics=["cider-d", "bleu-1"]) == {
        "cider-d": {"n": 3, "sigma": 2.0}
    }


def test_any_metric_may_be_set_where_none_was_asked_for() -> None:
    assert read_params(["cider.n=3"], metrics=[]) == {"cider": {"n": 3}}
    assert read_params([], metrics=[]) == {}


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("cider-d", "--param must be METRIC.NAME=VALUE, got 'cider-d'"),
        ("cider-d.n=many", "--param 'cider-d.n=many': the value must be of type int"),
        ("cider.n=3", "sets a parameter of 'cider', which is not among --metrics"),
    ],
)
def test_wrong_assignments_are_told(assignment: str, message: str) -> None:
    with pytest.raises(ScoringFailed, match=message):
        read_params([assignment], metrics=["cider-d"])


def test_unknown_metric_is_told() -> None:
    with pytest.raises(UnknownMetric, match="no installed plugin has a metric 'cidr'"):
        read_params(["cidr.n=3"], metrics=["cidr"])
