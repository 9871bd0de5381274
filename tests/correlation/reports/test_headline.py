from dataclasses import replace

import pytest

from correlation.protocols.row import ResultRow
from correlation.reports.headline import write_headline
from correlation.reports.values import ReportDifference, ReportMetric
from tests.correlation.reports.example import REPORT, make_pairs_report

TITLES = {"cider-d": "CIDEr-D", "spice": "SPICE"}


def make_report(values, *, p_values=None, coefficient="pearson", alpha=0.05):
    """Make a report from metric -> (value, low, high), best first, and (better, worse) -> corrected p-value."""
    rows = tuple(ResultRow(name, "item", coefficient, None, *numbers, 40, 0) for name, numbers in values.items())
    differences = tuple(
        ReportDifference("item", coefficient, None, first, second, 0.1, None, None, p, p, 40, 0)
        for (first, second), p in (p_values or {}).items()
    )
    metrics = tuple(ReportMetric(name) for name in values)
    design = replace(REPORT.design, alpha=alpha)
    return replace(REPORT, metrics=metrics, rows=rows, differences=differences, design=design)


BOTH = {"cider-d": (0.544, 0.41, 0.653), "spice": (0.519, 0.4, 0.6)}


@pytest.mark.parametrize(
    ("p_value", "alpha", "told"),
    [
        (0.01, 0.05, "CIDEr-D agrees best: r = .54 [.41, .65]"),
        (0.05, 0.05, "CIDEr-D and SPICE cannot be told apart: r = .54 [.41, .65] and .52 [.40, .60]"),
        (0.01, 0.01, "CIDEr-D and SPICE cannot be told apart: r = .54 [.41, .65] and .52 [.40, .60]"),
        (None, 0.05, "CIDEr-D and SPICE cannot be told apart: r = .54 [.41, .65] and .52 [.40, .60]"),
    ],
)
def test_only_a_significant_difference_makes_a_metric_the_best(p_value, alpha, told):
    report = make_report(BOTH, p_values={("cider-d", "spice"): p_value}, alpha=alpha)

    assert write_headline(report, titles=TITLES) == told


def test_a_difference_of_the_other_sign_on_common_observations_is_no_claim():
    report = make_report(BOTH, p_values={("spice", "cider-d"): 0.001})

    assert write_headline(report).startswith("cider-d and spice cannot be told apart: ")


def test_only_metrics_close_to_the_highest_are_named():
    values = {name: (0.5 - 0.01 * place, 0.3, 0.6) for place, name in enumerate("abcdef")}
    some = {("a", name): 0.5 if name in "bcd" else 0.001 for name in "bcdef"}
    all_close = {("a", name): 0.5 for name in "bcdef"}

    assert (
        write_headline(make_report(values, p_values=some))
        == "a is highest, but cannot be told apart from b, c and d: r = .50 [.30, .60]"
    )
    assert (
        write_headline(make_report(values, p_values=all_close))
        == "a is highest, but cannot be told apart from 5 other metrics: r = .50 [.30, .60]"
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (BOTH, "cider-d is highest, but differences were not tested: r = .54 [.41, .65]"),
        ({"a": (0.5, None, None), "b": (0.4, None, None)}, "a is highest: r = .50"),
        ({"a": (0.5, 0.1, 0.7)}, "a agrees with people: r = .50 [.10, .70]"),
        ({"a": (0.5, None, None)}, "a: r = .50"),
        ({"a": (0.1, -0.1, 0.3)}, "The agreement of a cannot be told from chance: r = .10 [\N{MINUS SIGN}.10, .30]"),
        (
            {"a": (0.1, -0.1, 0.3), "b": (0.0, -0.2, 0.2)},
            "No metric's agreement can be told from chance; a is highest: r = .10 [\N{MINUS SIGN}.10, .30]",
        ),
        ({"a": (None, None, None)}, "No agreement can be computed"),
        ({"a": (0.999, 0.99, 1.0), "b": (None, None, None)}, "a agrees with people: r = 1.00 [.99, 1.00]"),
    ],
)
def test_without_tests_no_metric_is_called_the_best(values, told):
    assert write_headline(make_report(values)) == told


def test_accuracy_at_chance_is_a_half():
    report = make_report({"a": (0.55, 0.45, 0.65)}, coefficient="accuracy")

    assert write_headline(report) == "The agreement of a cannot be told from chance: accuracy .55 [.45, .65]"
    assert write_headline(make_pairs_report()) == "a is highest: accuracy .62"


def test_a_metric_with_a_negative_interval_disagrees():
    report = make_report({"a": (-0.4, -0.6, -0.2)})

    assert write_headline(report) == (
        "a disagrees with people: r = \N{MINUS SIGN}.40 [\N{MINUS SIGN}.60, \N{MINUS SIGN}.20]"
    )
