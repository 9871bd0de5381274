"""BLEU-1 to BLEU-4, which measure the precision of the candidate's n-grams, for candidates and for systems."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar, Final

import numpy as np

from metrics_plugins.api import Batch, DecomposableMetric, Input, Level, MetricInfo
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.parameters import tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.ngram.cards import describe_bleu
from metrics_plugins.metrics.ngram.matching import derive_matches
from metrics_plugins.text.tokens import Int64, derive_words, name_tokenizer

MAX_ORDER: Final = 4
_TINY: Final = 1e-15
_SMALL: Final = 1e-9
# Unlike those of a general power, the results of these functions do not depend on the position in an array.
_ROOTS: Final[dict[int, Callable[[Values], Values]]] = {
    1: lambda product: product,
    2: np.sqrt,
    3: np.cbrt,
    4: lambda product: np.sqrt(np.sqrt(product)),
}

_CITATION: Final = "Papineni et al. (2002), BLEU: a method for automatic evaluation of machine translation"


@dataclass(frozen=True, kw_only=True)
class Bleu(DecomposableMetric):
    """Geometric mean of clipped n-gram precisions of orders 1 to N, times the brevity penalty (Papineni et al., 2.3).

    Constants added as in the COCO caption evaluation keep the score slightly above 0 if an order has no match. The
    reference length is the closest one, the shorter of two equally close. A row without references has no score (NaN)
    and does not count for its system; a candidate without words scores 0.
    """

    order: ClassVar[int]
    tokenizer: Tokenizer = tokenizer_parameter()

    def __init_subclass__(cls, *, order: int | None = None, **options: object) -> None:
        super().__init_subclass__(**options)
        if order is not None:
            cls.order = order
            # The matches and the n-grams of each order, the candidate's words, and the reference length.
            cls.n_statistics = 2 * order + 2
            cls.info = _declare(order)

    def describe(self) -> dict[str, SignatureValue]:
        return {**super().describe(), "len": "closest"}

    def statistics(self, batch: Batch) -> Values:
        """Return `(n_rows, 2 * order + 2)`: matches by order, n-grams by order, words, reference length."""
        counts = derive_counts(batch, self.tokenizer)
        orders = [*range(self.order), *range(MAX_ORDER, MAX_ORDER + self.order)]
        return np.ascontiguousarray(counts[:, [*orders, -2, -1]])

    def reduce(self, totals: Values) -> Values:
        """Return the score of each set of totals; within [0, 1]."""
        columns = np.moveaxis(totals, -1, 0)
        correct, guessed = columns[: self.order], columns[self.order : -2]
        precisions = (correct + _TINY) / (guessed + _SMALL)
        ratio = (columns[-2] + _TINY) / (columns[-1] + _SMALL)
        mean = _ROOTS[self.order](reduce(np.multiply, precisions))
        penalty: Values = np.exp(np.minimum(1 - 1 / ratio, 0))
        return mean * penalty

    def keep_counted(self, statistics: Values) -> Values:
        """Return the statistics of the rows that have a score."""
        return statistics[~np.isnan(statistics[:, -1])]


def derive_counts(batch: Batch, tokenizer: Tokenizer) -> Values:
    """Return `(n_rows, 10)`: clipped matches of orders 1 to 4, n-grams of orders 1 to 4, words, reference length."""

    def count(view: Batch) -> Values:
        lengths = derive_words(view, tokenizer).lengths
        candidate_lengths = lengths[view.candidate_rows]
        guessed = [np.maximum(candidate_lengths - n, 0) for n in range(MAX_ORDER)]
        correct = [matches.clipped for matches in derive_matches(view, tokenizer, order=MAX_ORDER)]
        closest = _find_closest_lengths(candidate_lengths, view.reference_rows, lengths)
        return np.column_stack([*correct, *guessed, candidate_lengths, closest])

    return batch.derive(("bleu counts", name_tokenizer(tokenizer)), count)


def _find_closest_lengths(candidate_lengths: Int64, references: Ragged, lengths: Int64) -> Values:
    """Return `(n_rows,)`: the closest reference length, the shorter of two equally close, NaN without references."""
    rows = references.row_of_value
    difference = lengths[references.values] - candidate_lengths[rows]
    # Odd for longer references, even for shorter ones: the smallest rank is the closest, the shorter one for ties.
    ranks = 2 * np.abs(difference) + (difference > 0)
    nearest = np.full(len(candidate_lengths), np.iinfo(np.int64).max)
    np.minimum.at(nearest, rows, ranks)
    distance = np.where(nearest % 2 == 1, nearest // 2, -(nearest // 2))
    return np.where(references.lengths > 0, candidate_lengths + distance, np.nan)


def _declare(order: int) -> MetricInfo:
    return MetricInfo(
        id=f"bleu-{order}",
        title=f"BLEU-{order}",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation=_CITATION,
        card=describe_bleu(order),
    )


class Bleu1(Bleu, order=1):
    """BLEU of words."""


class Bleu2(Bleu, order=2):
    """BLEU of words and bigrams."""


class Bleu3(Bleu, order=3):
    """BLEU of words, bigrams and trigrams."""


class Bleu4(Bleu, order=4):
    """BLEU of words, bigrams, trigrams and 4-grams."""
