"""Tests of the explained terms: each has a section in the documentation, and measures are found by their names."""

import re
from pathlib import Path

import pytest

from correlation.reports.layout import TITLES
from studies.analysis.terms import TERMS, find_measure

DOCS = Path(__file__).resolve().parents[3] / "docs" / "statistics.md"


@pytest.mark.parametrize("name", TERMS)
def test_term_leads_to_a_section(name):
    headings = re.findall(r"^#+ (.+)$", DOCS.read_text(), flags=re.MULTILINE)

    assert TERMS[name].anchor in {heading.lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall-b", "kendall-c"])
def test_coefficient_is_found_by_name_and_by_heading(name):
    found = find_measure(name)

    assert found == name.partition("-")[0]
    assert find_measure(TITLES[name]) == found
