"""Tests of values over time."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from correlation.errors import CorrelationInputError
from correlation.figures.rendering import render
from correlation.figures.timeline import TimedPoint, draw_timeline

START = datetime(2026, 3, 1, 23, 30, tzinfo=ZoneInfo("Europe/Berlin"))
SERIES = ("chosen", "other")
TITLES = {"x_title": "submitted", "y_title": "cider-d", "series": SERIES}


def make_points(*values, series="other"):
    return [TimedPoint(START + timedelta(days=number), value, series) for number, value in enumerate(values)]


def test_points_have_the_clock_of_their_zone_and_keep_the_colour_of_their_series():
    specification = draw_timeline(make_points(0.5, 0.6), **TITLES)

    assert [(each["at"], each["value"]) for each in specification["data"]["values"]] == [
        ("2026-03-01T23:30:00+00:00", 0.5),
        ("2026-03-02T23:30:00+00:00", 0.6),
    ]
    both = draw_timeline([*make_points(0.5), *make_points(0.6, series="chosen")], **TITLES)
    alone, colours = (each["layer"][1]["encoding"]["color"]["scale"] for each in (specification, both))
    assert alone["domain"] == ["other"]
    assert alone["range"] == colours["range"][1:]
    assert all(text in render(both, "svg").decode() for text in ("submitted", "cider-d", "chosen", "other"))


def test_equal_values_have_an_axis_with_their_number():
    assert ">0.70<" in render(draw_timeline(make_points(0.7), **TITLES), "svg").decode()


def test_a_single_time_has_an_axis_of_a_day():
    svg = render(draw_timeline(make_points(0.7), **TITLES), "svg").decode()

    assert all(text in svg for text in (">06 PM<", ">Mon 02<"))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_sizes(size):
    assert render(draw_timeline(make_points(0.7, 0.2), size=size, **TITLES), "svg").startswith(b"<svg")


def test_a_figure_without_points_is_refused():
    with pytest.raises(CorrelationInputError, match="at least one point"):
        draw_timeline([], **TITLES)
