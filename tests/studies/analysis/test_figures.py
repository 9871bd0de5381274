import re
from dataclasses import replace

import numpy as np
import pytest

from correlation.figures.rendering import render
from correlation.protocols.row import ResultRow
from studies.analysis.figures import SIZES, describe_scatter, draw_scatter
from studies.analysis.scatter.points import ScatterPoints


def _points(judgments, scores):
    return ScatterPoints(
        items=np.asarray([f"item-{number}" for number in range(len(scores))]),
        judgments=np.asarray(judgments, dtype=float),
        scores=np.asarray(scores, dtype=float),
        judgment_title="mean judgment (diversity@1)",
        score_title="cider-d",
    )


def test_draw_scatter_has_every_place_once_and_the_least_squares_line():
    # Two of the four points stand at one place.
    points = _points([1, 2, 3, 3], [1, 4, 4, 4])

    figure = draw_scatter(points)

    circles, line = figure["layer"]
    assert circles["data"]["values"] == [
        {"judgment": 1.0, "score": 1.0, "count": 1},
        {"judgment": 2.0, "score": 4.0, "count": 1},
        {"judgment": 3.0, "score": 4.0, "count": 2},
    ]
    slope, intercept = np.polyfit(points.judgments, points.scores, 1)
    assert line["data"]["values"] == [
        {"judgment": 1.0, "score": pytest.approx(intercept + slope)},
        {"judgment": 3.0, "score": pytest.approx(intercept + 3 * slope)},
    ]
    assert figure["encoding"]["x"]["title"] == "mean judgment (diversity@1)"
    assert figure["encoding"]["x"]["axis"] == {"values": [1.0, 2.0, 3.0], "format": "d"}
    assert figure["encoding"]["y"]["title"] == "cider-d"


def test_draw_scatter_gathers_many_points_and_loses_none():
    rng = np.random.default_rng(3)
    points = _points(rng.normal(size=20_000), rng.normal(size=20_000))

    values = draw_scatter(points)["layer"][0]["data"]["values"]

    assert len(values) <= 44 * 44
    assert sum(value["count"] for value in values) == 20_000


@pytest.mark.parametrize("judgments", [[], [2], [2, 2]])
def test_draw_scatter_without_a_line(judgments):
    figure = draw_scatter(_points(judgments, [0.5] * len(judgments)))

    assert len(figure["layer"]) == 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("file_format", "beginning"), [("svg", b"<svg "), ("png", b"\x89PNG\r\n\x1a\n"), ("pdf", b"%PDF-")]
)
def test_render_figure(file_format, beginning, size):
    figure = render(draw_scatter(_points([1, 2, 3], [1, 4, 4]), size=size), file_format)

    assert figure.startswith(beginning)


def test_rendered_svg_names_its_axes_and_needs_no_style_of_its_own():
    svg = render(draw_scatter(_points([1, 2, 3], [1, 4, 4])), "svg").decode()

    texts = set(re.findall(r">([^<>]+)</text>", svg))
    assert {"mean judgment (diversity@1)", "cider-d"} <= texts
    assert "style=" not in svg
    assert "<style" not in svg


def test_describe_scatter_says_coefficient_and_n_of_its_metric():
    rows = [
        ResultRow("cider", "item", "pearson", None, 0.12345, None, None, 1234, 0),
        ResultRow("cider", "pair", "accuracy", "HC", None, None, None, 5, 0),
    ]

    text = describe_scatter([*rows, replace(rows[0], metric="bleu-4")], metric="cider")

    assert text == (
        "Scatter plot of cider against human judgments, with the least-squares line: "
        "Pearson r 0.123, n = 1,234; accuracy HC undefined, n = 5."
    )
