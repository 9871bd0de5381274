"""Print reports of the probes as Markdown, or write them to a file in the format of its extension."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from metrics_plugins.cli.output import check_place, write_out

Report = TypeVar("Report")
Forms = Mapping[str, Callable[[Report], str]]
"""Functions that format a report, by file extension; `.md` and `.json` are also printed."""


def check_report(path: Path | None, *, forms: Forms[Report]) -> None:
    """Raise `UsageError` if a report with this name could not be written."""
    if path:
        check_place(path, endings=tuple(forms))


def show_report(report: Report, *, forms: Forms[Report], out: Path | None, as_json: bool = False) -> None:
    """Print a report as Markdown or JSON, or write it to a file.

    Raises:
        UsageError: The file cannot be written.
    """
    if out:
        write_out(out, forms[out.suffix](report).encode())
    else:
        sys.stdout.write(f"{forms['.json' if as_json else '.md'](report).rstrip()}\n")
