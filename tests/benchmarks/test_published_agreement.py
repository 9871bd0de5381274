"""Tests that the numbers shipped for the pages of metrics are those of docs/benchmark-matrix.md."""

import json

from benchmarks.published_agreement import FILE, PAGE, read_agreement


def test_file_has_the_numbers_of_the_page() -> None:
    assert json.loads(FILE.read_text()) == read_agreement(PAGE.read_text()), (
        "run `python -m benchmarks.published_agreement`"
    )


def test_cells_without_a_number_are_none_and_bold_ones_are_read() -> None:
    table = (
        "<!-- matrix -->\n| metric | mean rank | one: Kendall τ-c | two: accuracy |\n| --- | --- | --- | --- |\n"
        "| cider-d | 1.0 | **0.500** [-0.100, 0.600] a † |  |\n"
        "| *people* |  |  | 0.700 [0.600, 0.800] |\n\n<!-- end -->"
    )

    assert read_agreement(table) == {
        "columns": [{"study": "one", "measure": "Kendall τ-c"}, {"study": "two", "measure": "accuracy"}],
        "people": [None, {"value": 0.7, "low": 0.6, "high": 0.8}],
        "metrics": {"cider-d": [{"value": 0.5, "low": -0.1, "high": 0.6}, None]},
    }
