"""Common distractors: one caption for every image, so usual that it is never quite wrong.

Wang et al. (2020), "Towards Unique and Informative Captioning of Images", section 3.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.words import Tokenize
from metrics_plugins.text.ptb import tokenize_captions

Ngram = tuple[str, ...]

ORDERS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class FrequentCaption:
    """A caption and how often it was written; captions of the same tokens are one."""

    caption: str
    n: int


@dataclass(frozen=True, slots=True)
class CentralCaption:
    """The caption most like all others, and its mean likeness to them, in [0, 1]."""

    caption: str
    likeness: float


def find_frequent_captions(
    captions: Sequence[str], *, n: int, tokenize: Tokenize = tokenize_captions
) -> tuple[FrequentCaption, ...]:
    """Return the most frequent captions, as tokens joined by blanks; equally frequent ones in alphabetical order.

    Args:
        captions: Captions of a training corpus. Those without a token are passed over.
        n: How many to return; fewer if there are fewer.
        tokenize: Returns one line a caption.
    """
    frequencies = Counter(line for line in tokenize(captions) if line)
    ranked = sorted(frequencies, key=lambda line: (-frequencies[line], line))
    return tuple(FrequentCaption(line, frequencies[line]) for line in ranked[:n])


def find_central_caption(captions: Sequence[str], *, tokenize: Tokenize = tokenize_captions) -> CentralCaption:
    """Return the caption that is most like all other captions, as tokens joined by blanks.

    The likeness of two captions is that of plain CIDEr over 10: the cosine of their counts of n-grams, each weighed by
    the logarithm of how rare it is among these captions, as mean over n = 1 to 4. Every caption counts as one document.
    Of equally central captions the first in alphabetical order is returned.

    Args:
        captions: Captions of a training corpus, at least two with a token; others are passed over.
        tokenize: Returns one line a caption.

    Raises:
        ProbeError: There are fewer than two captions with a token.
    """
    lines = Counter(line for line in tokenize(captions) if line)
    n_captions = lines.total()
    if n_captions < 2:
        raise ProbeError(f"the caption most like all others needs at least 2 captions with words, got {n_captions}")
    likeness = dict.fromkeys(lines, 0.0)
    for order in ORDERS:
        _add_likeness(likeness, lines, order=order)
    best = min(likeness, key=lambda line: (-round(likeness[line], 9), line))
    return CentralCaption(caption=best, likeness=likeness[best] / (len(ORDERS) * (n_captions - 1)))


def _add_likeness(likeness: dict[str, float], lines: Counter[str], *, order: int) -> None:
    """Add to each line the sum of its cosines with all captions but itself."""
    frequencies: Counter[Ngram] = Counter()
    for line, n in lines.items():
        frequencies.update(dict.fromkeys(_count_ngrams(line, order), n))
    total = log(lines.total())
    weights = {ngram: total - log(n) for ngram, n in frequencies.items()}
    # A cosine with each of many captions is a cosine with the sum of their unit vectors: one pass, not all pairs.
    centre: dict[Ngram, float] = dict.fromkeys(frequencies, 0.0)
    for line, n in lines.items():
        for ngram, value in _make_unit_vector(line, weights, order).items():
            centre[ngram] += n * value
    for line in lines:
        vector = _make_unit_vector(line, weights, order)
        with_itself = 1.0 if vector else 0.0
        likeness[line] += sum(value * centre[ngram] for ngram, value in vector.items()) - with_itself


def _make_unit_vector(line: str, weights: dict[Ngram, float], order: int) -> dict[Ngram, float]:
    """Return the weights of a line's n-grams over their norm; nothing where all weigh 0."""
    vector = {ngram: n * weights[ngram] for ngram, n in _count_ngrams(line, order).items()}
    norm = sqrt(sum(value * value for value in vector.values()))
    return {ngram: value / norm for ngram, value in vector.items()} if norm else {}


def _count_ngrams(line: str, order: int) -> Counter[Ngram]:
    words = line.split()
    return Counter(zip(*(words[start:] for start in range(order)), strict=False))
