"""Distortions of human captions with variable strength: captions of other images, permuted words, random words.

Cui et al. (2018), "Learning to Evaluate Image Captioning", section 3.3 (RC, WP, RW), and its code, in which a critic is
trained with such captions as wrong ones.

Random choices are drawn once and then applied at any strength: what is distorted at strength 0.2 is also distorted at
0.3, so that a curve over strengths has no noise from new draws at each point.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import floor
from typing import Protocol

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import MetricError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Distortion(StrEnum):
    """A kind of distortion."""

    RANDOM_CAPTION = "rc"
    WORD_PERMUTATION = "wp"
    RANDOM_WORDS = "rw"


class Distorted(Protocol):
    """Captions with all random choices that a distortion needs."""

    def apply(self, strength: float) -> tuple[str, ...]:
        """Return the captions, distorted with a strength in [0, 1]; at 0 they are unchanged.

        Raises:
            MetricError: The strength is outside [0, 1].
        """
        ...


def count_share(strength: float, n: int) -> int:
    """Return the whole number nearest to a share of n, rounding halves up.

    >>> count_share(0.5, 5), count_share(0.0, 5), count_share(1.0, 5)
    (3, 0, 5)

    Raises:
        MetricError: The strength is outside [0, 1].
    """
    if not 0 <= strength <= 1:
        raise MetricError(f"the strength of a distortion must be in [0, 1], got {strength}")
    # Rounded first: 0.29 * 50 is 14.499999999999998 in floating point, and should be rounded up as 14.5.
    return floor(round(strength * n, 9) + 0.5)


def draw_training_count(n_words: int, rng: np.random.Generator) -> int:
    """Return how many words of a caption the code of Cui et al. (2018) distorts when training a critic.

    Uniform over min(2, e - 1), ..., e - 1 for e words: never all words, one of two, none of one. 0 without words.
    """
    return int(rng.integers(min(2, n_words - 1), n_words)) if n_words else 0


@dataclass(frozen=True, slots=True, eq=False)
class RandomCaptions:
    """RC: the strength is the share of captions that are replaced by a caption of another image.

    Attributes:
        captions: `(n,)` the original captions.
        others: `(n,)` the replacement of each caption.
        order: `(n,)` which caption is replaced first, second, ...
    """

    captions: tuple[str, ...]
    others: tuple[str, ...]
    order: Ints

    def apply(self, strength: float) -> tuple[str, ...]:
        replaced = set(self.order[: count_share(strength, len(self.captions))].tolist())
        pairs = enumerate(zip(self.captions, self.others, strict=True))
        return tuple(other if row in replaced else caption for row, (caption, other) in pairs)


@dataclass(frozen=True, slots=True, eq=False)
class PermutedWords:
    """WP: the strength is the share of a caption's words that are permuted.

    As in the code of Cui et al. (2018), they are shuffled, and shuffled a second time if nothing changed. A caption may
    thus remain unchanged, as do captions with fewer than two words to move.

    Attributes:
        words: `(n,)` the words of each caption.
        orders: `(n,)` for each caption `(n_words,)`: which word is moved first, second, ...
        keys: `(n,)` for each caption `(2, n_words)`: ranks of the moved words in the first and the second shuffle.
    """

    words: tuple[tuple[str, ...], ...]
    orders: tuple[Ints, ...]
    keys: tuple[Floats, ...]

    def apply(self, strength: float) -> tuple[str, ...]:
        return self.apply_counts([count_share(strength, len(words)) for words in self.words])

    def apply_counts(self, counts: Sequence[int]) -> tuple[str, ...]:
        """Return the captions with the given numbers of words moved."""
        parts = zip(self.words, self.orders, self.keys, counts, strict=True)
        return tuple(" ".join(_permute(words, np.sort(order[:n]), keys)) for words, order, keys, n in parts)


@dataclass(frozen=True, slots=True, eq=False)
class ReplacedWords:
    """RW: the strength is the share of a caption's words that are each replaced by another word of a vocabulary.

    Attributes:
        words: `(n,)` the words of each caption.
        orders: `(n,)` for each caption `(n_words,)`: which word is replaced first, second, ...
        others: `(n,)` for each caption: the replacement of each word.
    """

    words: tuple[tuple[str, ...], ...]
    orders: tuple[Ints, ...]
    others: tuple[tuple[str, ...], ...]

    def apply(self, strength: float) -> tuple[str, ...]:
        return self.apply_counts([count_share(strength, len(words)) for words in self.words])

    def apply_counts(self, counts: Sequence[int]) -> tuple[str, ...]:
        """Return the captions with the given numbers of words replaced."""
        distorted = []
        for words, order, others, n in zip(self.words, self.orders, self.others, counts, strict=True):
            replaced = set(order[:n].tolist())
            pairs = enumerate(zip(words, others, strict=True))
            distorted.append(" ".join(other if place in replaced else word for place, (word, other) in pairs))
        return tuple(distorted)


def draw_random_captions(
    captions: Sequence[str], *, pools: Sequence[Sequence[str]], rng: np.random.Generator
) -> RandomCaptions:
    """Draw for each caption another image, uniformly, and one of its captions.

    Args:
        captions: `(n_images,)`.
        pools: `(n_images,)` all captions of each image, at least one.
        rng: The only source of randomness.

    Raises:
        MetricError: There are fewer than two images.
    """
    n = len(captions)
    if n < 2:
        raise MetricError(f"a random caption of another image needs at least 2 images, got {n}")
    # A cyclic step of 1 to n - 1 never returns to the same image.
    images = (np.arange(n) + rng.integers(1, n, size=n)) % n
    shares = rng.random(n)
    others = tuple(pools[image][int(share * len(pools[image]))] for image, share in zip(images, shares, strict=True))
    return RandomCaptions(captions=tuple(captions), others=others, order=rng.permutation(n))


def draw_permuted_words(captions: Sequence[str], *, rng: np.random.Generator) -> PermutedWords:
    """Draw two orders of the words of each caption; words are separated by spaces."""
    words = tuple(tuple(caption.split()) for caption in captions)
    return PermutedWords(
        words=words,
        orders=tuple(rng.permutation(len(own)) for own in words),
        keys=tuple(rng.random((2, len(own))) for own in words),
    )


def draw_replaced_words(
    captions: Sequence[str], *, vocabulary: Sequence[str], rng: np.random.Generator
) -> ReplacedWords:
    """Draw a word for each word of each caption, uniformly from the vocabulary without that word itself.

    Args:
        captions: Words separated by spaces.
        vocabulary: Distinct words, at least two.
        rng: The only source of randomness.

    Raises:
        MetricError: The vocabulary has fewer than two words, or duplicates.
    """
    places = {word: place for place, word in enumerate(vocabulary)}
    if len(places) < 2 or len(places) != len(vocabulary):
        raise MetricError(
            f"random words need a vocabulary of at least 2 distinct words, got {len(vocabulary)} "
            f"with {len(places)} distinct"
        )
    words = tuple(tuple(caption.split()) for caption in captions)
    return ReplacedWords(
        words=words,
        orders=tuple(rng.permutation(len(own)) for own in words),
        others=tuple(tuple(_draw_other(word, vocabulary, places, rng) for word in own) for own in words),
    )


def _draw_other(word: str, vocabulary: Sequence[str], places: dict[str, int], rng: np.random.Generator) -> str:
    if word not in places:
        return vocabulary[int(rng.integers(len(vocabulary)))]
    drawn = int(rng.integers(len(vocabulary) - 1))
    return vocabulary[drawn + (drawn >= places[word])]


def _permute(words: tuple[str, ...], places: Ints, keys: Floats) -> tuple[str, ...]:
    permuted = words
    for own in keys:
        changed = list(words)
        for place, source in zip(places.tolist(), places[np.argsort(own[places])].tolist(), strict=True):
            changed[place] = words[source]
        permuted = tuple(changed)
        if permuted != words:
            break
    return permuted
