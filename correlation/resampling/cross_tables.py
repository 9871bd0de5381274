"""Weights of resamples summed by profile and level, from the counts of the units that were drawn.

A unit that is the same for all rows of a cell (the image of a caption's ratings) multiplies the cell once. One that is
not (its raters) is summed by a sparse product for several resamples at once. So a million rows are never weighed one
by one, unless two axes cut through the cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from correlation.resampling.counts import Units
from correlation.validation import FloatArray, IntArray

# Tables made at once: enough for the sparse product to pay, few enough for the memory.
TABLES_AT_ONCE = 8


@dataclass(frozen=True, slots=True, eq=False)
class CellUnits:
    """Cells of a table of `n_profiles` x `n_levels`, in rising order, and the units of their rows.

    Attributes
    ----------
    cells
        Shape (n_cells,): profile * n_levels + level of each cell that has rows.
    starts
        Shape (n_cells,): its first row; the rows stand cell by cell.
    shared
        Axis -> unit of each cell, shape (n_cells,), for the axes on which the rows of a cell do not differ.
    rows
        Units of the rows on the other axes.
    """

    n_profiles: int
    n_levels: int
    cells: IntArray
    starts: IntArray
    shared: Mapping[str, IntArray]
    rows: Units
    n_rows: int

    @classmethod
    def build(cls, profile: IntArray, level: IntArray, n_profiles: int, n_levels: int, units: Units) -> CellUnits:
        """Arrange the rows by cell; `profile` and `level` are codes of shape (n,)."""
        cell = profile * n_levels + level
        order = np.argsort(cell, kind="stable")
        ordered = cell[order]
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        shared, differing = {}, {}
        for axis, code in units.reorder(order).codes.items():
            is_shared = not np.any((code[1:] != code[:-1]) & (ordered[1:] == ordered[:-1]))
            if is_shared:
                shared[axis] = code[starts]
            else:
                differing[axis] = code
        rows = Units(differing, {axis: units.sizes[axis] for axis in differing})
        return cls(n_profiles, n_levels, ordered[starts], starts, shared, rows, len(cell))

    def tabulate(self, counts: Mapping[str, FloatArray]) -> Iterator[FloatArray]:
        """A table (n_profiles, n_levels) of weights for each resample; counts are (n_resamples, n_units) per axis."""
        n_resamples = len(next(iter(counts.values())))
        for start in range(0, n_resamples, TABLES_AT_ONCE):
            some = {axis: drawn[start : start + TABLES_AT_ONCE] for axis, drawn in counts.items()}
            for number, sums in enumerate(self._sum_rows(some)):
                for axis in some.keys() & self.shared.keys():
                    sums = sums * np.take(some[axis][number], self.shared[axis])
                table = np.zeros(self.n_profiles * self.n_levels)
                table[self.cells] = sums
                yield table.reshape(self.n_profiles, self.n_levels)

    def _sum_rows(self, counts: Mapping[str, FloatArray]) -> FloatArray:
        """Weights of the rows of each cell on the axes on which they differ, summed; shape (n_resamples, n_cells)."""
        from scipy.sparse import csr_array

        n_resamples = len(next(iter(counts.values())))
        inside = {axis: drawn for axis, drawn in counts.items() if axis in self.rows.codes}
        ends = np.append(self.starts, self.n_rows)
        if not inside:
            return np.broadcast_to(np.diff(ends).astype(np.float64), (n_resamples, len(self.starts)))
        if len(inside) > 1:
            return np.stack([np.add.reduceat(row, self.starts) for row in self.rows.weigh(inside)])
        ((axis, drawn),) = inside.items()
        member = csr_array(
            (np.ones(self.n_rows), self.rows.codes[axis], ends), shape=(len(self.starts), self.rows.sizes[axis])
        )
        sums: FloatArray = np.ascontiguousarray((member @ drawn.T).T)
        return sums
