"""The table on `critic-judgments` of docs/critics.md, from the results of `benchmarks.critics.judgments`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.captioning.pages import replace_between
from benchmarks.critics.tables import PAGE, format_rows

BEGIN: Final = "<!-- python -m benchmarks.critics.judgments writes from here ... -->"
END: Final = "<!-- ... to here, on critic-judgments -->"


def write_section(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers of the page."""
    replace_between(page, BEGIN, END, content=f"\n{format_results(results)}\n")


def format_results(results: Mapping[str, Any]) -> str:
    """Return the table of the agreement of each metric with the judgments of each data set."""
    sets = results["sets"]
    names = list(next(iter(sets.values())))
    header = ["x100", *(f"{name}, {results['coefficients'][name]}" for name in sets)]
    return format_rows([header, *([row, *(_format_cell(found[row]) for found in sets.values())] for row in names)])


def _format_cell(found: Mapping[str, Any]) -> str:
    return f"{found['value']:.2f} [{found['low']:.2f}, {found['high']:.2f}]" + (
        f", p = {found['p']:.4f}" if "p" in found else ""
    )
