"""Which words of a candidate its references have too, and in how long a run: what n-gram metrics count."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 4
"""Of the runs that are looked for, as BLEU-4 and CIDEr count."""


@dataclass(frozen=True, slots=True)
class MarkedWord:
    """A word, and the length of the longest run it stands in that the other side has; 0 if it has not the word."""

    text: str
    run: int


def mark_common(
    words: Sequence[str], others: Sequence[Sequence[str]], *, longest: int = LONGEST
) -> tuple[MarkedWord, ...]:
    """Mark the words of a text that stand in n-grams of one of the other texts, of up to `longest` words.

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
