"""Prints tables."""

import sys
from collections.abc import Sequence

from metrics_plugins.text.terminal import emphasize


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, n_names: int = 1) -> str:
    """Return lines in aligned columns: the first `n_names` left-aligned, the others, with numbers, right-aligned.

    The header is coloured where standard output is a terminal with colours.
    """
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    first, *others = [
        "  ".join(
            cell.ljust(width) if column < n_names else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([emphasize(first, stream=sys.stdout), *others])
