"""The captions of every set in sorted order, so that the order of the input does not affect rounding."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.scores import Values
from metrics_plugins.text.tokens import Int64


@dataclass(frozen=True, slots=True, eq=False)
class CaptionSets:
    """The captions of every set, sorted by their text.

    A slot is one caption of one set: a position in `rows.values`.

    Attributes:
        rows: The positions of the captions of each set in the batch's text table.
        places: `(n_slots,)`: the original index of each caption in its set.
    """

    rows: Ragged
    places: Int64

    @property
    def sizes(self) -> Int64:
        """`(n_sets,)`: the number of captions of each set."""
        return self.rows.lengths

    @property
    def set_of_slot(self) -> Int64:
        """`(n_slots,)`: the set that each slot belongs to."""
        return self.rows.row_of_value

    def average(self, values: Values) -> Values:
        """Return `(n_sets,)`: the mean over the slots of each set, NaN for a set without captions."""
        totals = np.bincount(self.set_of_slot, weights=values, minlength=len(self.rows))
        means = np.full(len(self.rows), np.nan)
        np.divide(totals, self.sizes, out=means, where=self.sizes > 0)
        return means


def derive_caption_sets(batch: Batch) -> CaptionSets:
    """Return the captions of a batch's sets, sorted by text within each set."""
    return batch.derive("sorted caption sets", _sort_captions)


def group_rows(*sizes: Int64) -> Iterator[tuple[tuple[int, ...], Int64]]:
    """Yield each distinct combination of sizes with its rows in ascending order.

    Args:
        sizes: `(n_rows,)` each: values that must be equal for rows processed together.
    """
    shapes = np.stack(sizes, axis=1)
    distinct, shape_of_row = np.unique(shapes, axis=0, return_inverse=True)
    in_order = np.argsort(shape_of_row, kind="stable")
    n_rows = np.bincount(shape_of_row, minlength=len(distinct))
    ends = np.cumsum(n_rows)
    for shape, start, end in zip(distinct.tolist(), ends - n_rows, ends, strict=True):
        yield tuple(shape), in_order[start:end]


def _sort_captions(batch: Batch) -> CaptionSets:
    given = batch.caption_set_rows
    ranks = batch.derive_texts("ranks of texts", _rank_texts)
    in_order = np.lexsort((ranks[given.values], given.row_of_value))
    return CaptionSets(
        rows=Ragged(offsets=given.offsets, values=given.values[in_order]),
        places=in_order - given.offsets[given.row_of_value],
    )


def _rank_texts(texts: Sequence[str]) -> npt.NDArray[np.int64]:
    ranks = np.empty(len(texts), dtype=np.int64)
    ranks[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    return ranks
