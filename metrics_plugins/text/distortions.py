"""Ways to ruin a human caption by degrees: another image's caption, words out of order, words at random.

Cui et al. (2018), "Learning to Evaluate Image Captioning", section 3.3 (RC, WP, RW), and its code, in which a critic
sees such captions as wrong while it learns.

What is drawn is drawn once and then applied at any strength: what is ruined at strength 0.2 is ruined at 0.3 too, so
that a curve over strengths is not shaken by new draws at every point.
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
    """A way to ruin captions."""

    RANDOM_CAPTION = "rc"
    WORD_PERMUTATION = "wp"
    RANDOM_WORDS = "rw"


class Distorted(Protocol):
    """Captions with everything drawn that a distortion needs."""

    def apply(self, strength: float) -> tuple[str, ...]:
        """Return the captions, ruined with a strength in [0, 1]; at 0 they are as they were.

        Raises:
            MetricError: The strength is out of [0, 1].
        """
        ...


def count_share(strength: float, n: int) -> int:
    """Return the whole number nearest to a share of n, halves upwards.

    >>> count_share(0.5, 5), count_share(0.0, 5), count_share(1.0, 5)
    (3, 0, 5)

    Raises:
        MetricError: The strength is out of [0, 1].
    """
    if not 0 <= strength <= 1:
        raise MetricError(f"the strength of a distortion must be in [0, 1], got {strength}")
    # Rounded first: 0.29 * 50 is 14.499999999999998 in floating point, and its half goes upwards too.
    return floor(round(strength * n, 9) + 0.5)


def draw_training_count(n_words: int, rng: np.random.Generator) -> int:
    """Return how many words of a caption the code of Cui et al. (2018) ruins while a critic learns.

    Uniform over min(2, e - 1), ..., e - 1 for e words: never all words, one of two, none of one. 0 without words.
    """
    return int(rng.integers(min(2, n_words - 1), n_words)) if n_words else 0


@dataclass(frozen=True, slots=True, eq=False)
class RandomCaptions:
    """RC: the strength is the share of captions that are another image's.

    Attributes:
        captions: `(n,)` as they were.
        others: `(n,)` what takes the place of each.
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
    """WP: the strength is the share of a caption's words that change places among themselves.

    As in the code of Cui et al. (2018) they are shuffled, and shuffled once more if nothing changed; so a caption can
    stay as it was, and one with fewer than two words to move does.

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
        """Return the captions with so many words of each moved."""
        parts = zip(self.words, self.orders, self.keys, counts, strict=True)
        return tuple(" ".join(_permute(words, np.sort(order[:n]), keys)) for words, order, keys, n in parts)


@dataclass(frozen=True, slots=True, eq=False)
class ReplacedWords:
    """RW: the strength is the share of a caption's words that are replaced, each by another word of a vocabulary.

    Attributes:
        words: `(n,)` the words of each caption.
        orders: `(n,)` for each caption `(n_words,)`: which word is replaced first, second, ...
        others: `(n,)` for each caption: what takes the place of each word.
    """

    words: tuple[tuple[str, ...], ...]
    orders: tuple[Ints, ...]
    others: tuple[tuple[str, ...], ...]

    def apply(self, strength: float) -> tuple[str, ...]:
        return self.apply_counts([count_share(strength, len(words)) for words in self.words])

    def apply_counts(self, counts: Sequence[int]) -> tuple[str, ...]:
        """Return the captions with so many words of each replaced."""
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
    # A step of 1 to n - 1 around the circle never ends at the same image.
    images = (np.arange(n) + rng.integers(1, n, size=n)) % n
    shares = rng.random(n)
    others = tuple(pools[image][int(share * len(pools[image]))] for image, share in zip(images, shares, strict=True))
    return RandomCaptions(captions=tuple(captions), others=others, order=rng.permutation(n))


def draw_permuted_words(captions: Sequence[str], *, rng: np.random.Generator) -> PermutedWords:
    """Draw two orders of the words of each caption, which are apart by blanks."""
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
        captions: Words apart by blanks.
        vocabulary: Distinct words, at least two.
        rng: The only source of randomness.

    Raises:
        MetricError: The vocabulary has fewer than two words, or one of them twice.
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
