"""Rows in blocks whose texts are remembered together, so that each text is encoded once for all that is made of it."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.scores import Values

# Tokens of captions with their vectors take about 18 kB each: a third of what is remembered.
_TEXTS_AT_ONCE: Final = 4096


def measure_in_blocks(batch: Batch, measure: Callable[[Batch], Values]) -> Values:
    """Return `(n_rows, n_numbers)`: what a function says of the rows, a few thousand captions at a time.

    Args:
        batch: Holds candidates and references.
        measure: Its numbers of a row must not depend on the other rows.
    """
    blocks = list(_cut(batch.reference_rows.lengths + 1))
    if len(blocks) <= 1:
        return measure(batch)
    return np.concatenate([measure(batch.select(rows)) for rows in blocks])


def _cut(n_texts: npt.NDArray[np.int64]) -> Iterator[npt.NDArray[np.int64]]:
    """Yield row numbers, as many as have so many texts together; one row at least."""
    start, total = 0, 0
    for row, n in enumerate(n_texts.tolist()):
        if total and total + n > _TEXTS_AT_ONCE:
            yield np.arange(start, row)
            start, total = row, 0
        total += n
    if start < len(n_texts):
        yield np.arange(start, len(n_texts))
