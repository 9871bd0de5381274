"""The layout of a report, independent of the output format: lines, columns, printed numbers and notes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from correlation.protocols.row import ResultMeasure, ResultRow
from correlation.reports.report import Report
from correlation.reports.values import ReportCeiling


@dataclass(frozen=True, slots=True)
class TableLine:
    """One line: a metric or a ceiling. A cell is None if the line has no number for that measure.

    `best` says for each cell whether no metric has a higher value. `n` and `n_missing` are the maxima over the cells.
    """

    name: str
    cells: tuple[ResultRow | ReportCeiling | None, ...]
    best: tuple[bool, ...]
    n: int
    n_missing: int | None


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """The number of decimals, and whether values are printed as percentages."""

    digits: int
    percent: bool

    @classmethod
    def choose(cls, digits: int | None, *, percent: bool) -> "NumberStyle":
        """Return the default style: three decimals, or one for percentages."""
        return cls((1 if percent else 3) if digits is None else digits, percent)

    def print_value(self, value: float) -> str:
        """Print a number; one that rounds to zero has no sign.

        >>> NumberStyle(3, percent=False).print_value(-0.00001), NumberStyle(1, percent=True).print_value(0.5125)
        ('0.000', '51.2')
        """
        printed = f"{value * 100 if self.percent else value:.{self.digits}f}"
        return printed.lstrip("-") if float(printed) == 0 else printed


def print_number(value: float) -> str:
    """Return a value with three decimals and the minus sign of the axes, for figures and sentences.

    >>> print_number(0.5), print_number(-0.25) == "\\N{MINUS SIGN}0.250"
    ('0.500', True)
    """
    return NumberStyle.choose(None, percent=False).print_value(value).replace("-", "\N{MINUS SIGN}")


def arrange_metrics(report: Report) -> tuple[TableLine, ...]:
    """Return one line per metric, with cells in the order of the columns."""
    measures = list_columns(report)
    best = {
        m: max((r.value for r in report.rows if r.measure == m and r.value is not None), default=None) for m in measures
    }
    by_metric: dict[str, dict[ResultMeasure, ResultRow]] = {metric.id: {} for metric in report.metrics}
    for row in report.rows:
        by_metric[row.metric][row.measure] = row
    return tuple(
        TableLine(
            name=name,
            cells=tuple(own.get(measure) for measure in measures),
            best=tuple(
                measure in own and own[measure].value is not None and own[measure].value == best[measure]
                for measure in measures
            ),
            n=max(row.n for row in own.values()),
            n_missing=max(row.n_missing for row in own.values()),
        )
        for name, own in by_metric.items()
    )


def arrange_ceilings(report: Report) -> tuple[TableLine, ...]:
    """Return one line per method, each ceiling in the column of its own coefficient; an undefined one is left out."""
    columns = list_columns(report)
    lines: dict[str, dict[ResultMeasure, ReportCeiling]] = {}
    for ceiling in report.ceilings:
        if ceiling.value is not None:
            lines.setdefault(f"people, {ceiling.method}", {})[ceiling.measure] = ceiling
    nothing_best = (False,) * len(columns)
    return tuple(
        TableLine(name, tuple(own.get(each) for each in columns), nothing_best, max(c.n for c in own.values()), None)
        for name, own in lines.items()
    )


def list_columns(report: Report) -> tuple[ResultMeasure, ...]:
    """Return the measures of the metrics, followed by those that only human ceilings have."""
    ceilings = (each.measure for each in report.ceilings if each.value is not None)
    return tuple(dict.fromkeys((*report.measures, *ceilings)))


def head_columns(report: Report, titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the column headings: the coefficient, with level and category if needed to distinguish columns.

    The heading of a column without metrics says that it has people only.
    """
    levels = {measure.level for measure in list_columns(report)}
    heads = []
    for measure in list_columns(report):
        head = titles[measure.coefficient]
        head += f" ({measure.level})" if len(levels) > 1 else ""
        head += f", {measure.category}" if measure.category else ""
        heads.append(head + ("" if measure in report.measures else ", people only"))
    return tuple(heads)


def write_cautions(report: Report) -> tuple[str, ...]:
    """Return the sentences that must be read before the table."""
    return tuple(f"Caution: {caution}." for caution in report.cautions)


def write_sentences(report: Report, *, with_cautions: bool = True) -> tuple[str, ...]:
    """Return the cautions, and sentences that explain the marks in the table."""
    design, sentences = report.design, list(write_cautions(report) if with_cautions else ())
    if design.interval:
        share = f"{100 * (1 - design.alpha):g} % {design.method} intervals"
        over = f" over {' x '.join(design.clusters)}" if design.clusters else ""
        times = f", {design.resamples:,} resamples" if design.method in ("percentile", "bca") else ""
        sentences.append(f"In brackets: {share}{over}{times}.")
    if report.differences:
        times = (
            f", {design.comparison.n_resamples:,} resamples" if design.comparison and design.test != "williams" else ""
        )
        sentences.append(
            f"Letters: two metrics share a letter if and only if no significant difference was found between them "
            f"({design.test}{times}, {CORRECTIONS[design.correction]}, alpha {design.alpha:g})."
        )
        n_left_out = max(difference.n_missing for difference in report.differences)
        if n_left_out:
            sentences.append(f"They compare rows with scores of all metrics; up to {n_left_out:,} are left out.")
    if any(row.is_above_ceiling for row in report.rows):
        sentences.append("†: above the human ceiling.")
    sentences += [f"{row.metric}: undefined, {row.reason}." for row in report.rows if row.value is None]
    sentences += [f"{note[:1].upper()}{note[1:]}." for note in report.notes]
    return (*sentences, f"Seed {design.seed}.")


def list_signatures(report: Report) -> tuple[str, ...]:
    """Return the signatures of the protocol and of the metrics."""
    return (report.protocol, *(metric.signature for metric in report.metrics if metric.signature))


TITLES: Mapping[str, str] = MappingProxyType(
    {
        "pearson": "Pearson r",
        "spearman": "Spearman \N{GREEK SMALL LETTER RHO}",
        "kendall-a": "Kendall τ-a",
        "kendall-b": "Kendall τ-b",
        "kendall-c": "Kendall τ-c",
        "kendall-wmt": "Kendall τ (WMT)",
        "point-biserial": "point-biserial r",
        "auc": "AUC",
        "accuracy": "accuracy",
    }
)
CORRECTIONS: Mapping[str, str] = MappingProxyType({"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "uncorrected"})
