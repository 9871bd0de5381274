"""Tests that the page contains the tables on `critic-reference` with the stored results."""

import json
from pathlib import Path

from benchmarks.critics.reference_page import (
    BEGIN,
    CHOICE_BEGIN,
    CHOICE_END,
    END,
    PAGE,
    format_choice,
    format_results,
    format_transfer,
    write_section,
)
from metrics_plugins.metrics.critics.reference.settings import CriticReferenceSettings

FOUND = {
    "rows": {"`sentence-cosine`": [1.0, 2.0, 1.5], "`critic-reference`": [3.0, 4.004, 3.456]},
    "gains": {"version 3": [-0.5, -1.0, 0.25], "`critic-reference`": [1.956, 1.0, 3.0]},
}
TABLES = """\
| x100: development / held back / all | Some data |
| --- | --- |
| `sentence-cosine` | 1.00 / 2.00 / 1.50 |
| `critic-reference` | 3.00 / 4.00 / 3.46 |

| data | `sentence-cosine` | version 3: gain | `critic-reference` | gain |
| --- | --- | --- | --- | --- |
| Some data | 1.50 | -0.50 [-1.00, +0.25] | 3.46 | +1.96 [+1.00, +3.00] |
"""


def test_tables() -> None:
    assert format_results({"sets": {"Some data": FOUND}}) == TABLES


def test_section_takes_the_place_of_what_was_there(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")

    write_section({"sets": {"Some data": FOUND}}, page=page)

    assert page.read_text() == f"before\n{BEGIN}\n\n{TABLES}\n{END}\nafter\n"


def test_page_holds_the_kept_results() -> None:
    results = json.loads(PAGE.parents[1].joinpath("benchmarks", "critics", "reference.json").read_text())

    assert format_results(results) in PAGE.read_text()


def test_page_holds_the_kept_choice() -> None:
    results = json.loads(PAGE.parents[1].joinpath("benchmarks", "critics", "reference_choice.json").read_text())

    found = PAGE.read_text().partition(CHOICE_BEGIN)[2].partition(CHOICE_END)[0]
    assert found.strip() == format_choice(results).strip()
    assert tuple(results["weights"].values()) == CriticReferenceSettings().weights


def test_page_holds_the_kept_results_on_other_data_sets() -> None:
    results = json.loads(PAGE.parents[1].joinpath("benchmarks", "critics", "judgments_transfer.json").read_text())

    assert format_transfer(results) in PAGE.read_text()
