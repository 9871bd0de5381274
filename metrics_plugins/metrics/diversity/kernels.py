"""Similarity of the captions in a set: the CIDEr of each caption with each other one as its reference."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, parameter
from metrics_plugins.api.metric import Described
from metrics_plugins.api.parameters import constant, tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.diversity.caption_sets import CaptionSets, derive_caption_sets, group_rows
from metrics_plugins.metrics.diversity.set_terms import SetTerms, derive_set_terms
from metrics_plugins.metrics.ngram.document_frequencies import COUNTED, DocumentFrequencies, derive_frequencies
from metrics_plugins.text.tokens import Int64, derive_words, name_tokenizer

Similarity: TypeAlias = Literal["cider", "cider-d"]

ORDER: Final = 4
SCALE: Final = 10.0
SIGMA: Final = 6.0


@dataclass(frozen=True, kw_only=True)
class CountedWords(Described):
    """A metric over words whose document frequencies are counted when it is fitted."""

    tokenizer: Tokenizer = tokenizer_parameter()
    df: str = constant(COUNTED)


@dataclass(frozen=True, kw_only=True)
class FixedOrder(Described):
    """A metric over n-grams of orders 1 to 4."""

    n: int = constant(ORDER)


@dataclass(frozen=True, kw_only=True)
class ChosenSimilarity(Described):
    """A metric over CIDEr-D as in the authors' code, or over plain CIDEr."""

    similarity: Similarity = parameter(
        "cider-d",
        rule=" or ".join(map(repr, get_args(Similarity))),
        holds=lambda value: value in get_args(Similarity),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Kernels:
    """The similarity matrices of all sets, one after the other; captions are in the order of their text.

    Attributes:
        caption_sets: The captions.
        values: `(sum of m * m,)`: in row i and column j of a set's matrix, at `i * m + j` from its start, the CIDEr of
            caption i with caption j as its only reference, within [0, 10].
    """

    caption_sets: CaptionSets
    values: Values

    def iterate(self, *, as_given: bool = False) -> Iterator[tuple[Int64, Values]]:
        """Yield sets of equal size m > 0 as rows and `(n_rows, m, m)`, with captions sorted or in the given order."""
        sizes = self.caption_sets.sizes
        starts = np.cumsum(sizes**2) - sizes**2
        for (m,), rows in group_rows(sizes):
            if not m:
                continue
            matrices = self.values[starts[rows][:, None] + np.arange(m * m)].reshape(len(rows), m, m)
            yield rows, self._put_in_given_order(rows, matrices) if as_given else matrices

    def _put_in_given_order(self, rows: Int64, matrices: Values) -> Values:
        m = matrices.shape[1]
        places = self.caption_sets.places[self.caption_sets.rows.offsets[rows][:, None] + np.arange(m)]
        sets = np.arange(len(rows))[:, None, None]
        given = np.empty_like(matrices)
        given[sets, places[:, :, None], places[:, None, :]] = matrices
        return given


def derive_kernels(
    batch: Batch,
    tokenizer: Tokenizer,
    documents: DocumentFrequencies,
    *,
    similarity: Similarity,
    sigma: float = SIGMA,
) -> Kernels:
    """Return the similarity matrices of a batch's caption sets, over n-grams of all orders of the frequencies."""

    def measure(view: Batch) -> Kernels:
        caption_sets = derive_caption_sets(view)
        values = _measure_cosines(view, tokenizer, documents, clips=similarity == "cider-d")
        if similarity == "cider-d":
            values *= _penalize(caption_sets, derive_words(view, tokenizer).lengths, sigma=sigma)
        return Kernels(caption_sets=caption_sets, values=values * (SCALE / len(documents.keys)))

    return batch.derive(("kernels", name_tokenizer(tokenizer), documents, similarity, sigma), measure)


def _measure_cosines(view: Batch, tokenizer: Tokenizer, documents: DocumentFrequencies, *, clips: bool) -> Values:
    """Return `(sum of m * m,)`: the sum over orders of the cosine of two captions' weights, clipped or not."""
    caption_sets = derive_caption_sets(view)
    sizes, n_slots = caption_sets.sizes, len(caption_sets.places)
    starts = np.cumsum(sizes**2) - sizes**2
    logarithms = np.log(np.arange(1, max(documents.n_images, 1) + 1))
    values = np.zeros(int((sizes**2).sum()))
    frequencies = derive_frequencies(view, tokenizer, documents)
    for terms, counted in zip(derive_set_terms(view, tokenizer, order=len(frequencies)), frequencies, strict=True):
        weights = (logarithms[-1] - logarithms[counted - 1])[terms.ngrams][terms.terms]
        candidates, references, products = _multiply(terms, weights, n_slots=n_slots, clips=clips)
        sets = caption_sets.set_of_slot[candidates]
        first_slots = caption_sets.rows.offsets[sets]
        values[starts[sets] + (candidates - first_slots) * sizes[sets] + references - first_slots] += products
    return values


def _multiply(
    terms: SetTerms, weights: Values, *, n_slots: int, clips: bool
) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.integer], Values]:
    """Return the pairs of slots that share a term, as candidates, references and the cosine of each."""
    from scipy.sparse import csr_array

    tf_idf = terms.counts * weights
    norms = np.sqrt(np.bincount(terms.slots, weights=tf_idf**2, minlength=n_slots))[terms.slots]
    units = np.divide(tf_idf, norms, out=np.zeros(len(norms)), where=norms > 0)
    if not clips:
        entries, columns, candidate_values = np.arange(len(units)), terms.terms, units
    else:
        # min(a, b) is the number of levels 1, 2, ... up to both counts: a clipped product is a plain one over levels.
        entries, columns = _split_levels(terms)
        candidate_values = (units / terms.counts)[entries]
    ends = np.searchsorted(terms.slots[entries], np.arange(n_slots + 1))
    shape = (n_slots, int(columns.max(initial=-1)) + 1)
    candidates = csr_array((candidate_values, columns, ends), shape)
    references = csr_array((units[entries], columns, ends), shape)
    # Each row is summed in the order of its entries, which is the word order of the caption.
    product = (candidates @ references.T).tocoo()
    return product.row, product.col, product.data


def _split_levels(terms: SetTerms) -> tuple[Int64, Int64]:
    """Return for each entry and each level up to its count: the entry, and a number identifying term and level."""
    largest = np.zeros(len(terms), dtype=np.int64)
    np.maximum.at(largest, terms.terms, terms.counts)
    entries = np.repeat(np.arange(len(terms.terms)), terms.counts)
    first_of_entry = np.cumsum(terms.counts) - terms.counts
    levels = np.arange(len(entries)) - first_of_entry[entries]
    return entries, (np.cumsum(largest) - largest)[terms.terms[entries]] + levels


def _penalize(caption_sets: CaptionSets, lengths: Int64, *, sigma: float) -> Values:
    """Return `(sum of m * m,)`: exp(-(l_i - l_j)^2 / (2 sigma^2)), where l is the number of bigrams."""
    sizes = caption_sets.sizes
    bigrams = np.maximum(lengths[caption_sets.rows.values], 1)
    partners = np.repeat(sizes, sizes)
    first_cells = np.cumsum(partners) - partners
    candidates = np.repeat(np.arange(len(partners)), partners)
    references = caption_sets.rows.offsets[caption_sets.set_of_slot][candidates] + (
        np.arange(len(candidates)) - first_cells[candidates]
    )
    distinct, places = np.unique(np.abs(bigrams[candidates] - bigrams[references]), return_inverse=True)
    factors = np.array([math.exp(-((int(difference) / sigma) ** 2) / 2) for difference in distinct])
    return factors[places]
