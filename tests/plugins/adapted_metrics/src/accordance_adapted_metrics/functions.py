"""A function that rates a caption."""

from collections.abc import Sequence


def rate_words(candidate: str, references: Sequence[str], *, min_letters: int = 1) -> float:
    """Return the share of the candidate's words of so many letters that stand in a reference; 0 without words."""
    words = [word for word in candidate.lower().split() if len(word) >= min_letters]
    known = {word for reference in references for word in reference.lower().split()}
    return sum(word in known for word in words) / max(len(words), 1)
