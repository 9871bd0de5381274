"""Reports as flat records, for CSV."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from types import MappingProxyType
from typing import Any

from correlation.csv_lines import write_csv
from correlation.errors import check_name
from correlation.protocols.row import ResultRow
from correlation.reports.report import Report
from correlation.reports.values import ReportDifference

Record = dict[str, Any]

# `kind` distinguishes metrics from ceilings; for a ceiling, the column `metric` contains the method.
VALUE_COLUMNS = ("kind", *(field.name for field in fields(ResultRow)), "signature", "protocol", "design")
DIFFERENCE_COLUMNS = (*(field.name for field in fields(ReportDifference)), "protocol", "design")


def list_records(report: Report, part: str) -> list[Record]:
    """Return the records of a part, `values` or `differences`, with the signatures needed to reproduce them."""
    check_name("part of a report", part, PARTS)
    made = {"protocol": report.protocol, "design": report.design.signature}
    return [record | made for record in PARTS[part][1](report)]


def print_csv(report: Report, part: str = "values") -> str:
    """Print CSV with a header and newline line ends; floats are exact, undefined values are empty."""
    records = list_records(report, part)
    columns = PARTS[part][0]
    rows = ([print_flag(record.get(name)) for name in columns] for record in records)
    return "".join(write_csv(columns, rows, line_end="\n"))


def print_flag(value: Any) -> Any:
    """Return `True` or `False` as text, other values unchanged: CSV would have the numbers 1 and 0."""
    return str(value) if isinstance(value, bool) else value


def _list_values(report: Report) -> list[Record]:
    signatures = {metric.id: metric.signature for metric in report.metrics}
    metrics = [{"kind": "metric", **asdict(row), "signature": signatures[row.metric]} for row in report.rows]
    ceilings = [
        {
            "kind": "ceiling",
            "metric": ceiling.method,
            **{name: value for name, value in asdict(ceiling).items() if name in VALUE_COLUMNS},
            "n_missing": 0,
            "is_above_ceiling": False,
        }
        for ceiling in report.ceilings
    ]
    return [*metrics, *ceilings]


def _list_differences(report: Report) -> list[Record]:
    return [asdict(difference) for difference in report.differences]


PARTS: Mapping[str, tuple[tuple[str, ...], Callable[[Report], list[Record]]]] = MappingProxyType(
    {"values": (VALUE_COLUMNS, _list_values), "differences": (DIFFERENCE_COLUMNS, _list_differences)}
)
