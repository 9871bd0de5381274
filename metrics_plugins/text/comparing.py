"""Forms of texts in which they are compared."""

from typing import Final

_ASCII_PUNCTUATION: Final = bytes(number for number in range(128) if not chr(number).isalnum())


def normalize_space(text: str) -> str:
    """Return the text in the form used for comparison: white space is collapsed to single blanks and stripped."""
    return " ".join(text.split())


def normalize_caption(text: str) -> str:
    """Return the letters and digits of a caption, without case: captions with the same ones are the same caption.

    Published data write one caption in several ways: in lower case, with blanks before punctuation, without the final
    full stop. A text without letters and digits is returned with its white space normalised.

    >>> normalize_caption(" A man's dog ; running .")
    'amansdogrunning'
    """
    if text.isascii():
        # Several times faster, and most captions are ASCII.
        kept = text.lower().encode().translate(None, _ASCII_PUNCTUATION).decode()
    else:
        kept = "".join(filter(str.isalnum, text.casefold()))
    return kept or normalize_space(text)
