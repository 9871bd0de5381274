"""The benchmark matrix: how well each metric agrees with judgments in several studies, and its mean rank."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from correlation.errors import CorrelationInputError
from correlation.protocols.row import ResultMeasure, ResultRow
from correlation.reports.records import Record
from correlation.reports.report import Report, collect_cautions
from correlation.reports.values import ReportCeiling


@dataclass(frozen=True, slots=True)
class MatrixColumn:
    """A study.

    Attributes
    ----------
    name, protocol
        Its name, and the signature of its protocol.
    measure
        The measure that ranks the metrics.
    ceiling
        The human ceiling in this measure, or None.
    cautions
        Why the numbers in this measure must be read with care, as sentences without a full stop.
    """

    name: str
    protocol: str
    measure: ResultMeasure
    ceiling: ReportCeiling | None
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatrixLine:
    """A metric with one cell for each column, None where the report has no row.

    `mean_rank` is the mean over all columns of the rank by value (1 = best, ties share their mean rank) among the
    metrics that have a value in every column; None for a metric that has not.
    """

    metric: str
    cells: tuple[ResultRow | None, ...]
    mean_rank: float | None


@dataclass(frozen=True, slots=True)
class BenchmarkMatrix:
    """Metrics against studies; metrics are sorted by mean rank, those without one by name at the end.

    `notes` are sentences on the reports that the matrix is made of.
    """

    columns: tuple[MatrixColumn, ...]
    lines: tuple[MatrixLine, ...]
    notes: tuple[str, ...] = ()

    @property
    def n_ranked(self) -> int:
        """The number of metrics with a value in every column."""
        return sum(line.mean_rank is not None for line in self.lines)

    def list_records(self) -> list[Record]:
        """Return one flat record for each number: `kind` distinguishes metrics from ceilings."""
        rows: list[Record] = []
        for place, column in enumerate(self.columns):
            source = {"study": column.name, "protocol": column.protocol}
            cells = [(line.cells[place], line.mean_rank) for line in self.lines]
            rows += [{"kind": "metric", **source, **asdict(cell), "mean_rank": rank} for cell, rank in cells if cell]
            if column.ceiling is not None:
                rows.append({"kind": "ceiling", **source, **asdict(column.ceiling)})
        return rows


def build_matrix(reports: Mapping[str, Report], *, notes: Sequence[str] = ()) -> BenchmarkMatrix:
    """Join reports on several studies, each by the measure that ranks its metrics.

    Parameters
    ----------
    reports
        Reports by the names of their studies, in the order of the columns; none give an empty matrix.
    notes
        Sentences to print with the matrix.

    Raises
    ------
    CorrelationInputError
        A report has no rows.
    """
    columns = tuple(_make_column(name, report) for name, report in reports.items())
    cells = [
        {row.metric: row for row in report.rows if row.measure == column.measure}
        for column, report in zip(columns, reports.values(), strict=True)
    ]
    names = sorted({name for column in cells for name in column})
    by_metric = {name: tuple(column.get(name) for column in cells) for name in names}
    mean_ranks = _rank_metrics(by_metric)
    lines = [MatrixLine(name, own, mean_ranks.get(name)) for name, own in by_metric.items()]
    lines.sort(key=lambda line: (line.mean_rank is None, line.mean_rank or 0.0, line.metric))
    return BenchmarkMatrix(columns, tuple(lines), tuple(notes))


def _make_column(name: str, report: Report) -> MatrixColumn:
    if not report.rows:
        raise CorrelationInputError(f"the report on {name} has no rows")
    measure = report.ranking_measure
    ceiling = next((each for each in report.ceilings if each.measure == measure and each.value is not None), None)
    cautions = collect_cautions([row for row in report.rows if row.measure == measure])
    return MatrixColumn(name, report.protocol, measure, ceiling, cautions)


def _rank_metrics(by_metric: Mapping[str, Sequence[ResultRow | None]]) -> dict[str, float]:
    """Return the mean rank of each metric that has a value in every column."""
    values = {
        name: [cell.value for cell in cells if cell is not None and cell.value is not None]
        for name, cells in by_metric.items()
    }
    complete = [name for name, own in values.items() if len(own) == len(by_metric[name])]
    if not complete:
        return {}
    table = np.array([values[name] for name in complete], dtype=np.float64)
    n_better = (table[None] > table[:, None]).sum(axis=1)
    n_equal = (table[None] == table[:, None]).sum(axis=1)
    ranks = (n_better + (n_equal + 1) / 2).mean(axis=1)
    return dict(zip(complete, map(float, ranks), strict=True))
