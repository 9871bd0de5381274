"""A board as CSV and as a LaTeX table."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from challenges.board.ranking import Board
from correlation.csv_lines import write_csv
from correlation.reports.latex import escape_latex


def write_board_csv(board: Board) -> Iterator[str]:
    """Yield the lines of a CSV file, with the rounded values; those that are undefined are empty."""
    header = ["rank", "team", "at", *(f"{each.metric} ({each.references})" for each in board.columns)]
    rows = ([each.rank, each.team, each.at.isoformat(), *each.values] for each in board.entries)
    return write_csv(header, rows)


def print_board_latex(board: Board, *, decimals: int) -> str:
    """Return a LaTeX table in the style of booktabs; undefined values are dashes."""
    names = ["Rank", "Team", *(escape_latex(f"{each.metric} ({each.references})") for each in board.columns)]
    lines = [
        f"\\begin{{tabular}}{{rl{'r' * len(board.columns)}}}",
        "\\toprule",
        " & ".join(names) + " \\\\",
        "\\midrule",
    ]
    for each in board.entries:
        values = ["--" if value is None else f"{value:.{decimals}f}" for value in each.values]
        rank = "--" if each.rank is None else str(each.rank)
        lines.append(" & ".join([rank, escape_latex(each.team), *values]) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


FORMATS: Final[Mapping[str, Callable[[Board, int], Iterable[str]]]] = {
    "csv": lambda board, _: write_board_csv(board),
    "tex": lambda board, decimals: [print_board_latex(board, decimals=decimals)],
}
"""Ending of a file -> its writer, which takes a board and the decimals of its scores."""
