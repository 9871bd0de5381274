"""Tests of the forest plot of any named values."""

from math import nan

import pytest

from correlation.errors import CorrelationInputError
from correlation.figures import NamedInterval, draw_intervals, render


def test_rows_are_in_the_order_given_with_their_bounds() -> None:
    rows = [NamedInterval("b", 0.25, 0.125, 0.5), NamedInterval("a", 0.5), NamedInterval("c", nan, nan, nan)]

    figure = draw_intervals(rows, title="Scores", axis="cider-d", note="Bars: 95 %.")

    values = figure["data"]["values"]
    assert [(each["metric"], each["low"], each["high"]) for each in values] == [
        ("b", 0.125, 0.5),
        ("a", None, None),
        ("c", None, None),
    ]
    assert [each["printed"] for each in values][1:] == ["0.500", "undefined"]
    assert figure["title"]["subtitle"] == ["Bars: 95 %."]
    # Only the row without a value says so; a field that is missing from the data would be drawn as this word, too.
    assert render(figure, "svg").count(b">undefined<") == 1


def test_nothing_defined_is_refused() -> None:
    with pytest.raises(CorrelationInputError, match="no value is defined"):
        draw_intervals([NamedInterval("a", nan)], title="Scores", axis="cider-d")
