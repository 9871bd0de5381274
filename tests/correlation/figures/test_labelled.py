"""Tests of labelled points."""

import pytest

from correlation.errors import CorrelationInputError
from correlation.figures.labelled import LabelledPoint, draw_labelled
from correlation.figures.rendering import render

POINTS = [
    LabelledPoint("SCST", "samples", 0.2, 11.0),
    LabelledPoint("SCST", "DPP", 0.4, 11.5),
    LabelledPoint("people", "people", 0.9, 8.8),
]


def test_every_point_is_drawn_and_every_label_is_written_once():
    specification = draw_labelled(POINTS, x_title="diversity", y_title="accuracy", title="Caption sets")

    values = specification["data"]["values"]
    assert [(each["x"], each["y"], each["series"]) for each in values] == [
        (point.x, point.y, point.series) for point in POINTS
    ]
    assert [each["shown"] for each in values] == ["SCST", "", "people"]
    svg = render(specification, "svg").decode()
    assert svg.count(">SCST<") == 1
    assert all(text in svg for text in ("Caption sets", "diversity", "accuracy", ">people<"))


def test_equal_labels_are_all_written_where_points_are_not_joined():
    specification = draw_labelled(POINTS, x_title="diversity", y_title="accuracy", joins=False, size="narrow")

    assert [each["shown"] for each in specification["data"]["values"]] == ["SCST", "SCST", "people"]
    assert [layer["mark"]["type"] for layer in specification["layer"]] == ["point", "text", "text"]
    assert render(specification, "svg").decode().count(">SCST<") == 2


def test_a_figure_without_points_is_refused():
    with pytest.raises(CorrelationInputError, match="at least one point"):
        draw_labelled([], x_title="diversity", y_title="accuracy")
