"""Compares and shortens captions and other texts, and prints durations."""


def normalize_space(text: str) -> str:
    """Return the text in the form used for comparison: white space is collapsed to single blanks and stripped."""
    return " ".join(text.split())


def unify_line_ends(text: str) -> str:
    """Return the text with line feeds only, since browsers send a carriage return before each.

    >>> unify_line_ends("one\\r\\ntwo\\rthree")
    'one\\ntwo\\nthree'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def normalize_caption(text: str) -> str:
    """Return the letters and digits of a caption, without case: captions with the same ones are the same caption.

    Published data write one caption in several ways: in lower case, with blanks before punctuation, without the final
    full stop. A text without letters and digits is returned with its white space normalised.

    >>> normalize_caption(" A man's dog ; running .")
    'amansdogrunning'
    """
    return "".join(character for character in text.casefold() if character.isalnum()) or normalize_space(text)


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
