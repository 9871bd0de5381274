from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from correlation.comparison.compare import ComparisonRequest
from correlation.errors import CorrelationInputError
from correlation.protocols.evaluate import evaluate_protocol
from correlation.reports.json_form import read_report
from correlation.resampling.intervals import IntervalRequest
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import FORMS, Correlated, check_path, correlate_observations, write_report
from tests.studies.rated import make_rated_study, make_voted_study

pytestmark = pytest.mark.django_db

IMAGES = IntervalRequest("percentile", ("images",), n_resamples=30)
PERMUTED = ComparisonRequest(n_resamples=30)


def gather(study):
    return gather_observations(study, metrics=["rouge-l", "length"])


@pytest.mark.parametrize("make", [make_rated_study, make_voted_study])
@pytest.mark.parametrize("interval", [None, IMAGES])
def test_rows_are_those_of_an_evaluation(make, interval):
    gathered = gather(make())

    found = correlate_observations(gathered, interval=interval, comparison=PERMUTED, seed=4)

    expected = []
    for observed in gathered.metrics:
        data = gathered.judgments.make_data(observed.scores, gathered.protocol)
        rng = np.random.default_rng(4)
        expected += evaluate_protocol(gathered.protocol, data, metric=observed.metric, interval=interval, rng=rng)
    assert [replace(row, letters=None, low=None, high=None) for row in found.rows] == [
        replace(row, low=None, high=None) for row in expected
    ]
    bounds = [bound for row in expected for bound in (row.low, row.high)]
    assert [bound for row in found.rows for bound in (row.low, row.high)] == pytest.approx(bounds, abs=1e-12)


def test_a_report_has_intervals_differences_and_ceilings():
    found = correlate_observations(
        gather(make_rated_study()), interval=IMAGES, comparison=PERMUTED, with_ceilings=True, seed=4
    )

    report = found.report
    assert report.title == "rated"
    assert report.design.signature == (
        "ci:percentile|resampled:images|n:30|confidence:0.95 / test:perm-input|n:30|correction:holm|alpha:0.05 / seed:4"
    )
    assert [metric.id for metric in report.metrics] == ["length", "rouge-l"]
    assert [(pair.first, pair.second) for pair in report.differences] == [("length", "rouge-l")]
    assert [(ceiling.method, ceiling.coefficient) for ceiling in report.ceilings] == [
        ("mean-pairwise", "kendall-c"),
        ("mean-pairwise", "kendall-b"),
    ]


def test_a_bootstrap_test_needs_no_interval():
    request = ComparisonRequest("bootstrap", ("images",), n_resamples=30)

    report = correlate_observations(gather(make_rated_study()), comparison=request).report

    assert report.design.clusters == ("images",)
    assert report.differences[0].low is not None
    assert report.rows[0].low is None


def test_placeholder_raters_have_no_ceiling_and_are_not_resampled():
    gathered = gather(make_rated_study(are_placeholders=True))

    report = correlate_observations(gathered, with_ceilings=True).report

    assert (report.ceilings, report.notes) == (
        (),
        ("no human ceiling: raters are placeholders, not individual raters",),
    )
    with pytest.raises(CorrelationInputError, match="placeholders"):
        correlate_observations(gathered, interval=replace(IMAGES, resampled=("images", "raters")))


def test_without_metrics_there_is_nothing(tmp_path):
    found = correlate_observations(replace(gather(make_rated_study()), metrics=()))

    assert found == Correlated("rated", "custom@1")
    with pytest.raises(CorrelationInputError, match="there is nothing to report"):
        write_report(found, tmp_path / "report.md")
    assert list(tmp_path.iterdir()) == []


STARTS = {
    ".md": b"**rated**\n",
    ".tex": b"% Needs \\usepackage{booktabs}.\n",
    ".json": b'{\n "format": "accordance-report@1",\n',
    ".csv": b"kind,metric,level,coefficient,",
    ".pdf": b"%PDF-",
    ".svg": b"<svg ",
    ".png": b"\x89PNG\r\n",
}


def test_each_form_is_written_alike_by_the_same_seed(tmp_path):
    gathered = gather(make_rated_study())
    twice = [correlate_observations(gathered, interval=IMAGES, with_ceilings=True, seed=4) for _ in range(2)]

    for ending in FORMS:
        one, two = (tmp_path / f"{number}{ending}" for number in (1, 2))
        write_report(twice[0], one)
        write_report(twice[1], two)
        assert one.read_bytes().startswith(STARTS[ending])
        # A PDF has the time at which it was made.
        assert ending == ".pdf" or one.read_bytes() == two.read_bytes()
    assert read_report((tmp_path / "1.json").read_text()) == twice[0].report


def test_a_report_is_not_written_without_a_path(tmp_path):
    check_path(None)
    write_report(Correlated("rated", "custom@1"), None)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("report.docx", "a report is written as .md, .tex, .json, .csv, .pdf, .svg, .png, got 'report.docx'"),
        ("nowhere/report.md", "there is no folder nowhere for the report"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused(path, message):
    with pytest.raises(CorrelationInputError, match=message):
        check_path(Path(path))
