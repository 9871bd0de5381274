"""Make captions wrong by a small change: of a word, a number or the order of two words."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

_NUMBERS: Final = ("one", "two", "three", "four", "five", "six")
# The most frequent words of captions are function words: a, the, of, in, on, with, is, ...
_N_FUNCTION_WORDS: Final = 40


@dataclass(frozen=True, slots=True)
class Altering:
    """Alters captions.

    Attributes:
        function_words: Words that are not altered.
        content_words: Replacement words: all words of the captions, each as often as it occurs.
    """

    function_words: frozenset[str]
    content_words: tuple[str, ...]

    @classmethod
    def learn(cls, captions: Sequence[str]) -> "Altering":
        """Return an instance with the words of these captions."""
        words = [word for caption in captions for word in _split(caption)]
        frequent = frozenset(word for word, _ in Counter(words).most_common(_N_FUNCTION_WORDS))
        return cls(frequent, tuple(word for word in words if word not in frequent))

    def alter(self, caption: str, rng: np.random.Generator) -> str:
        """Return the caption altered in one of three ways, drawn at random from those applicable to it.

        A caption to which none applies is returned unchanged.
        """
        words = _split(caption)
        ways: list[Callable[[list[str], np.random.Generator], list[str] | None]] = [
            self._change_number,
            self._swap_words,
            self._change_word,
        ]
        for way in rng.permutation(len(ways)).tolist():
            changed = ways[way](words, rng)
            if changed is not None and changed != words:
                return " ".join(changed)
        return caption

    def _find_content(self, words: Sequence[str]) -> list[int]:
        return [place for place, word in enumerate(words) if word not in self.function_words]

    def _change_word(self, words: list[str], rng: np.random.Generator) -> list[str] | None:
        places = self._find_content(words)
        if not places or not self.content_words:
            return None
        changed = list(words)
        changed[places[rng.integers(len(places))]] = self.content_words[rng.integers(len(self.content_words))]
        return changed

    def _swap_words(self, words: list[str], rng: np.random.Generator) -> list[str] | None:
        places = self._find_content(words)
        if len(places) < 2:
            return None
        first, second = rng.choice(places, size=2, replace=False).tolist()
        changed = list(words)
        changed[first], changed[second] = words[second], words[first]
        return changed

    def _change_number(self, words: list[str], rng: np.random.Generator) -> list[str] | None:
        places = [place for place, word in enumerate(words) if word in _NUMBERS]
        if not places:
            return None
        place = places[rng.integers(len(places))]
        others = [number for number in _NUMBERS if number != words[place]]
        changed = list(words)
        changed[place] = others[rng.integers(len(others))]
        return changed


def _split(caption: str) -> list[str]:
    return caption.lower().replace(".", " ").replace(",", " ").split()
