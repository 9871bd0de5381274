"""Tests that the page contains the table on `critic-judgments` with the stored results."""

import json
from pathlib import Path

from benchmarks.critics.judgments_page import BEGIN, END, PAGE, format_results, write_section

RESULTS = {
    "coefficients": {"Some data": "tau-c"},
    "sets": {
        "Some data": {
            "plain": {"value": 1.0, "low": 0.5, "high": 1.499},
            "learned": {"value": 2.0, "low": 1.5, "high": 2.5, "p": 0.000999},
        }
    },
}
TEXT = """\
| x100 | Some data, tau-c |
| --- | --- |
| plain | 1.00 [0.50, 1.50] |
| learned | 2.00 [1.50, 2.50], p = 0.0010 |
"""


def test_table() -> None:
    assert format_results(RESULTS) == TEXT


def test_section_takes_the_place_of_what_was_there(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")

    write_section(RESULTS, page=page)

    assert page.read_text() == f"before\n{BEGIN}\n\n{TEXT}\n{END}\nafter\n"


def test_page_holds_the_kept_results() -> None:
    results = json.loads(PAGE.parents[1].joinpath("benchmarks", "critics", "judgments.json").read_text())

    assert format_results(results) in PAGE.read_text()
