"""Tables for terminals: their head is emphasized, but not where the output is piped or a user wants no colours."""

import os
import sys
from collections.abc import Sequence
from typing import TextIO

_BOLD_BLUE, _PLAIN = "\x1b[1;34m", "\x1b[0m"


def has_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours, and neither `NO_COLOR` (https://no-color.org) nor a dumb one."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def emphasize(line: str, *, stream: TextIO) -> str:
    """Return the head of a table as it is written to a stream."""
    return f"{_BOLD_BLUE}{line}{_PLAIN}" if line and has_colours(stream) else line


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines whose columns begin at the same places; the first row is the head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    head, *lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return [emphasize(head, stream=sys.stdout), *lines]
