"""One sentence that says which metric agrees best with people, as far as the tests of a report support it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from correlation.protocols.row import ResultMeasure, ResultRow
from correlation.reports.report import Report

CHANCE: Mapping[str, float] = MappingProxyType({"accuracy": 0.5, "auc": 0.5})
"""Coefficient -> its value without any agreement; 0 for all others."""

SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        "pearson": "r",
        "spearman": "\N{GREEK SMALL LETTER RHO}",
        "kendall-a": "τ",
        "kendall-b": "τ",
        "kendall-c": "τ",
        "kendall-wmt": "τ",
        "point-biserial": "r",
        "auc": "AUC",
        "accuracy": "accuracy",
    }
)
MOST_NAMES = 3


def write_headline(report: Report, *, titles: Mapping[str, str] | None = None) -> str:
    """Return one sentence without a full stop about the measure that ranks the metrics.

    A metric agrees best if its difference to every other metric is significant after correction, as in the report's
    differences and letters. Metrics whose difference to the highest is not significant cannot be told apart from
    it. Without tests no metric is called the best.

    Parameters
    ----------
    report
        The report; undefined values are left out.
    titles
        Metric -> its title, if it has one besides its id.
    """
    names = titles or {}
    measure = report.ranking_measure
    rows = [row for metric in report.metrics if (row := report.get_row(metric.id, measure)).value is not None]
    if not rows:
        return "No agreement can be computed"
    best = rows[0]
    name, value = names.get(best.metric, best.metric), _print_result(best)
    if _all_include_chance(rows):
        if len(rows) == 1:
            return f"The agreement of {name} cannot be told from chance: {value}"
        return f"No metric's agreement can be told from chance; {name} is highest: {value}"
    if len(rows) == 1:
        if best.high is None:
            return f"{name}: {value}"
        return f"{name} {'dis' if best.high < _get_chance(best) else ''}agrees with people: {value}"
    apart = _list_apart(report, best.metric, measure)
    if apart is None:
        hedge = ", but differences were not tested" if best.low is not None else ""
        return f"{name} is highest{hedge}: {value}"
    close = [row for row in rows[1:] if row.metric not in apart]
    if not close:
        return f"{name} agrees best: {value}"
    others = [names.get(row.metric, row.metric) for row in close]
    if len(close) == 1:
        return f"{name} and {others[0]} cannot be told apart: {value} and {_print_result(close[0], with_symbol=False)}"
    listed = f"{', '.join(others[:-1])} and {others[-1]}" if len(close) <= MOST_NAMES else f"{len(close)} other metrics"
    return f"{name} is highest, but cannot be told apart from {listed}: {value}"


def _all_include_chance(rows: Sequence[ResultRow]) -> bool:
    """Whether every metric has an interval and it includes the value without agreement."""
    chance = _get_chance(rows[0])
    return all(row.low is not None and row.high is not None and row.low <= chance <= row.high for row in rows)


def _get_chance(row: ResultRow) -> float:
    return CHANCE.get(row.coefficient, 0.0)


def _list_apart(report: Report, best: str, measure: ResultMeasure) -> set[str] | None:
    """Return the metrics that are significantly worse than the best one; None if they were not tested."""
    own = [each for each in report.differences if each.measure == measure and best in (each.first, each.second)]
    if not own:
        return None
    return {
        each.second
        for each in own
        if each.first == best and each.p_adjusted is not None and each.p_adjusted < report.design.alpha
    }


def _print_result(row: ResultRow, *, with_symbol: bool = True) -> str:
    value = _print_number(row.value or 0.0)
    bounds = f" [{_print_number(row.low)}, {_print_number(row.high)}]" if None not in (row.low, row.high) else ""
    sign = f"{SYMBOLS[row.coefficient]} {'' if row.coefficient == 'accuracy' else '= '}" if with_symbol else ""
    return f"{sign}{value}{bounds}"


def _print_number(value: float | None) -> str:
    """Print two decimals without a leading zero.

    >>> _print_number(0.544), _print_number(1.0), _print_number(-0.004)
    ('.54', '1.00', '.00')
    """
    printed = f"{value or 0.0:.2f}"
    if float(printed) == 0:
        return ".00"
    return printed.replace("0.", ".", 1).replace("-", "\N{MINUS SIGN}") if abs(value or 0.0) < 0.995 else printed
