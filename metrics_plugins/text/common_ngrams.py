"""Find the words that a candidate shares with its references, and the length of the shared n-grams."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 4
"""The maximal length of shared n-grams, as in BLEU-4 and CIDEr."""


@dataclass(frozen=True, slots=True)
class MarkedWord:
    """A word, and the length of the longest shared n-gram that contains it; 0 if the word is not shared."""

    text: str
    run: int


def mark_common(
    words: Sequence[str], others: Sequence[Sequence[str]], *, longest: int = LONGEST
) -> tuple[MarkedWord, ...]:
    """Mark the words of a text that are in an n-gram, of up to `longest` words, shared with one of the other texts.

    >>> [(word.text, word.run) for word in mark_common(["a", "red", "dog"], [["the", "red", "dog"], ["a", "cat"]])]
    [('a', 1), ('red', 2), ('dog', 2)]
    """
    runs = [0] * len(words)
    for n in range(1, longest + 1):
        known = {tuple(other[start : start + n]) for other in others for start in range(len(other) - n + 1)}
        for start in range(len(words) - n + 1):
            if tuple(words[start : start + n]) in known:
                runs[start : start + n] = [n] * n
    return tuple(MarkedWord(word, run) for word, run in zip(words, runs, strict=True))
