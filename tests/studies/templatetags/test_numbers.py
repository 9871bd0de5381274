import pytest

from studies.templatetags.numbers import count, decimals


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (16992, "16,992"), (None, "\N{EN DASH}")])
def test_count(value, text):
    assert count(value) == text


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (0.43888, 4, "0.4389"),
        (-0.095, 4, "\N{MINUS SIGN}0.0950"),
        (3.0, 2, "3.00"),
        (None, 4, "\N{EN DASH}"),
        (float("nan"), 4, "\N{EN DASH}"),
    ],
)
def test_decimals(value, places, text):
    assert decimals(value, places) == text
