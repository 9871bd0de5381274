"""Rows in blocks whose texts are remembered together, so that each text is encoded once for all that is made of it.

Rows with the same first reference follow one another, wherever they stand in the batch: those of an image are often
scattered. A block may end among them.
"""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.columns import Ragged
from metrics_plugins.api.scores import Values

RowNumbers = npt.NDArray[np.intp]

# Tokens of captions with their vectors take about 18 kB each: a third of what is remembered.
_TEXTS_AT_ONCE: Final = 4096


def measure_in_blocks(batch: Batch, measure: Callable[[Batch], Values]) -> Values:
    """Return `(n_rows, n_numbers)`: what a function says of the rows, a few thousand captions at a time.

    Args:
        batch: Holds candidates and references.
        measure: Its numbers of a row must not depend on the other rows.
    """
    blocks = list(cut_into_blocks(batch.reference_rows))
    if len(blocks) <= 1:
        return measure(batch)
    found = np.concatenate([measure(batch.select(rows)) for rows in blocks])
    in_order_of_rows: Values = found[np.argsort(np.concatenate(blocks))]
    return in_order_of_rows


def cut_into_blocks(references: Ragged) -> Iterator[RowNumbers]:
    """Yield the numbers of as many rows as have so many texts together; of one row at least."""
    order = _order_by_reference(references)
    start, total = 0, 0
    for place, n in enumerate((references.lengths[order] + 1).tolist()):
        if total and total + n > _TEXTS_AT_ONCE:
            yield order[start:place]
            start, total = place, 0
        total += n
    if start < len(order):
        yield order[start:]


def _order_by_reference(references: Ragged) -> RowNumbers:
    """Return row numbers by first reference, in their order where that is the same; last come rows without any."""
    first = np.full(len(references), np.iinfo(np.int64).max)
    has_references = references.lengths > 0
    first[has_references] = references.values[references.offsets[:-1][has_references]]
    return np.argsort(first, kind="stable")
