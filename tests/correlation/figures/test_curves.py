"""Tests of curves in panels."""

import math

import pytest

from correlation.errors import CorrelationInputError
from correlation.figures.curves import CurvePoint, draw_curves
from correlation.figures.rendering import render

POINTS = [
    CurvePoint(panel, series, x, x * slope)
    for panel in ("truth", "loss", "BLEU-4", "SPICE")
    for series, slope in (("lrcn-1u", 0.1), ("show-and-tell", 0.05))
    for x in (0, 5, 10)
]


def test_each_panel_has_the_curves_of_its_points_in_order():
    specification = draw_curves(POINTS, x_title="steps", title="Training", bounds={"truth": (0, 1)}, n_columns=3)

    panels = [panel for row in specification["vconcat"] for panel in row["hconcat"]]
    assert [len(row["hconcat"]) for row in specification["vconcat"]] == [3, 1]
    assert [panel["title"]["text"] for panel in panels] == ["truth", "loss", "BLEU-4", "SPICE"]
    assert panels[0]["data"]["values"][:3] == [{"series": "lrcn-1u", "x": x, "y": x * 0.1} for x in (0, 5, 10)]
    assert panels[0]["encoding"]["y"]["scale"]["domain"] == [0, 1]
    svg = render(specification, "svg").decode()
    assert all(text in svg for text in ("Training", "truth", "BLEU-4", "show-and-tell", "steps"))


def test_an_undefined_value_leaves_a_gap():
    specification = draw_curves([*POINTS, CurvePoint("truth", "lrcn-1u", 15, math.nan)], x_title="steps")

    assert specification["vconcat"][0]["hconcat"][0]["data"]["values"][-1]["y"] is None


def test_a_figure_without_points_is_refused():
    with pytest.raises(CorrelationInputError, match="at least one point"):
        draw_curves([], x_title="steps")
