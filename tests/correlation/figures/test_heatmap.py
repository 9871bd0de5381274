import re
from dataclasses import replace

import pytest

from correlation.figures.heatmap import draw_differences, mark_significance
from correlation.figures.rendering import render
from correlation.reports.values import ReportDifference
from tests.correlation.reports.example import REPORT, make_pairs_report

# "* p < 0.05, ** p < 0.01, *** p < 0.001 (perm-both, Holm)." at 12 pixels in DejaVu Sans, which browsers on Linux take
# where there is neither Liberation Sans nor Arial; measured by Pillow with the font's file.
WIDEST_LINE = 346


def make_difference(first, second, difference, p_adjusted):
    return ReportDifference(
        "item", "kendall-c", None, first, second, difference, None, None, p_adjusted, p_adjusted, 10, 0
    )


FULL = replace(
    REPORT,
    differences=(
        make_difference("spice_u", "cider|d", 0.5, 0.0005),
        make_difference("spice_u", "length", None, None),
        make_difference("cider|d", "length", 0.01, 0.2),
    ),
)


def test_a_cell_is_row_minus_column_with_stars():
    assert draw_differences(FULL)["data"]["values"] == [
        {
            "first": "spice_u",
            "second": "cider|d",
            "difference": 0.5,
            "p": 0.0005,
            "is_significant": True,
            "printed": "0.500",
            "stars": "***",
            "is_dark": True,
        },
        {
            "first": "spice_u",
            "second": "length",
            "difference": None,
            "p": None,
            "is_significant": False,
            "printed": "n/a",
            "stars": "",
            "is_dark": False,
        },
        {
            "first": "cider|d",
            "second": "length",
            "difference": 0.01,
            "p": 0.2,
            "is_significant": False,
            "printed": "0.010",
            "stars": "",
            "is_dark": False,
        },
    ]


def test_rows_and_columns_are_in_the_order_of_the_report_and_none_is_empty():
    encoding = draw_differences(FULL)["encoding"]

    assert encoding["y"]["scale"]["domain"] == ["spice_u", "cider|d"]
    assert encoding["x"]["scale"]["domain"] == ["cider|d", "length"]


def test_marks_are_explained():
    assert draw_differences(FULL)["title"]["subtitle"] == [
        "Difference in Kendall τ-c: row minus column.",
        "* p < 0.05, ** p < 0.01, *** p < 0.001 (perm-both, Holm).",
        "On white: not significant at 0.05.",
    ]


def test_marks_are_not_cut_off_above_a_narrow_table():
    figure = draw_differences(replace(FULL, differences=FULL.differences[:1]))

    svg = render(figure, "svg").decode()

    assert figure["width"] == 62
    width = float(re.search(r'<svg [^>]*?\bwidth="([\d.]+)"', svg)[1])
    left = float(re.search(r'<g transform="translate\(([\d.]+),', svg)[1])
    assert width >= left + WIDEST_LINE


def test_without_differences_the_figure_is_empty_and_can_be_rendered():
    report = replace(make_pairs_report(), design=REPORT.design)

    figure = draw_differences(report)

    assert figure["data"]["values"] == []
    assert render(figure, "svg").startswith(b"<svg ")


@pytest.mark.parametrize(("p", "stars"), [(0.05, ""), (0.0499, "*"), (0.01, "*"), (0.0099, "**"), (0.0001, "***")])
def test_stars_are_for_less_than_the_bound(p, stars):
    assert mark_significance(p, alpha=0.05) == stars


@pytest.mark.parametrize(("p", "stars"), [(0.02, ""), (0.009, "*"), (0.0009, "**")])
def test_star_begins_at_the_level_of_the_letters(p, stars):
    assert mark_significance(p, alpha=0.01) == stars
