"""Judgments encoded as integer codes of items, raters and levels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.validation import FloatArray, IntArray, as_floats, as_keys, check_length


@dataclass(frozen=True, slots=True, eq=False)
class ItemRatings:
    """One row per judgment: `item`, `rater` and `level` are codes 0 .. k - 1 of shape (n_judgments,).

    `levels` holds the distinct values in ascending order, shape (n_levels,); `value` the judgments themselves.
    """

    item: IntArray
    rater: IntArray
    level: IntArray
    levels: FloatArray
    value: FloatArray
    n_items: int
    n_raters: int

    @classmethod
    def build(cls, *, item: ArrayLike, rater: ArrayLike, value: ArrayLike) -> "ItemRatings":
        """Encode columns of shape (n_judgments,); NaN values and repeated judgments of an item by a rater are errors.

        >>> ItemRatings.build(item=["a", "a", "b"], rater=["x", "y", "x"], value=[1, 4, 4]).count_levels().tolist()
        [[1.0, 1.0], [0.0, 1.0]]
        """
        values = as_floats("value", value)
        if np.isnan(values).any():
            row = int(np.flatnonzero(np.isnan(values))[0])
            raise CorrelationInputError(f"`value` is NaN at index {row}: leave out judgments that were not given")
        items, item_codes = _encode("item", item, len(values))
        raters, rater_codes = _encode("rater", rater, len(values))
        levels, level = np.unique(values, return_inverse=True)
        order = np.argsort(item_codes * max(1, raters) + rater_codes, kind="stable")
        cells = (item_codes * max(1, raters) + rater_codes)[order]
        repeats = np.flatnonzero(cells[1:] == cells[:-1])
        if len(repeats):
            row = int(order[repeats[0] + 1])
            raise CorrelationInputError(f"one rater judged one item twice (again at index {row})")
        return cls(item_codes, rater_codes, level.astype(np.int64), levels, values, items, raters)

    def count_levels(self) -> FloatArray:
        """Number of times each item was given each level, shape (n_items, n_levels)."""
        n_cells = self.n_items * len(self.levels)
        counts = np.bincount(self.item * len(self.levels) + self.level, minlength=n_cells)
        return counts.reshape(self.n_items, len(self.levels)).astype(np.float64)

    def tabulate(self) -> FloatArray:
        """Judgment of each item by each rater, shape (n_items, n_raters), NaN where missing."""
        table = np.full((self.n_items, self.n_raters), np.nan)
        table[self.item, self.rater] = self.value
        return table


def _encode(name: str, keys: ArrayLike, length: int) -> tuple[int, IntArray]:
    array = np.asarray(keys)
    checked = array if array.ndim == 1 and array.dtype.kind in "iu" else as_keys(name, keys)
    check_length(name, len(checked), length, "value")
    distinct, codes = np.unique(checked, return_inverse=True)
    return len(distinct), codes.astype(np.int64)
