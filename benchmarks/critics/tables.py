"""The page on critics, and its tables."""

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.captioning.pages import DOCS

PAGE: Final = DOCS / "critics.md"


def format_rows(rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table, whose first row is its header."""
    header, *others = rows
    lines = [header, ["---"] * len(header), *others]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
