"""Upper limits of agreement with references: the agreement of a reference with the other references.

Agreement beyond that is similarity to a single caption, and says nothing about what people saw.
"""

from typing import Final

import numpy as np

from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.critics.reference.spaces import Float32s
from metrics_plugins.metrics.embedding.cosines import measure_cosines

# Two or three captions may differ by chance, and a ceiling estimated from them would be too low.
ENOUGH: Final = 4


def cap_values(values: Values, ceilings: Values) -> Values:
    """Return the values, limited by the ceilings; a ceiling of NaN means no limit."""
    capped: Values = np.where(values > ceilings, ceilings, values)
    return capped


def find_nearest_others(vectors: Float32s, references: Ragged) -> Values:
    """Return `(n_references,)`: the cosine of each reference to the nearest other one of its row.

    NaN if a row has fewer than `ENOUGH` references. A duplicate is the nearest other of its copy.

    Args:
        vectors: `(n_texts, dimension)`.
        references: The texts of each row.
    """
    found = np.empty(len(references.values))
    for texts, rows in references.group_rows().items():
        nearest = _compare_with_nearest(vectors, np.array(texts, dtype=np.int64))
        for row in rows:
            found[references.offsets[row] : references.offsets[row + 1]] = nearest
    return found


def _compare_with_nearest(vectors: Float32s, texts: np.ndarray) -> Values:
    nearest = np.full(len(texts), np.nan)
    if len(texts) >= ENOUGH:
        first, second = np.triu_indices(len(texts), 1)
        cosines = measure_cosines(vectors, texts[first], vectors, texts[second])
        np.fmax.at(nearest, first, cosines)
        np.fmax.at(nearest, second, cosines)
    return nearest
