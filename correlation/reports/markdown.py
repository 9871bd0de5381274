"""Print reports in GitHub-flavoured Markdown."""

import re
from collections.abc import Iterable

from correlation.protocols.row import ResultRow
from correlation.reports.layout import (
    TITLES,
    NumberStyle,
    TableLine,
    arrange_ceilings,
    arrange_metrics,
    head_columns,
    list_signatures,
    write_sentences,
)
from correlation.reports.report import Report
from correlation.reports.values import ReportCeiling

UNDEFINED = "undefined"


def print_markdown(report: Report, *, digits: int | None = None, percent: bool = False) -> str:
    """Print a pipe table with the best values in bold, followed by notes and signatures.

    Parameters
    ----------
    digits
        Number of decimals; by default 3, or 1 for percentages.
    percent
        Whether to print values and intervals multiplied by 100.
    """
    style = NumberStyle.choose(digits, percent=percent)
    heads = ["metric", *head_columns(report, TITLES), "n", "missing"]
    lines = [f"**{escape_markdown(report.title)}**", ""] if report.title else []
    lines += [join_cells(escape_markdown(head) for head in heads)]
    lines += [join_cells(["---"] * (len(heads) - 2) + ["---:", "---:"])]
    lines += [_print_line(line, style, is_ceiling=False) for line in arrange_metrics(report)]
    lines += [_print_line(line, style, is_ceiling=True) for line in arrange_ceilings(report)]
    lines += ["", escape_markdown(" ".join(write_sentences(report))), ""]
    lines += [f"- {_quote_code(signature)}" for signature in list_signatures(report)]
    return "\n".join(lines) + "\n"


def escape_markdown(text: str) -> str:
    r"""Escape text so that Markdown prints it literally, and put it on one line.

    >>> print(escape_markdown("spice_u | *x*"))
    spice\_u \| \*x\*
    """
    return re.sub(r"([\\`*_|<>\[\]~#&])", r"\\\1", " ".join(text.split()))


def _quote_code(text: str) -> str:
    # A backtick would end the code span; signatures contain none.
    return f"`{' '.join(text.replace('`', chr(39)).split())}`"


def join_cells(cells: Iterable[str]) -> str:
    """Return one line of a pipe table."""
    return f"| {' | '.join(cells)} |"


def _print_line(line: TableLine, style: NumberStyle, *, is_ceiling: bool) -> str:
    name = escape_markdown(line.name)
    cells = [print_cell(cell, best, style) for cell, best in zip(line.cells, line.best, strict=True)]
    missing = "" if line.n_missing is None else f"{line.n_missing:,}"
    return join_cells([f"*{name}*" if is_ceiling else name, *cells, f"{line.n:,}", missing])


def print_cell(cell: ResultRow | ReportCeiling | None, best: bool, style: NumberStyle) -> str:
    """Print a number, bold if it is the best, with its interval, letters and mark."""
    if cell is None:
        return ""
    if cell.value is None:
        return UNDEFINED
    value = style.print_value(cell.value)
    parts = [f"**{value}**" if best else value]
    if cell.low is not None and cell.high is not None:
        parts.append(f"[{style.print_value(cell.low)}, {style.print_value(cell.high)}]")
    if isinstance(cell, ResultRow):
        parts += [cell.letters] if cell.letters else []
        parts += ["†"] if cell.is_above_ceiling else []
    return " ".join(parts)
