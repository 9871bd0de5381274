"""Process rows in blocks with few distinct texts, so that each text is encoded once and its tokens fit in memory.

Rows are sorted by first reference, since the rows of an image may be scattered over the batch. A block may end between
rows of the same image.
"""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.scores import Values

RowNumbers = npt.NDArray[np.intp]

# The token vectors of a caption take about 18 kB, so those of a block take a third of the cache.
_TEXTS_AT_ONCE: Final = 4096


def measure_in_blocks(batch: Batch, measure: Callable[[Batch], Values]) -> Values:
    """Return `(n_rows, n_numbers)`: the results of a function, computed for a few thousand captions at a time.

    Args:
        batch: Rows with candidates and references.
        measure: A function in which the result of a row does not depend on other rows.
    """
    blocks = list(cut_into_blocks(batch))
    if len(blocks) <= 1:
        return measure(batch)
    found = np.concatenate([measure(batch.select(rows)) for rows in blocks])
    in_order_of_rows: Values = found[np.argsort(np.concatenate(blocks))]
    return in_order_of_rows


def cut_into_blocks(batch: Batch) -> Iterator[RowNumbers]:
    """Yield row numbers of blocks with a limited number of distinct texts; each has at least one row."""
    references = batch.reference_rows
    order = _order_by_reference(references)
    candidates, values, offsets = (
        each.tolist() for each in (batch.candidate_rows, references.values, references.offsets)
    )
    start, texts = 0, set[int]()
    for place, row in enumerate(order.tolist()):
        own = {candidates[row], *values[offsets[row] : offsets[row + 1]]}
        if texts and len(texts) + len(own - texts) > _TEXTS_AT_ONCE:
            yield order[start:place]
            start, texts = place, set()
        texts |= own
    if start < len(order):
        yield order[start:]


def _order_by_reference(references: Ragged) -> RowNumbers:
    """Return row numbers sorted stably by first reference; rows without references are last."""
    first = np.full(len(references), np.iinfo(np.int64).max)
    has_references = references.lengths > 0
    first[has_references] = references.values[references.offsets[:-1][has_references]]
    return np.argsort(first, kind="stable")
