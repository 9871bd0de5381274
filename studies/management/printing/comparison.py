"""Prints differences between metrics."""

from correlation.protocols.row import ResultMeasure, ResultRow
from correlation.reports import Report
from correlation.reports.values import ReportDifference
from studies.management.printing.results import print_percent
from studies.management.printing.tables import format_table


def print_comparison(report: Report) -> str:
    """Return, for every measure, the metrics with their letters and all pairs; values and differences times 100."""
    metrics = "\n".join(metric.signature for metric in report.metrics)
    return f"{print_differences(report)}\n{metrics}"


def print_differences(report: Report) -> str:
    """Return the same without the signatures of the metrics."""
    parts = [_print_measure(report, measure) for measure in report.measures]
    notes = [f"caution: {caution}" for caution in report.cautions] + [f"note: {note}" for note in report.notes]
    return "\n\n".join([*parts, *notes, f"{report.protocol} / {report.design.signature}"])


def _print_measure(report: Report, measure: ResultMeasure) -> str:
    pairs = [difference for difference in report.differences if difference.measure == measure]
    rows = sorted((row for row in report.rows if row.measure == measure), key=_rank)
    category = f", {measure.category}" if measure.category else ""
    heading = f"{report.title}, {measure.coefficient} at level {measure.level}{category}"
    if pairs:
        heading += f", n = {pairs[0].n:,}, missing {pairs[0].n_missing:,}"
    ranked = format_table(
        ("metric", "letters", "x100"),
        [(row.metric, row.letters or "-", print_percent(row.value)) for row in rows],
        n_names=2,
    )
    if not pairs:
        return f"{heading}\n\n{ranked}"
    header = ("better", "worse", "x100", "low", "high", "p", "p adjusted")
    return f"{heading}\n\n{ranked}\n\n{format_table(header, [_list_cells(pair) for pair in pairs], n_names=2)}"


def _rank(row: ResultRow) -> tuple[bool, float]:
    return row.value is None, -(row.value or 0)


def _list_cells(pair: ReportDifference) -> tuple[str, ...]:
    bounds = (print_percent(value) for value in (pair.difference, pair.low, pair.high))
    return (pair.first, pair.second, *bounds, _print_share(pair.p_value), _print_share(pair.p_adjusted))


def _print_share(p_value: float | None) -> str:
    if p_value is None:
        return "-"
    return f"{p_value:.4f}" if p_value >= 0.0001 else "<0.0001"
