"""Tests of the table of a report in each of its formats."""

from dataclasses import replace

from correlation.reports.forms import TABLE_FORMS
from correlation.reports.json_form import read_report
from tests.correlation.reports.test_markdown import EXPECTED, REPORT


def test_the_title_heads_the_latex_table():
    printed = TABLE_FORMS["tex"](replace(REPORT, title="flickr8k"))

    assert "\\caption{flickr8k: metrics against people." in printed


def test_each_form_prints_the_report():
    assert TABLE_FORMS["md"](REPORT) == EXPECTED
    assert read_report(TABLE_FORMS["json"](REPORT)) == REPORT
    assert TABLE_FORMS["csv"](REPORT).count("\n") == 1 + len(REPORT.rows) + len(REPORT.ceilings)
