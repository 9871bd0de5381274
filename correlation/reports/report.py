"""The report type, from which all tables and figures are printed."""

from collections.abc import Sequence
from dataclasses import dataclass

from correlation.errors import UnknownNameError
from correlation.protocols.row import MEAN, TOTAL, ResultMeasure, ResultRow
from correlation.reports.values import ReportCeiling, ReportDesign, ReportDifference, ReportMetric


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a protocol for several metrics, with intervals, differences and human ceilings.

    Attributes
    ----------
    title
        A title for readers; may be empty.
    protocol
        The protocol's signature.
    metrics
        The metrics in the order of the table: sorted by `ranking_measure`, undefined values last.
    rows
        One row per metric and measure, grouped by metric.
    ceilings, differences
        As requested; `differences` contains each pair once per measure, with the better metric first.
    design
        What was resampled, how often and with which seed.
    notes
        Sentences that say what could not be computed and why.
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
        """The columns, in the order of the protocol."""
        return tuple(dict.fromkeys(row.measure for row in self.rows))

    @property
    def ranking_measure(self) -> ResultMeasure:
        """The measure by which metrics are sorted: the mean over categories, else the first."""
        return choose_ranking(self.measures)

    @property
    def cautions(self) -> tuple[str, ...]:
        """The result of `collect_cautions` for all rows."""
        return collect_cautions(self.rows)

    def get_row(self, metric: str, measure: ResultMeasure) -> ResultRow:
        """Return the row of a metric; an unknown metric or measure raises `UnknownNameError`."""
        for row in self.rows:
            if row.metric == metric and row.measure == measure:
                return row
        raise UnknownNameError("row of the report", (metric, measure), [metric.id for metric in self.metrics])

    def find_difference(self, first: str, second: str, measure: ResultMeasure) -> ReportDifference | None:
        """Return the difference of two metrics, given in either order; None if it was not tested."""
        for difference in self.differences:
            if difference.measure == measure and {difference.first, difference.second} == {first, second}:
                return difference
        return None


def collect_cautions(rows: Sequence[ResultRow]) -> tuple[str, ...]:
    """Return why numbers must be read with care, each reason once, as sentences without a full stop.

    A reason that does not hold for all metrics begins with the names of those for which it does. If several hold for
    all metrics, each begins with the coefficients (and categories) for which it holds.
    """
    metrics: dict[str, dict[str, None]] = {}
    measures: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.caution:
            metrics.setdefault(row.caution, {})[row.metric] = None
            measures.setdefault(row.caution, {})[", ".join(filter(None, (row.coefficient, row.category)))] = None
    everyone = {row.metric for row in rows}
    general = [caution for caution, names in metrics.items() if names.keys() == everyone]
    subjects = {caution: ", ".join(names) for caution, names in metrics.items() if caution not in general}
    if len(general) > 1:
        subjects |= {caution: "; ".join(measures[caution]) for caution in general}
    return tuple(f"{subjects[caution]}: {caution}" if caution in subjects else caution for caution in metrics)


def choose_ranking(measures: tuple[ResultMeasure, ...]) -> ResultMeasure:
    """Return the first mean over or total of categories, else the first measure."""
    if not measures:
        raise UnknownNameError("measure of a report without rows", None, ())
    return next((measure for measure in measures if measure.category in (MEAN, TOTAL)), measures[0])
