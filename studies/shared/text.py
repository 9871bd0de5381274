"""Captions as text: when two are the same."""


def normalize_space(text: str) -> str:
    """Return the text as captions are compared: runs of white space are one blank, none at the ends."""
    return " ".join(text.split())
