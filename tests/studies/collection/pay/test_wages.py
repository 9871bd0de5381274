"""Tests of the comparison of what raters earn with the promised wage."""

from decimal import Decimal

import pytest

from studies.collection.pay.wages import explain_wage


@pytest.mark.parametrize(
    ("median_hourly", "promised", "told"),
    [
        (None, "9", ""),
        ("5", "0", ""),
        ("5", None, ""),
        ("8.99", "9", "below the promised wage"),
        ("9", "9", ""),
        ("17.99", "9", ""),
        ("18", "9", "2 times the promised wage: tasks take less time than planned"),
        ("117", "9", "13 times the promised wage: tasks take less time than planned"),
    ],
)
def test_wages_below_and_far_above_the_promised_one_are_explained(median_hourly, promised, told):
    median, wage = (amount and Decimal(amount) for amount in (median_hourly, promised))

    found = explain_wage(median, promised=wage)

    assert found.startswith(told)
    assert bool(found) == bool(told)
