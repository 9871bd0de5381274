"""CIDEr and CIDEr-D, the similarity of n-grams of candidate and references, weighted by how rare they are."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Input, Level, Metric, MetricInfo, Scores, parameter
from metrics_plugins.api.metric import Described, StreamFittable
from metrics_plugins.api.parameters import Building, made_parameter, tokenizer_parameter
from metrics_plugins.api.paths import ArchiveMember
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.ngram import cards
from metrics_plugins.metrics.ngram.document_frequencies import (
    COUNTED,
    DocumentFrequencies,
    count_documents,
    derive_frequencies,
)
from metrics_plugins.metrics.ngram.frequency_files import read_frequencies
from metrics_plugins.metrics.ngram.frequency_streams import count_stream
from metrics_plugins.metrics.ngram.matching import derive_matches
from metrics_plugins.text.ngrams import derive_ngrams
from metrics_plugins.text.tokens import Int64, derive_words

_SCALE: Final = 10.0
_CITATION: Final = "Vedantam et al. (2015), CIDEr: consensus-based image description evaluation"


CIDER: Final = MetricInfo(
    id="cider",
    title="CIDEr",
    level=Level.SEGMENT,
    inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
    higher_is_better=True,
    bounds=(0.0, _SCALE),
    version="1",
    citation=_CITATION,
    card=cards.CIDER,
    fits_on=FitsOn.REFERENCES,
)
CIDER_D: Final = replace(CIDER, id="cider-d", title="CIDEr-D", card=cards.CIDER_D)


@dataclass(frozen=True, kw_only=True)
class _Orders(Described):
    n: int = parameter(4, rule="at least 1", holds=lambda value: value >= 1)


@dataclass(frozen=True, kw_only=True)
class _Tolerance(_Orders):
    """`sigma`: the standard deviation of the Gaussian penalty for a difference in length, in words."""

    sigma: float = parameter(6.0, rule="positive", holds=lambda value: value > 0)


def _read_given(building: Building, path: str) -> DocumentFrequencies | None:
    return read_frequencies(path, order=building.given["n"]) if path else None


@dataclass(frozen=True, kw_only=True)
class _Words(Described):
    """`df`: the document frequencies, counted when fitted or read from a file (`frequency_files`)."""

    df: DocumentFrequencies | None = made_parameter("", hint=ArchiveMember, make=_read_given, show=None)
    tokenizer: Tokenizer = tokenizer_parameter()

    def describe(self) -> dict[str, SignatureValue]:
        return {**super().describe(), "df": self.df.source if self.df else COUNTED}


@dataclass(frozen=True, kw_only=True)
class FittedCider(_Words, _Orders, Metric):
    """CIDEr over known document frequencies (Vedantam et al., equations 2 and 3, times 10), within [0, 10].

    The mean over references and n-gram orders of the cosine of two vectors of tf-idf weights, where tf is the raw count
    and a vector of zeros has cosine 0. A row without references has no score (NaN). The score of a row depends only on
    the row and the document frequencies.
    """

    info = CIDER

    df: DocumentFrequencies

    def score(self, batch: Batch) -> Scores:
        references = batch.reference_rows
        similarity = self._measure_similarity(batch)
        values = np.full(len(batch), np.nan)
        totals = _sum_rows(similarity, references.row_of_value, n_rows=len(batch))
        np.divide(_SCALE / self.n * totals, references.lengths, out=values, where=references.lengths > 0)
        return Scores(keys=batch.keys, values=values)

    def _measure_similarity(self, batch: Batch) -> Values:
        """Return `(n_references,)`: the sum over orders of the cosine with the candidate of the same row."""
        words = derive_words(batch, self.tokenizer)
        text_of_token = words.text_of_token
        references = batch.reference_rows
        candidates = batch.candidate_rows[references.row_of_value]
        similarity = np.zeros(len(candidates))
        for table, weights, matches in zip(
            derive_ngrams(batch, self.tokenizer, order=self.n),
            self._weigh_ngrams(batch),
            derive_matches(batch, self.tokenizer, order=self.n),
            strict=True,
        ):
            # Summed in the order of words in the caption, so that other rows of the batch never affect the rounding.
            places = np.flatnonzero(table.counts)
            squares = (table.counts[places] * weights[table.ids[places]]) ** 2
            norms = np.sqrt(np.bincount(text_of_token[places], weights=squares, minlength=len(words.lengths)))
            own_weights = weights[matches.ngrams]
            terms = self._multiply(matches.candidate_counts * own_weights, matches.reference_counts * own_weights)
            products = np.bincount(matches.slots, weights=terms, minlength=len(candidates))
            lengths = norms[candidates] * norms[references.values]
            similarity += np.divide(products, lengths, out=np.zeros(len(products)), where=lengths > 0)
        return similarity * self._penalize(words.lengths[candidates], words.lengths[references.values])

    def _weigh_ngrams(self, batch: Batch) -> list[Values]:
        """Return, for each order, `(n_ngrams,)`: ln(number of images) - ln(number of images with the n-gram)."""
        logarithms = np.log(np.arange(1, max(self.df.n_images, 1) + 1))
        inverse_frequencies = logarithms[-1] - logarithms
        counted = derive_frequencies(batch, self.tokenizer, self.df)
        return [inverse_frequencies[frequencies - 1] for frequencies in counted]

    def _multiply(self, candidate_weights: Values, reference_weights: Values) -> Values:
        """Return `(n_matches,)`: the contribution of each shared n-gram to the dot product of the two vectors."""
        return candidate_weights * reference_weights

    def _penalize(self, candidate_lengths: Int64, reference_lengths: Int64) -> Values:
        """Return `(n_references,)`: the factor for the difference in length, given in words."""
        return np.ones(len(reference_lengths))


@dataclass(frozen=True, kw_only=True)
class FittedCiderD(FittedCider, _Tolerance):
    """CIDEr-D over known document frequencies: CIDEr with clipped weights and a length penalty, within [0, 10].

    In the numerator the weight of the candidate is at most that of the reference, and each cosine is multiplied by
    exp(-(l_c - l_r)^2 / (2 sigma^2)). A length l is the number of bigrams, as in the COCO caption evaluation: captions
    of 0 words and of 1 word have the same length.
    """

    info = CIDER_D

    def _multiply(self, candidate_weights: Values, reference_weights: Values) -> Values:
        return np.minimum(candidate_weights, reference_weights) * reference_weights

    def _penalize(self, candidate_lengths: Int64, reference_lengths: Int64) -> Values:
        differences = np.maximum(candidate_lengths, 1) - np.maximum(reference_lengths, 1)
        distinct, places = np.unique(np.abs(differences), return_inverse=True)
        factors = np.array([math.exp(-((int(difference) / self.sigma) ** 2) / 2) for difference in distinct])
        return factors[places]


@dataclass(frozen=True, kw_only=True)
class Cider(_Words, _Orders, StreamFittable):
    """CIDEr with document frequencies counted in the references of the rows it is fitted on.

    Each row counts as one image: references shared by several rows count once for each row.
    """

    info = CIDER

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedCider:
        return self._make_fitted(self.df or count_documents(batch, self.tokenizer, order=self.n))

    def fit_stream(self, batches: Iterable[Batch], rng: np.random.Generator, *, folder: Path) -> FittedCider:
        return self._make_fitted(self.df or count_stream(batches, self.tokenizer, order=self.n, folder=folder))

    def _make_fitted(self, documents: DocumentFrequencies) -> FittedCider:
        return FittedCider(tokenizer=self.tokenizer, df=documents, n=self.n)


@dataclass(frozen=True, kw_only=True)
class CiderD(Cider, _Tolerance):
    """CIDEr-D with document frequencies as for `Cider`.

    The COCO caption evaluation prints this metric as CIDEr.
    """

    info = CIDER_D

    def _make_fitted(self, documents: DocumentFrequencies) -> FittedCiderD:
        return FittedCiderD(tokenizer=self.tokenizer, df=documents, n=self.n, sigma=self.sigma)


def _sum_rows(values: Values, rows: Int64, *, n_rows: int) -> Values:
    # Sum in ascending order, so that the order of the references does not affect the rounding.
    order = np.lexsort((values, rows))
    return np.asarray(np.bincount(rows[order], weights=values[order], minlength=n_rows), dtype=np.float64)
