"""Compares captions and other texts."""


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
