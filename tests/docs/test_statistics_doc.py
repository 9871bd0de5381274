"""Tests that docs/statistics.md has every name of the package, and of its examples."""

from pathlib import Path

import pytest

from correlation.agreement.ceiling import METHODS
from correlation.agreement.measures import AGREEMENTS
from correlation.coefficients.accuracy import TIE_CREDITS
from correlation.coefficients.bivariate import ALL_COEFFICIENTS
from correlation.comparison.methods import TESTS
from correlation.comparison.multiple import CORRECTIONS
from correlation.correlate import LEVELS
from correlation.planning import sizes as planning
from correlation.protocols.aggregation import AGGREGATIONS
from correlation.ranking.values import MEASURES
from correlation.resampling.counts import AXES
from correlation.resampling.intervals import INTERVALS
from tests.docs.examples import run_examples

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "statistics.md").read_text()
# Heading -> the names that its section must tell.
SECTIONS = {
    "Levels": LEVELS,
    "Coefficients": ALL_COEFFICIENTS,
    "Accuracy on pairs": TIE_CREDITS,
    "Intervals": (*INTERVALS, *AXES),
    "Differences between metrics": (*TESTS, *CORRECTIONS),
    "Agreement of raters": AGREEMENTS,
    "The human ceiling": METHODS,
    "Aggregation of judgments": AGGREGATIONS,
    "Ranking of systems": MEASURES,
    "Planning": [name for name in vars(planning) if name.startswith(("plan_", "estimate_"))],
}


@pytest.mark.parametrize(
    ("heading", "name"), [(heading, name) for heading, names in SECTIONS.items() for name in names]
)
def test_name_is_told_in_its_section(heading: str, name: str) -> None:
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]

    assert f"`{name}`" in section


def test_examples_print_what_the_page_says() -> None:
    results = run_examples(PAGE, name="statistics.md")

    assert results.failed == 0
    assert results.attempted > 40
