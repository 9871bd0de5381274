"""Reports of the probes: printed as Markdown, or written to a file whose ending says the form."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from metrics_plugins.cli.output import check_place, write_whole

Report = TypeVar("Report")
Forms = Mapping[str, Callable[[Report], str]]
"""Ending of a file -> its content; `.md` is what is printed."""


def check_report(path: Path | None, *, forms: Forms[Report]) -> None:
    """Raise `UsageError` if a report of this name could not be written."""
    if path:
        check_place(path, endings=tuple(forms))


def show_report(report: Report, *, forms: Forms[Report], out: Path | None) -> None:
    """Print a report, or write it to a file.

    Raises:
        UsageError: The file cannot be written.
    """
    if out:
        write_whole(out, forms[out.suffix](report).encode())
    else:
        sys.stdout.write(forms[".md"](report))
