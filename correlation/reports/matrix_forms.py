"""The output formats of a benchmark matrix."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType

from correlation.csv_lines import write_csv
from correlation.protocols.row import LEFT_OUT, ResultRow
from correlation.reports.layout import TITLES, NumberStyle
from correlation.reports.markdown import escape_markdown, join_cells, print_cell
from correlation.reports.matrix import BenchmarkMatrix, MatrixColumn
from correlation.reports.records import print_flag

FORMAT = "accordance-matrix@1"
_COLUMNS = ("kind", "study", "protocol", *(each.name for each in fields(ResultRow)), "mean_rank", "method", "n_parts")


def head_column(column: MatrixColumn) -> str:
    """Return the heading of a column: the study and its coefficient, with the category if it has one."""
    measure = column.measure
    return f"{column.name}: {TITLES[measure.coefficient]}" + (f", {measure.category}" if measure.category else "")


def write_matrix_cautions(matrix: BenchmarkMatrix) -> tuple[str, ...]:
    """Return the sentences that must be read before a matrix."""
    return tuple(f"Caution: {column.name}: {each}." for column in matrix.columns for each in column.cautions)


def write_matrix_sentences(matrix: BenchmarkMatrix) -> tuple[str, ...]:
    """Return sentences that explain what a matrix shows, without its cautions."""
    studies = "1 study" if len(matrix.columns) == 1 else f"{len(matrix.columns)} studies"
    sentences = [
        f"Mean rank over {studies} of the {matrix.n_ranked} metrics with a value in each; 1 is best, and equal values "
        "share their mean rank."
    ]
    cells = [cell for line in matrix.lines for cell in line.cells if cell is not None]
    if any(cell.low is not None for cell in cells):
        sentences.append("In brackets: intervals.")
    if any(cell.letters for cell in cells):
        sentences.append(
            "Letters: two metrics share a letter in a column if and only if no significant difference was found "
            "between them in that study."
        )
    if any(cell.is_above_ceiling for cell in cells):
        sentences.append("†: above the human ceiling.")
    sentences += [
        sentence
        for place, column in enumerate(matrix.columns)
        for sentence in _write_left_out(column.name, {line.metric: line.cells[place] for line in matrix.lines})
    ]
    return (*sentences, *matrix.notes)


def _write_left_out(study: str, cells: Mapping[str, ResultRow | None]) -> list[str]:
    """Return a sentence for each number of rows of a study that metrics leave out."""
    metrics: dict[tuple[int, int], list[str]] = {}
    for metric, cell in cells.items():
        if cell is not None:
            metrics.setdefault((cell.n_missing, cell.n + cell.n_missing), []).append(metric)
    return [
        f"{missing:,} of {total:,} rows of {study} are left out for "
        f"{', '.join(names) if len(metrics) > 1 else 'every metric'}: {LEFT_OUT}."
        for (missing, total), names in metrics.items()
        if missing
    ]


def print_markdown_matrix(matrix: BenchmarkMatrix) -> str:
    """Print a pipe table with the best value of each column in bold, followed by its explanation and the protocols."""
    style = NumberStyle.choose(None, percent=False)
    lines = [
        join_cells(["metric", "mean rank", *(escape_markdown(head_column(column)) for column in matrix.columns)]),
        join_cells(["---", "---:", *["---"] * len(matrix.columns)]),
    ]
    best = [_find_best([line.cells[place] for line in matrix.lines]) for place in range(len(matrix.columns))]
    for line in matrix.lines:
        rank = "" if line.mean_rank is None else f"{line.mean_rank:.1f}"
        cells = [
            print_cell(cell, cell is not None and cell.value is not None and cell.value == most, style)
            for cell, most in zip(line.cells, best, strict=True)
        ]
        lines.append(join_cells([escape_markdown(line.metric), rank, *cells]))
    if any(column.ceiling for column in matrix.columns):
        ceilings = [print_cell(column.ceiling, False, style) for column in matrix.columns]
        lines.append(join_cells(["*people*", "", *ceilings]))
    lines += ["", escape_markdown(" ".join((*write_matrix_cautions(matrix), *write_matrix_sentences(matrix)))), ""]
    lines += [f"- {escape_markdown(column.name)}: `{column.protocol}`" for column in matrix.columns]
    return "\n".join(lines) + "\n"


def print_csv_matrix(matrix: BenchmarkMatrix) -> str:
    """Print CSV with one line for each number; floats are exact, undefined values are empty."""
    rows = ([print_flag(record.get(name)) for name in _COLUMNS] for record in matrix.list_records())
    return "".join(write_csv(_COLUMNS, rows, line_end="\n"))


def print_json_matrix(matrix: BenchmarkMatrix) -> str:
    """Print one JSON object with a list of records; undefined values are null."""
    content = {
        "format": FORMAT,
        "cautions": write_matrix_cautions(matrix),
        "notes": matrix.notes,
        "values": matrix.list_records(),
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _find_best(cells: Sequence[ResultRow | None]) -> float | None:
    return max((cell.value for cell in cells if cell is not None and cell.value is not None), default=None)


MATRIX_FORMS: Mapping[str, Callable[[BenchmarkMatrix], str]] = MappingProxyType(
    {"md": print_markdown_matrix, "csv": print_csv_matrix, "json": print_json_matrix}
)
"""Functions that print a matrix, by file extension."""
