import re
from dataclasses import replace

import pytest

from correlation.errors import UnknownNameError
from correlation.figures import render
from correlation.figures.forest import draw_forest
from correlation.protocols.row import ResultMeasure
from tests.correlation.reports.example import REPORT, make_pairs_report


def find_texts(figure):
    """Everything that a text mark of a ceiling says."""
    return [
        value["name"]
        for layer in figure["layer"]
        for value in layer.get("data", {}).get("values", ())
        if "name" in value
    ]


def test_metrics_stand_in_the_order_of_the_report_with_what_is_printed():
    figure = draw_forest(REPORT)

    assert figure["data"]["values"] == [
        {
            "metric": "spice_u",
            "value": 0.5125,
            "low": 0.49,
            "high": 0.535,
            "is_above": True,
            "printed": "0.512 [0.490, 0.535]",
            "n": 16992,
            "n_missing": 3,
            "letters": "a",
        },
        {
            "metric": "cider|d",
            "value": -0.0625,
            "low": -0.125,
            "high": -0.00001,
            "is_above": False,
            "printed": "\N{MINUS SIGN}0.062 [\N{MINUS SIGN}0.125, 0.000]",
            "n": 16995,
            "n_missing": 0,
            "letters": "b",
        },
        {
            "metric": "length",
            "value": None,
            "low": None,
            "high": None,
            "is_above": False,
            "printed": "undefined",
            "n": 0,
            "n_missing": 16995,
            "letters": "",
        },
    ]
    assert figure["layer"][-1]["encoding"]["y"]["scale"]["domain"] == ["spice_u", "cider|d", "length"]
    assert figure["encoding"]["x"]["title"] == "Kendall τ-c"


def test_only_the_ceiling_in_the_very_coefficient_is_drawn_with_its_band():
    figure = draw_forest(REPORT)

    assert find_texts(figure) == ["people, mean-pairwise"]
    zero, band, line = (layer["data"]["values"] for layer in figure["layer"][:3])
    assert (zero, band, line) == ([{"value": 0.0}], [{"low": 0.45, "high": 0.55}], [{"value": 0.5}])


def test_ceiling_without_an_interval_has_no_band():
    report = replace(REPORT, ceilings=(replace(REPORT.ceilings[0], low=None, high=None),))

    assert [layer["mark"]["type"] for layer in draw_forest(report)["layer"][1:3]] == ["rule", "text"]


def test_marks_are_explained_and_nothing_else():
    assert draw_forest(REPORT)["title"]["subtitle"] == [
        "Bars: 95 % percentile intervals over images x raters.",
        "Metrics that share a letter do not differ significantly. Open diamonds: above the human ceiling.",
    ]
    assert draw_forest(make_pairs_report())["title"]["subtitle"] == []


def test_the_mean_is_shown_unless_another_measure_is_asked_for():
    report = make_pairs_report()

    category = draw_forest(report, measure=ResultMeasure("pair", "accuracy", "HC"))

    assert [each["value"] for each in draw_forest(report)["data"]["values"]] == [0.625, 0.5]
    assert [each["value"] for each in category["data"]["values"]] == [0.5, 0.5]
    assert category["encoding"]["x"]["title"] == "accuracy, HC"


def test_a_narrow_forest_fits_a_phone_with_letters_as_large_as_in_a_wide_one():
    long = replace(REPORT, title="An evaluation of captions with a title that takes more than one line")

    for report in (REPORT, long):
        svg = render(draw_forest(report, size="narrow"), "svg").decode()
        assert float(re.search(r'width="([\d.]+)"', svg)[1]) <= 300
        assert min(map(float, re.findall(r'font-size="([\d.]+)px"', svg))) == 12
    assert float(re.search(r'width="([\d.]+)"', render(draw_forest(REPORT), "svg").decode())[1]) > 600


def test_a_narrow_forest_says_all_that_a_wide_one_says():
    wide, narrow = (
        set(" ".join(re.findall(r">([^<>]+)</text>", render(draw_forest(REPORT, size=size), "svg").decode())).split())
        for size in ("wide", "narrow")
    )

    assert wide == narrow


def test_there_is_no_such_size():
    with pytest.raises(UnknownNameError, match="unknown size of a figure 'huge'; known are: wide, narrow"):
        draw_forest(REPORT, size="huge")


def test_axis_around_a_single_number_has_room_for_its_ticks():
    rows = tuple(replace(row, value=0.667, low=None, high=None) for row in REPORT.rows)
    one = draw_forest(replace(REPORT, rows=rows, ceilings=()))

    assert one["encoding"]["x"]["scale"]["domain"] == pytest.approx([0.617, 0.717])
    assert "domain" not in draw_forest(REPORT)["encoding"]["x"]["scale"]
