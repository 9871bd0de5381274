"""How well a caption can agree with references at best: as well as one of them agrees with the others.

What a caption gains beyond that is likeness to one caption, and says nothing of what people saw.
"""

from typing import Final

import numpy as np

from metrics_plugins.api.columns import Ragged
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.critics.reference.spaces import Float32s
from metrics_plugins.metrics.embedding.cosines import measure_cosines

# Two or three captions may be unlike one another by chance, and a ceiling from them would be too low.
ENOUGH: Final = 4


def cap_values(values: Values, ceilings: Values) -> Values:
    """Return the values, or the ceiling where it is lower; one that is NaN is none."""
    capped: Values = np.where(values > ceilings, ceilings, values)
    return capped


def find_nearest_others(vectors: Float32s, references: Ragged) -> Values:
    """Return `(n_references,)`: the cosine of each reference to the nearest other one of its row.

    NaN where a row has fewer than `ENOUGH` references. One that stands there twice is nearest to itself.

    Args:
        vectors: `(n_texts, dimension)`.
        references: Of each row the texts.
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
