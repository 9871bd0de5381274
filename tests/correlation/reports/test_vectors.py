from math import nan

import numpy as np
import pytest

from correlation.correlate import correlate
from correlation.errors import CorrelationInputError
from correlation.reports import report_vectors
from correlation.reports.markdown import print_markdown

RNG = np.random.default_rng(2)
TRUTH = RNG.normal(size=60)
SCORES = {"good": TRUTH + RNG.normal(size=60) * 0.2, "poor": TRUTH + RNG.normal(size=60) * 3}
MARKDOWN = """\
| metric | Kendall τ-b | n | missing |
| --- | --- | ---: | ---: |
| good | **1.000** | 4 | 0 |
| poor | -0.667 | 4 | 0 |

Caution: only 4 images, fewer than 10: differences are not tested, and intervals are narrower than their nominal \
confidence. Seed 1.

- `custom@1|rows:all|refs:all|ratings:each|level:item|coef:kendall-b`
"""


def test_two_vectors_make_a_table():
    report = report_vectors(
        {"poor": [4, 3, 1, 2], "good": [0.1, 0.2, 0.3, 0.4]}, [1, 2, 3, 4], rng=1, method=None, test=None
    )

    assert print_markdown(report) == MARKDOWN


def test_values_are_those_of_correlate_at_any_level():
    images, systems = np.arange(60) // 5, np.arange(60) % 5

    report = report_vectors(
        SCORES, TRUTH, rng=1, coefficient="spearman", level="group", images=images, systems=systems, resamples=70
    )

    expected = {
        name: correlate(column, TRUTH, level="group", coefficient="spearman", groups=images).value
        for name, column in SCORES.items()
    }
    assert {row.metric: row.value for row in report.rows} == pytest.approx(expected, abs=1e-12)
    assert [row.letters for row in report.rows] == ["a", "b"]
    assert report.notes == report.ceilings == ()


def test_raters_who_are_told_apart_make_a_ceiling():
    ratings = TRUTH[:, None] + RNG.normal(size=(60, 2))
    ratings[0, 1] = nan

    report = report_vectors(SCORES, ratings, rng=1, coefficient="pearson", ratings="mean", resamples=70)

    both = ~np.isnan(ratings[:, 1])
    assert report.ceilings[0].value == pytest.approx(np.corrcoef(ratings[both].T)[0, 1], abs=1e-12)
    assert report.ceilings[0].n == 59
    assert report.rows[0].value == pytest.approx(np.corrcoef(SCORES["good"], np.nanmean(ratings, axis=1))[0, 1])


def test_missing_judgments_and_scores_are_counted():
    report = report_vectors({"a": [1, nan, 3, 4]}, [1, 2, 3, nan], rng=1, method=None)

    assert (report.rows[0].n, report.rows[0].n_missing) == (2, 1)


@pytest.mark.parametrize(
    ("scores", "judgments", "message"),
    [
        ({}, [1, 2], "`scores` must have at least one metric, got none"),
        ({"a": [1]}, [1, 2], r"`scores\['a'\]` must have one entry per item \(2\), got 1"),
        ({"a": [1]}, [nan], r"`judgments` has no judgment, got shape \(1, 1\)"),
        ({"a": [1]}, [[[1]]], "`judgments` must have 1 dimension"),
    ],
)
def test_refuses(scores, judgments, message):
    with pytest.raises(CorrelationInputError, match=message):
        report_vectors(scores, judgments, rng=1)
