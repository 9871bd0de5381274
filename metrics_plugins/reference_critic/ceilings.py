"""How well a caption can agree with references at best: as well as one of them agrees with the others.

What a caption gains beyond that is likeness to one caption, and says nothing of what people saw.
"""

from typing import Final

import numpy as np

from metrics_plugins.api import Ragged
from metrics_plugins.api.scores import Values
from metrics_plugins.embedding.cosines import measure_cosines
from metrics_plugins.reference_critic.spaces import Float32s

# Two or three people may differ by chance as widely as nobody else would.
ENOUGH: Final = 4


def hold(values: Values, ceilings: Values | float) -> Values:
    """Return the values, or the ceiling where it is lower; one that is NaN is none."""
    held: Values = np.where(values > ceilings, ceilings, values)
    return held


def find_nearest_others(vectors: Float32s, references: Ragged) -> Values:
    """Return `(n_references,)`: the cosine of each reference to the nearest other one of its row.

    NaN where a row has fewer than `ENOUGH` references.

    Args:
        vectors: `(n_texts, dimension)`.
        references: Of each row the texts.
    """
    n_beside = references.lengths[references.row_of_value]
    first = np.repeat(np.arange(len(n_beside)), n_beside)
    place = np.arange(len(first)) - np.repeat(np.cumsum(n_beside) - n_beside, n_beside)
    second = references.offsets[references.row_of_value][first] + place
    kept = (first != second) & (n_beside[first] >= ENOUGH)
    first, second = first[kept], second[kept]
    nearest = np.full(len(n_beside), np.nan)
    np.fmax.at(nearest, first, measure_cosines(vectors, references.values[first], vectors, references.values[second]))
    return nearest
