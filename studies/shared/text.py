"""Compares and shortens captions and other texts, and prints durations."""

from metrics_plugins.text.comparing import normalize_caption as normalize_caption
from metrics_plugins.text.comparing import normalize_space as normalize_space


def unify_line_ends(text: str) -> str:
    """Return the text with line feeds only, since browsers send a carriage return before each.

    >>> unify_line_ends("one\\r\\ntwo\\rthree")
    'one\\ntwo\\nthree'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def cut_text(text: str, *, longest: int) -> str:
    """Return a text of at most this number of characters, the last one an ellipsis if some are left out.

    >>> cut_text("captions", longest=5)
    'capt\N{HORIZONTAL ELLIPSIS}'
    """
    return text if len(text) <= longest else f"{text[: longest - 1]}\N{HORIZONTAL ELLIPSIS}"


def print_duration(seconds: float) -> str:
    """Return a duration as one rounded number: "less than 1 s", "40 s", "3 min" or "5 h"."""
    if seconds < 1:
        return "less than 1 s"
    for size, unit in ((1, "s"), (60, "min")):
        # 90 seconds are 2 minutes, and 90 minutes 2 hours.
        if seconds < size * 90:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 3600:.0f} h"
