from math import nan

import pytest

from correlation.errors import CorrelationInputError
from correlation.figures.rendering import render
from correlation.figures.robustness import COLOURS, SHAPES, draw_robustness

STRENGTHS = (0.0, 0.5, 1.0)
PANELS = {
    "captions of others": {"bleu": (1.0, 0.5, 0.0), "cider": (1.0, 1.25, nan), "odd": (nan, nan, nan)},
    "random words": {"bleu": (1.0, 1.0, 1.0), "cider": (1.0, 0.5, 0.5)},
}
AREAS = {"captions of others": {"bleu": 0.5, "cider": 0.25, "odd": nan}, "random words": {"bleu": 1.0, "cider": 0.625}}


def draw(**options):
    return draw_robustness(STRENGTHS, PANELS, areas=AREAS, **options)


def test_a_panel_for_each_distortion_with_the_points_of_its_curves():
    first, second = draw()["hconcat"]

    assert (first["title"]["text"], second["title"]["text"]) == ("captions of others", "random words")
    assert first["vconcat"][0]["data"]["values"][:6] == [
        {"metric": "bleu", "strength": 0.0, "score": 1.0},
        {"metric": "bleu", "strength": 0.5, "score": 0.5},
        {"metric": "bleu", "strength": 1.0, "score": 0.0},
        {"metric": "cider", "strength": 0.0, "score": 1.0},
        {"metric": "cider", "strength": 0.5, "score": 1.25},
        {"metric": "cider", "strength": 1.0, "score": None},
    ]


def test_key_has_the_most_robust_first_and_the_undefined_last():
    keys = [panel["vconcat"][1]["data"]["values"] for panel in draw()["hconcat"]]

    assert [[(row["metric"], row["printed"]) for row in key] for key in keys] == [
        [("cider", "0.250"), ("bleu", "0.500"), ("odd", "undefined")],
        [("cider", "0.625"), ("bleu", "1.000")],
    ]
    assert keys[0][0]["place"] < keys[0][1]["place"] < keys[0][2]["place"]


def test_a_metric_looks_the_same_in_every_panel():
    for panel in draw()["hconcat"]:
        curves, key = panel["vconcat"]
        colours, shapes = (curves["encoding"][channel]["scale"] for channel in ("color", "shape"))
        assert colours == {"domain": ["bleu", "cider", "odd"], "range": list(COLOURS[:3])}
        assert shapes == {"domain": ["bleu", "cider", "odd"], "range": list(SHAPES[:3])}
        assert key["layer"][1]["encoding"]["color"]["scale"] == colours


def test_scores_have_room_and_panels_one_scale():
    axes = [panel["vconcat"][0]["encoding"]["y"]["scale"]["domain"] for panel in draw()["hconcat"]]

    assert axes == [[0, 1.25], [0, 1.25]]


def test_title_and_lines():
    title = draw(title="flickr8k", lines=["1,000 captions."])["title"]

    assert (title["text"], title["subtitle"]) == ("flickr8k", ["1,000 captions."])


def test_curves_without_a_number_can_be_rendered():
    figure = draw_robustness(STRENGTHS, {"x": {"odd": (nan, nan, nan)}}, areas={"x": {"odd": nan}})

    assert b"undefined" in render(figure, "svg")


def test_more_metrics_than_colours_are_still_told_apart():
    names = [f"m{n}" for n in range(20)]
    figure = draw_robustness(
        STRENGTHS, {"x": dict.fromkeys(names, (1.0, 0.5, 0.0))}, areas={"x": dict.fromkeys(names, 0.5)}
    )

    encoding = figure["hconcat"][0]["vconcat"][0]["encoding"]
    looks = zip(encoding["color"]["scale"]["range"], encoding["shape"]["scale"]["range"], strict=True)
    assert len(set(looks)) == 20


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(CorrelationInputError, match="at least one curve, got none"):
        draw_robustness(STRENGTHS, {}, areas={})
    with pytest.raises(CorrelationInputError, match="the curve of bleu in 'x' must have 3 scores, got 2"):
        draw_robustness(STRENGTHS, {"x": {"bleu": (1.0, 0.5)}}, areas={"x": {"bleu": 0.5}})
