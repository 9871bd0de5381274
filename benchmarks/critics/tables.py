"""The page on critics, and its tables."""

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.captioning.pages import DOCS
from metrics_plugins.probes.tables import format_table

PAGE: Final = DOCS / "critics.md"


def format_rows(rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table, whose first row is its header."""
    header, *others = rows
    return format_table(header, others, n_names=len(header))
