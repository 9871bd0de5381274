"""The data of the explorer's figures as tables: differences, the multiverse and the points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from correlation.csv_lines import write_csv
from correlation.protocols.multiverse import Multiverse
from correlation.protocols.point_table import tabulate_points
from correlation.protocols.row import ResultMeasure
from correlation.reports import Report
from correlation.reports.latex import escape_latex
from correlation.reports.layout import TITLES
from studies.analysis.scatter.points import ScatterPoints

Cell = str | int | float | None
MISSING: Final = "\N{EN DASH}"
MINUS: Final = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A table without markup; a cell is None if it is empty.

    Attributes:
        title: The title.
        header: The headings of the columns.
        n_names: The number of columns at the left with names instead of numbers.
        rows: The cells, as many per row as there are headings.
        digits: The printed decimals of a float; a CSV file has all.
        notes: Notes for the reader, ending with the signatures.
    """

    title: str
    header: tuple[str, ...]
    n_names: int
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 3
    notes: tuple[str, ...] = ()

    def print_cell(self, cell: Cell) -> str:
        """Return one cell as printed text, with a minus sign instead of a hyphen."""
        if cell is None:
            return MISSING
        if isinstance(cell, float):
            printed = f"{cell:.{self.digits}f}"
            return printed.lstrip("-") if float(printed) == 0 else printed.replace("-", MINUS)
        return f"{cell:,}" if isinstance(cell, int) else cell

    @property
    def printed_rows(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(self.print_cell(cell) for cell in row) for row in self.rows)


def tabulate_differences(report: Report) -> PlainTable:
    """Return the table of every pair of metrics at every measure, the better one first."""
    many = len(report.measures) > 1
    rows = tuple(
        (
            *((_title_measure(each.measure),) if many else ()),
            each.first,
            each.second,
            each.difference,
            each.low,
            each.high,
            each.p_value,
            each.p_adjusted,
        )
        for each in report.differences
    )
    return PlainTable(
        title=f"{report.title}: differences between metrics",
        header=(
            *(("measure",) if many else ()),
            "better",
            "worse",
            "difference",
            "low",
            "high",
            "p",
            "p corrected",
        ),
        n_names=3 if many else 2,
        rows=rows,
        digits=4,
        notes=(*report.notes, f"{report.protocol} / {report.design.signature}"),
    )


def tabulate_multiverse(multiverse: Multiverse, *, title: str, signature: str) -> PlainTable:
    """Return the share of wins of each metric, its ranks, and its universes without rank; most wins first."""
    order = sorted(range(len(multiverse.metrics)), key=lambda place: (-multiverse.wins[place], place))
    rows: list[tuple[Cell, ...]] = []
    for place in order:
        ranks = [universe.ranks[place] for universe in multiverse.universes]
        defined = [rank for rank in ranks if rank is not None]
        rows.append(
            (
                multiverse.metrics[place],
                100 * multiverse.wins[place],
                sum(defined) / len(defined) if defined else None,
                min(defined, default=None),
                max(defined, default=None),
                len(ranks) - len(defined),
            )
        )
    return PlainTable(
        title=f"{title}: {len(multiverse.universes)} ways of analysing the same judgments",
        header=("metric", "wins, %", "mean rank", "best rank", "worst rank", "undefined"),
        n_names=1,
        rows=tuple(rows),
        digits=2,
        notes=(signature,),
    )


def tabulate_universes(multiverse: Multiverse) -> PlainTable:
    """Return the value of every metric in every universe, which are the data of the multiverse figure."""
    rows = tuple(
        (
            universe.aggregation,
            universe.level,
            universe.coefficient,
            metric,
            None if value != value else value,
            rank,
        )
        for universe in multiverse.universes
        for metric, value, rank in zip(multiverse.metrics, universe.values, universe.ranks, strict=True)
    )
    header = ("aggregation", "level", "coefficient", "metric", "value", "rank")
    return PlainTable(title="universes", header=header, n_names=4, rows=rows)


def tabulate_scatter(points: ScatterPoints, *, title: str, signature: str) -> PlainTable:
    """Return quartiles and means of the scores by judgment."""
    rows = tuple(
        (
            f"{row.low:.4g}" if row.low == row.high else f"{row.low:.4g} to {row.high:.4g}",
            row.n,
            row.lower_quartile,
            row.median,
            row.upper_quartile,
            row.mean,
        )
        for row in tabulate_points(points.judgments, points.scores)
    )
    return PlainTable(
        title=f"{title}: {points.score_title}, by {points.judgment_title}",
        header=("judgment", "n", "lower quartile", "median", "upper quartile", "mean score"),
        n_names=1,
        rows=rows,
        digits=4,
        notes=(signature,),
    )


def print_csv(table: PlainTable) -> str:
    """Return the table with its header; floats are exact, empty cells are empty."""
    return "".join(write_csv(table.header, table.rows, line_end="\n"))


def print_markdown(table: PlainTable) -> str:
    """Return the table in GitHub's Markdown, with its title and notes."""
    aligned = [":--" if place < table.n_names else "--:" for place in range(len(table.header))]
    lines = [_join_markdown(row) for row in (table.header, aligned, *table.printed_rows)]
    notes = [f"`{note}`" if "|" in note else f"{note}." for note in table.notes]
    return "\n".join([f"**{table.title}**", "", *lines, "", *notes]) + "\n"


def print_latex(table: PlainTable) -> str:
    r"""Return the table as a `tabular` for `\usepackage{booktabs}`, with its title and notes as comments."""
    columns = "".join("l" if place < table.n_names else "r" for place in range(len(table.header)))
    told = [f"% {' '.join(text.split())}" for text in (table.title, *table.notes)]
    body = [f"{' & '.join(map(_escape, row))} \\\\" for row in table.printed_rows]
    head = f"{' & '.join(map(escape_latex, table.header))} \\\\"
    frame = ["\\toprule", head, "\\midrule", *body, "\\bottomrule"]
    lines = ["% Needs \\usepackage{booktabs}.", *told, f"\\begin{{tabular}}{{{columns}}}", *frame, "\\end{tabular}"]
    return "\n".join(lines) + "\n"


def _escape(cell: str) -> str:
    return "--" if cell == MISSING else escape_latex(cell).replace(MINUS, "$-$")


def _join_markdown(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _title_measure(measure: ResultMeasure) -> str:
    parts = [TITLES[measure.coefficient], measure.level, *([measure.category] if measure.category else [])]
    return ", ".join(parts)


TABLE_PRINTERS: Mapping[str, Callable[[PlainTable], str]] = MappingProxyType(
    {"csv": print_csv, "md": print_markdown, "tex": print_latex}
)
"""File extension -> the function that prints the table."""
