"""Finds captions in lists of references."""

from collections import Counter
from collections.abc import Sequence

from studies.shared.text import normalize_caption

Positions = tuple[int, ...]


def place_texts(texts: Sequence[str], own: list[str]) -> list[int]:
    """Return the positions of texts in a list, after adding those that it does not have.

    Of equal texts, the second one is another reference.
    """
    used: Counter[str] = Counter()
    positions = []
    for text in texts:
        places = [place for place, other in enumerate(own) if other == text]
        if used[text] == len(places):
            own.append(text)
            places.append(len(own) - 1)
        positions.append(places[used[text]])
        used[text] += 1
    return positions


def list_others(caption: str, references: Sequence[str]) -> Positions:
    """Return the positions of all references but those equal to the caption, exactly or else by letters and digits."""
    if caption in references:
        return tuple(place for place, text in enumerate(references) if text != caption)
    own = normalize_caption(caption)
    return tuple(place for place, text in enumerate(references) if normalize_caption(text) != own)
