"""A board as CSV and as a LaTeX table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from challenges.board.ranking import Board, Entry
from challenges.enums import HumanCriterion
from challenges.human.columns import HumanCell
from challenges.human.table import HumanTable
from correlation.csv_lines import write_csv
from correlation.reports.latex import escape_latex

HUMAN_DECIMALS: Final = 3
_PARTS: Final = ("low", "high", "n")


def write_board_csv(board: Board) -> Iterator[str]:
    """Yield the lines of a CSV file, with the rounded values; those that are undefined are empty.

    `is_baseline` is 1 for baselines, which have no rank, and 0 for entries of teams.

    With intervals, three columns for each value follow: both ends and the cluster. Human results are the last columns,
    and the last rows are judged submissions that are not on the board, and human captions.
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
    if board.human is None:
        return write_csv(header, rows)
    human, n_columns = board.human, len(header)
    cells = (_list_judged(human, own) for own in human.list_cells(each.submission for each in board.entries))
    more = ([None, team, *[None] * (n_columns - 2), *_list_judged(human, own)] for team, own in _list_others(human))
    joined = ([*row, *own] for row, own in zip(rows, cells, strict=True))
    return write_csv([*header, *_name_judged(human)], chain(joined, more))


def _list_others(human: HumanTable) -> list[tuple[str, tuple[HumanCell | None, ...]]]:
    """Return the names and cells of the rows behind those of entries."""
    others = [(f"{each.team} (earlier entry)", each.cells) for each in human.others]
    return [*others, ("Human captions", human.people)] if human.has_people else others


def _name_judged(human: HumanTable) -> Iterator[str]:
    for each in human.columns:
        yield each.criterion
        yield from (f"{each.criterion} {part}" for part in _PARTS)
        if each.criterion == HumanCriterion.WINS:
            yield f"{each.criterion} strength"


def _list_judged(human: HumanTable, cells: Sequence[HumanCell | None]) -> Iterator[float | int | None]:
    for head, cell in zip(human.columns, cells, strict=True):
        yield from (cell and getattr(cell, name) for name in ("value", *_PARTS))
        if head.criterion == HumanCriterion.WINS:
            yield cell and cell.strength


def _list_precision(entry: Entry) -> list[float | int | None]:
    """Return the ends of the interval and the cluster for each value; empty where there are none."""
    empty = (None,) * len(entry.values)
    parts = zip(entry.intervals or empty, entry.clusters or empty, strict=True)
    return [
        part for ends, cluster in parts for part in (ends.low if ends else None, ends.high if ends else None, cluster)
    ]


def print_board_latex(board: Board, *, decimals: int) -> str:
    """Return a LaTeX table in the style of booktabs; undefined values are dashes."""
    columns = [f"{each.metric} ({each.references})" for each in board.columns]
    human = board.human
    judged = [each.criterion for each in human.columns] if human else []
    names = ["Rank", "Team", *map(escape_latex, [*columns, *judged])]
    lines = [
        f"\\begin{{tabular}}{{rl{'r' * (len(names) - 2)}}}",
        "\\toprule",
        " & ".join(names) + " \\\\",
        "\\midrule",
    ]
    cells = human.list_cells(each.submission for each in board.entries) if human else [()] * len(board.entries)
    for each, own in zip(board.entries, cells, strict=True):
        values = [_print_value(value, decimals=decimals) for value in each.values]
        values += map(_print_cell, own)
        rank = "--" if each.rank is None else str(each.rank)
        team = f"{each.team} (baseline)" if each.is_baseline else each.team
        lines.append(" & ".join([rank, escape_latex(team), *values]) + " \\\\")
    for team, own in _list_others(human) if human else []:
        values = ["--"] * len(columns) + [_print_cell(each) for each in own]
        lines.append(" & ".join(["--", escape_latex(team), *values]) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


def _print_value(value: float | None, *, decimals: int) -> str:
    return "--" if value is None else f"{value:.{decimals}f}"


def _print_cell(cell: HumanCell | None) -> str:
    return _print_value(cell.value if cell else None, decimals=HUMAN_DECIMALS)


FORMATS: Final[Mapping[str, Callable[[Board, int], Iterable[str]]]] = {
    "csv": lambda board, _: write_board_csv(board),
    "tex": lambda board, decimals: [print_board_latex(board, decimals=decimals)],
}
"""Ending of a file -> its writer, which takes a board and the decimals of its scores."""
