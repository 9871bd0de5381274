import numpy as np
import pytest

from correlation.errors import UnknownNameError
from correlation.figures.scatter import SIZES, draw_scatter


def draw(judgments, scores, **options):
    return draw_scatter(judgments, scores, judgment_title="mean judgment", score_title="cider-d", **options)


def test_every_place_is_a_circle_and_the_line_is_that_of_least_squares():
    judgments, scores = [1, 2, 3, 3], [1, 4, 4, 4]

    figure = draw(judgments, scores)

    circles, line = figure["layer"]
    assert circles["data"]["values"] == [
        {"judgment": 1.0, "score": 1.0, "count": 1},
        {"judgment": 2.0, "score": 4.0, "count": 1},
        {"judgment": 3.0, "score": 4.0, "count": 2},
    ]
    slope, intercept = np.polyfit(judgments, scores, 1)
    assert line["data"]["values"] == [
        {"judgment": 1.0, "score": pytest.approx(intercept + slope)},
        {"judgment": 3.0, "score": pytest.approx(intercept + 3 * slope)},
    ]
    assert figure["encoding"]["x"]["axis"] == {"values": [1.0, 2.0, 3.0], "format": "d"}
    assert (figure["encoding"]["x"]["title"], figure["encoding"]["y"]["title"]) == ("mean judgment", "cider-d")


@pytest.mark.parametrize(("most", "proportional"), [(2, (1, 2)), (9, (1, 3, 9)), (500, (8, 60, 500))])
def test_the_area_of_a_circle_is_the_number_of_its_points(most, proportional):
    judgments = [1.0] * most + [2.0] * 2 + [3.0]

    scale = draw(judgments, judgments)["layer"][0]["encoding"]["size"]["scale"]

    (low, high), (least, largest) = scale["domain"], scale["range"]
    assert (high, scale["clamp"]) == (most, True)
    assert least >= 14
    areas = np.interp(proportional, (low, high), (least, largest))
    assert areas / areas[0] == pytest.approx(np.array(proportional) / proportional[0], rel=1e-9)


def test_many_points_are_gathered_and_none_is_lost():
    rng = np.random.default_rng(3)

    values = draw(rng.normal(size=20_000), rng.normal(size=20_000))["layer"][0]["data"]["values"]

    assert len(values) <= 44 * 44
    assert sum(value["count"] for value in values) == 20_000


@pytest.mark.parametrize("judgments", [[], [2], [2, 2]])
def test_one_place_has_no_line(judgments):
    assert len(draw(judgments, [0.5] * len(judgments))["layer"]) == 1


@pytest.mark.parametrize(("size", "expected"), SIZES.items())
def test_size(size, expected):
    figure = draw([1, 2], [1, 2], size=size)

    assert (figure["width"], figure["height"]) == expected


def test_unknown_size_is_said():
    with pytest.raises(UnknownNameError, match="unknown size of a figure 'huge'; known are: wide, narrow"):
        draw([1], [1], size="huge")
