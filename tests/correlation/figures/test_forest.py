from dataclasses import replace

from correlation.figures.forest import draw_forest
from correlation.reports.values import ReportMeasure
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
            "cluster": "a",
        },
        {
            "metric": "cider|d",
            "value": -0.0625,
            "low": -0.125,
            "high": -0.00001,
            "is_above": False,
            "printed": "\N{MINUS SIGN}0.062 [\N{MINUS SIGN}0.125, 0.000]",
            "cluster": "b",
        },
        {
            "metric": "length",
            "value": None,
            "low": None,
            "high": None,
            "is_above": False,
            "printed": "undefined",
            "cluster": "",
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
        "Letters: rank clusters. Open diamonds: above the human ceiling.",
    ]
    assert draw_forest(make_pairs_report())["title"]["subtitle"] == []


def test_the_mean_is_shown_unless_another_measure_is_asked_for():
    report = make_pairs_report()

    category = draw_forest(report, measure=ReportMeasure("pair", "accuracy", "HC"))

    assert [each["value"] for each in draw_forest(report)["data"]["values"]] == [0.625, 0.5]
    assert [each["value"] for each in category["data"]["values"]] == [0.5, 0.5]
    assert category["encoding"]["x"]["title"] == "accuracy, HC"
