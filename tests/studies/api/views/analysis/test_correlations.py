"""Tests of correlations for judgments that do not exist any more."""

import pytest

from correlation.comparison.methods import TESTS

pytestmark = pytest.mark.django_db


# Williams' test is of Pearson's r, and the protocol has Kendall's tau.
@pytest.mark.parametrize("test", sorted(set(TESTS) - {"williams"}))
def test_metrics_of_a_study_whose_raters_are_all_left_out_cannot_be_told_apart(api, test):
    api.send("post", "exclusions/", {"rater": "rater-1", "reason": "Answered at random."})

    compared = api.send("post", "compare/", {"test": test, "resamples": 20})
    reported = api.send("post", "reports/", {"test": test, "resamples": 20})

    assert (compared.status_code, reported.status_code) == (200, 201)
    assert compared.json()["differences"] == []
    assert {row["caution"].partition(":")[0] for row in compared.json()["rows"]} == {"only 0 images, fewer than 10"}


def test_a_field_that_is_misspelled_is_refused_and_not_passed_over(api):
    answer = api.send("post", "correlate/", {"metrics": ["length"], "resample": 50})

    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["field"]) == (400, "resample")
    assert error["message"].startswith("There is no such field; the fields are ")
