import pytest

from correlation.errors import UnknownNameError
from correlation.protocols.row import ResultMeasure
from correlation.reports.report import choose_ranking
from tests.correlation.reports.example import DIFFERENCES, REPORT, ROWS, make_pairs_report

TAU = ResultMeasure("item", "kendall-c")


def test_measures_are_the_columns_in_order_and_the_mean_ranks():
    report = make_pairs_report()

    assert [measure.category for measure in report.measures] == ["HC", "H_M", "mean"]
    assert report.ranking_measure == ResultMeasure("pair", "accuracy", "mean")
    assert REPORT.ranking_measure == TAU


def test_rows_and_differences_are_found_in_either_order():
    assert REPORT.get_row("cider|d", TAU) == ROWS[1]
    assert REPORT.find_difference("cider|d", "spice_u", TAU) == DIFFERENCES[0]
    assert REPORT.find_difference("cider|d", "length", TAU) is None


def test_unknown_row_is_said():
    with pytest.raises(UnknownNameError, match=r"unknown row of the report .*'bleu'.* known are: spice_u, cider\|d"):
        REPORT.get_row("bleu", TAU)


def test_nothing_ranks_a_report_without_rows():
    with pytest.raises(UnknownNameError, match="measure of a report without rows"):
        choose_ranking(())
