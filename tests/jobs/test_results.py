from datetime import timedelta

import pytest

from jobs.results import Result, find_result, keep_result, make_result
from tests.factories.studies import NOW


def test_a_result_is_kept_with_what_it_was_made_from_and_its_date():
    ticks = iter((1.0, 4.0))

    made = make_result("name", lambda: "value", fingerprint="abc", now=NOW, clock=lambda: next(ticks))

    assert made == "value"
    assert find_result("name") == Result("value", "abc", made_at=NOW, seconds=3.0)
    assert find_result("other") is None


def test_a_newer_result_takes_the_place_of_an_older_one():
    for value in ("old", "new"):
        keep_result("name", value, now=NOW)

    assert find_result("name").value == "new"


@pytest.mark.parametrize(("seconds", "age"), [(0.1, 5), (2.0, 20)])
def test_a_result_is_young_for_so_many_times_what_it_took(seconds, age):
    result = Result("value", "", made_at=NOW, seconds=seconds)

    young = [
        result.is_young(NOW + timedelta(seconds=passed), factor=10, least=timedelta(seconds=5))
        for passed in (age - 0.1, age)
    ]
    assert young == [True, False]
