import numpy as np
import pytest

from correlation.comparison.compare import ComparisonRequest, compare_metrics
from correlation.errors import CorrelationInputError
from studies.analysis.comparisons import check_metrics, compare_observations
from studies.analysis.correlations import gather_observations
from tests.studies.rated import make_rated_study, make_voted_study

pytestmark = pytest.mark.django_db

METRICS = ("length", "rouge-l")


def compare(study, *, seed=0, metrics=METRICS, **request):
    gathered = gather_observations(study, metrics=metrics)
    return compare_observations(gathered, request=ComparisonRequest(**{"n_resamples": 50, **request}), seed=seed)


def test_the_difference_is_that_of_the_engine():
    study = make_rated_study()
    gathered = gather_observations(study, metrics=METRICS)
    table = gathered.judgments.table
    expected = compare_metrics(
        {observed.metric: observed.scores[0, table.item, 0] for observed in gathered.metrics},
        table.value,
        level="item",
        coefficient="kendall-c",
        request=ComparisonRequest("perm-input", n_resamples=50),
        groups=table.image[table.item],
        items=table.item,
        rng=np.random.default_rng(4),
    ).find(*METRICS)

    (found,) = compare(study, seed=4).differences

    assert (found.first, found.second) == METRICS
    assert (found.difference, found.p_value) == (expected.difference, expected.p_value)
    assert found.difference > 0.3
    assert found.n == 36


def test_a_bootstrap_bounds_the_difference():
    (found,) = compare(make_rated_study(), test="bootstrap", resampled=("images", "raters")).differences

    assert found.low < found.difference < found.high


def test_accuracies_and_votes_of_pairs():
    report = compare(make_voted_study())

    assert [(pair.coefficient, pair.n) for pair in report.differences] == [("accuracy", 12), ("pearson", 12)]


def test_the_report_says_how_it_was_made():
    report = compare(make_rated_study(), seed=4, correction="bh")

    assert report.title == "rated"
    assert report.design.signature == "test:perm-input|n:50|correction:bh|alpha:0.05 / seed:4"
    assert [metric.signature for metric in report.metrics] == ["length|tok:ptb|v:1", "rouge-l|tok:ptb|beta:1.2|v:1"]


def test_positions_are_not_resampled_as_persons():
    study = make_rated_study(are_placeholders=True)

    with pytest.raises(CorrelationInputError, match="placeholders"):
        compare(study, test="bootstrap", resampled=("raters",))
    assert compare(study).differences


def test_one_metric_is_too_few():
    with pytest.raises(CorrelationInputError, match="a comparison needs two metrics with scores, there are 1"):
        compare(make_rated_study(), metrics=["length"])


@pytest.mark.parametrize("names", [["length"], ["length", "length"]])
def test_names_that_make_no_pair_are_refused(names):
    with pytest.raises(
        CorrelationInputError, match="must be two or more different metrics, or none for all, got: length"
    ):
        check_metrics(names)
