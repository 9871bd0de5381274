"""Cosines of sentence vectors, and their aggregation over references in any order."""

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import Encoder
from metrics_plugins.api.scores import Values

Floats = npt.NDArray[np.float32]
Int64 = npt.NDArray[np.int64]

_PAIRS_AT_ONCE = 20_000


def derive_sentence_vectors(batch: Batch, encoder: Encoder) -> Floats:
    """Return `(n_texts, dimension)`: the vector of every distinct caption of a batch."""
    return batch.derive_texts(("sentence vectors", encoder.name, encoder.digest), encoder.encode)


def derive_reference_cosines(batch: Batch, encoder: Encoder) -> Values:
    """Return `(n_references,)`: the cosine of each reference and the candidate of its row, in the order of rows."""

    def measure(view: Batch) -> Values:
        vectors = derive_sentence_vectors(view, encoder)
        candidates = view.candidate_rows[view.reference_rows.row_of_value]
        return measure_cosines(vectors, candidates, vectors, view.reference_rows.values)

    return batch.derive(("reference cosines", encoder.name, encoder.digest), measure)


def measure_cosines(left: Floats, left_rows: Int64, right: Floats, right_rows: Int64) -> Values:
    """Return `(n_pairs,)`: the cosine of each pair of vectors, within [-1, 1]; NaN if one is NaN or zero.

    Args:
        left: `(n_left, dimension)`.
        left_rows: `(n_pairs,)`: the left vector of each pair.
        right: `(n_right, dimension)`.
        right_rows: `(n_pairs,)`: the right vector of each pair.
    """
    cosines = np.empty(len(left_rows))
    for start in range(0, len(cosines), _PAIRS_AT_ONCE):
        chosen = slice(start, start + _PAIRS_AT_ONCE)
        first, second = left[left_rows[chosen]].astype(np.float64), right[right_rows[chosen]].astype(np.float64)
        # Not a matrix product, whose rounding depends on the number of rows.
        lengths = np.sqrt((first**2).sum(axis=1)) * np.sqrt((second**2).sum(axis=1))
        products = (first * second).sum(axis=1)
        cosines[chosen] = np.divide(products, lengths, out=np.full(len(lengths), np.nan), where=lengths > 0)
    return np.clip(cosines, -1.0, 1.0)


def average_references(values: Values, references: Ragged) -> Values:
    """Return `(n_rows,)`: the mean of the values of each row's references; NaN for a row without references.

    Args:
        values: `(n_references,)`, in the order of rows.
        references: The references of each row.
    """
    return average_rows(values, references.row_of_value, n_rows=len(references))


def average_rows(values: Values, rows: Int64, *, n_rows: int) -> Values:
    """Return `(n_rows,)`: the mean of the values of each row; NaN for a row without values.

    Args:
        values: `(n_values,)`.
        rows: `(n_values,)`: the row of each value.
        n_rows: The number of rows.
    """
    # Summed in ascending order, so that the order of references does not affect rounding.
    order = np.lexsort((values, rows))
    sums = np.bincount(rows[order], weights=values[order], minlength=n_rows)
    counts = np.bincount(rows, minlength=n_rows)
    means: Values = np.divide(sums, counts, out=np.full(n_rows, np.nan), where=counts > 0)
    return means


def find_best_reference(values: Values, references: Ragged) -> Values:
    """Return `(n_rows,)`: the largest value of each row's references; NaN for a row without references."""
    best = np.full(len(references), np.nan)
    np.fmax.at(best, references.row_of_value, values)
    return best
