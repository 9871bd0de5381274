"""A board as CSV and as a LaTeX table."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from challenges.board.ranking import Board, Entry
from correlation.csv_lines import write_csv
from correlation.reports.latex import escape_latex


def write_board_csv(board: Board) -> Iterator[str]:
    """Yield the lines of a CSV file, with the rounded values; those that are undefined are empty.

    `is_baseline` is 1 for baselines, which have no rank, and 0 for entries of teams.

    With intervals, three columns for each value follow: both ends and the cluster.
    """
    names = [f"{each.metric} ({each.references})" for each in board.columns]
    header = ["rank", "team", "is_baseline", "at", *names]
    if board.intervals_at is not None:
        header += [f"{name} {part}" for name in names for part in ("low", "high", "cluster")]
    rows = (
        [
            each.rank,
            each.team,
            int(each.is_baseline),
            each.at.isoformat(),
            *each.values,
            *(_list_precision(each) if board.intervals_at else []),
        ]
        for each in board.entries
    )
    return write_csv(header, rows)


def _list_precision(entry: Entry) -> list[float | int | None]:
    """Return the ends of the interval and the cluster for each value; empty where there are none."""
    empty = (None,) * len(entry.values)
    parts = zip(entry.intervals or empty, entry.clusters or empty, strict=True)
    return [
        part for ends, cluster in parts for part in (ends.low if ends else None, ends.high if ends else None, cluster)
    ]


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
        team = f"{each.team} (baseline)" if each.is_baseline else each.team
        lines.append(" & ".join([rank, escape_latex(team), *values]) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


FORMATS: Final[Mapping[str, Callable[[Board, int], Iterable[str]]]] = {
    "csv": lambda board, _: write_board_csv(board),
    "tex": lambda board, decimals: [print_board_latex(board, decimals=decimals)],
}
"""Ending of a file -> its writer, which takes a board and the decimals of its scores."""
