"""Tests of CSV output of metrics: undefined numbers are empty, and text is protected from formulas."""

from math import inf, nan

from metrics_plugins.text.csv_lines import format_csv


def test_undefined_numbers_are_empty_and_formulas_guarded() -> None:
    rows = [["x,y", nan], ["z", 1.5], ["=1+1", -inf], ["-2", None]]

    assert format_csv(["a", "@b"], rows) == "a,'@b\n\"x,y\",\nz,1.5\n'=1+1,\n-2,\n"
