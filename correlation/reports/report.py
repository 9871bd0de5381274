"""A report: one frozen value from which every table and figure of a comparison of metrics with people is printed."""

from __future__ import annotations

from dataclasses import dataclass

from correlation.errors import UnknownNameError
from correlation.protocols.row import MEAN, TOTAL, ResultMeasure, ResultRow
from correlation.reports.values import ReportCeiling, ReportDesign, ReportDifference, ReportMetric


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a protocol for several metrics, with intervals, differences and human ceilings.

    Attributes
    ----------
    title
        What the table is of, for people; may be empty.
    protocol
        The protocol's signature.
    metrics
        In the order of the table: the best by `ranking_measure` first, those without a value last.
    rows
        One for each metric and measure, metric by metric.
    ceilings, differences
        As far as they were asked for; of `differences` each pair once for each measure, the better metric first.
    design
        What was resampled, how often and from which seed.
    notes
        Sentences on what could not be made and why.
    """

    title: str
    protocol: str
    metrics: tuple[ReportMetric, ...]
    rows: tuple[ResultRow, ...]
    ceilings: tuple[ReportCeiling, ...]
    differences: tuple[ReportDifference, ...]
    design: ReportDesign
    notes: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[ResultMeasure, ...]:
        """What heads the columns, in the order of the protocol."""
        return tuple(dict.fromkeys(row.measure for row in self.rows))

    @property
    def ranking_measure(self) -> ResultMeasure:
        """The measure that orders the metrics: the mean over categories, else the first."""
        return choose_ranking(self.measures)

    def get_row(self, metric: str, measure: ResultMeasure) -> ResultRow:
        """The number of a metric; an unknown metric or measure raises `UnknownNameError`."""
        for row in self.rows:
            if row.metric == metric and row.measure == measure:
                return row
        raise UnknownNameError("row of the report", (metric, measure), [metric.id for metric in self.metrics])

    def find_difference(self, first: str, second: str, measure: ResultMeasure) -> ReportDifference | None:
        """The difference of two metrics, in whichever order it is kept; None where it was not tested."""
        for difference in self.differences:
            if difference.measure == measure and {difference.first, difference.second} == {first, second}:
                return difference
        return None


def choose_ranking(measures: tuple[ResultMeasure, ...]) -> ResultMeasure:
    """The first mean over categories or total of them, else the first measure."""
    if not measures:
        raise UnknownNameError("measure of a report without rows", None, ())
    return next((measure for measure in measures if measure.category in (MEAN, TOTAL)), measures[0])
