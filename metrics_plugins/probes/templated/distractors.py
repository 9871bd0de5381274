"""Common distractors: a single caption for all images, so generic that it is rarely entirely wrong.

Wang et al. (2020), "Towards Unique and Informative Captioning of Images", section 3.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.words import Tokenize
from metrics_plugins.text.ptb.tokenizer import tokenize_captions

Ngram = tuple[str, ...]

ORDERS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class FrequentCaption:
    """A caption and its frequency; captions with the same tokens count as one."""

    caption: str
    n: int


@dataclass(frozen=True, slots=True)
class CentralCaption:
    """The caption that is most similar to all others, and its mean similarity to them, in [0, 1]."""

    caption: str
    likeness: float


def find_frequent_captions(
    captions: Sequence[str], *, n: int, tokenize: Tokenize = tokenize_captions
) -> tuple[FrequentCaption, ...]:
    """Return the most frequent captions as tokens joined by spaces; equally frequent ones in alphabetical order.

    Args:
        captions: The captions of a training corpus; those without tokens are ignored.
        n: The number of captions to return, or fewer if there are fewer.
        tokenize: Returns a line for each caption.
    """
    frequencies = Counter(line for line in tokenize(captions) if line)
    ranked = sorted(frequencies, key=lambda line: (-frequencies[line], line))
    return tuple(FrequentCaption(line, frequencies[line]) for line in ranked[:n])


def find_central_caption(captions: Sequence[str], *, tokenize: Tokenize = tokenize_captions) -> CentralCaption:
    """Return the caption that is most similar to all other captions, as tokens joined by spaces.

    The similarity of two captions is that of plain CIDEr divided by 10: the cosine of their tf-idf weights of n-grams,
    averaged over n = 1 to 4, where every caption counts as one document. Of equally central captions the first in
    alphabetical order is returned.

    Args:
        captions: The captions of a training corpus, at least two with tokens; those without are ignored.
        tokenize: Returns a line for each caption.

    Raises:
        ProbeError: There are fewer than two captions with tokens.
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
    """Add to each line the sum of its cosines with all other captions."""
    frequencies: Counter[Ngram] = Counter()
    for line, n in lines.items():
        frequencies.update(dict.fromkeys(_count_ngrams(line, order), n))
    total = log(lines.total())
    weights = {ngram: total - log(n) for ngram, n in frequencies.items()}
    # The sum of cosines with many captions is the dot product with the sum of their unit vectors, without all pairs.
    centre: dict[Ngram, float] = dict.fromkeys(frequencies, 0.0)
    for line, n in lines.items():
        for ngram, value in _make_unit_vector(line, weights, order).items():
            centre[ngram] += n * value
    for line in lines:
        vector = _make_unit_vector(line, weights, order)
        with_itself = 1.0 if vector else 0.0
        likeness[line] += sum(value * centre[ngram] for ngram, value in vector.items()) - with_itself


def _make_unit_vector(line: str, weights: dict[Ngram, float], order: int) -> dict[Ngram, float]:
    """Return the weights of a line's n-grams divided by their norm; empty if all weights are 0."""
    vector = {ngram: n * weights[ngram] for ngram, n in _count_ngrams(line, order).items()}
    norm = sqrt(sum(value * value for value in vector.values()))
    return {ngram: value / norm for ngram, value in vector.items()} if norm else {}


def _count_ngrams(line: str, order: int) -> Counter[Ngram]:
    words = line.split()
    return Counter(zip(*(words[start:] for start in range(order)), strict=False))
