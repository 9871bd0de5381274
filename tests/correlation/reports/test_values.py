import pytest

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.reports.values import ReportDesign
from tests.correlation.reports.example import DESIGN


def test_design_signs_interval_test_and_seed():
    assert DESIGN.signature == (
        "ci:percentile|resampled:images+raters|n:1000|confidence:0.95 / "
        "test:perm-both|n:1000|correction:holm|alpha:0.05 / seed:7"
    )


def test_design_of_nothing_signs_its_seed():
    assert ReportDesign(None, (), None, "holm", 0.05, 1000, 7).signature == "seed:7"


def test_bootstrap_test_resamples_what_the_intervals_do():
    design = ReportDesign("bca", ("systems",), "bootstrap", "bh", 0.1, 50, 7)

    assert design.comparison.signature == "test:bootstrap|resampled:systems|n:50|correction:bh|alpha:0.1"
    assert design.interval.confidence == 0.9


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"method": "guess"}, UnknownNameError, "unknown interval method 'guess'"),
        ({"test": "guess"}, UnknownNameError, "unknown test 'guess'"),
        ({"clusters": ()}, CorrelationInputError, "needs 1 to 3 different axes"),
        ({"resamples": 0}, CorrelationInputError, "`n_resamples` must be at least 1, got 0"),
        ({"alpha": 1.0}, CorrelationInputError, "in \\(0, 1\\)"),
    ],
)
def test_design_refuses_what_the_engine_refuses(change, error, message):
    arguments = {
        "method": "percentile",
        "clusters": ("images",),
        "test": "perm-both",
        "correction": "holm",
        "alpha": 0.05,
        "resamples": 10,
        "seed": 1,
    }

    with pytest.raises(error, match=message):
        ReportDesign(**{**arguments, **change})
