"""Resampling weights summed by profile and level, computed from the counts of the drawn units.

If a unit is the same for all rows of a cell (the image of a caption's ratings), its count multiplies the cell once.
Otherwise (raters), a sparse product sums over rows, for several resamples at once. Rows are weighted one by one only if
two axes vary within cells.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from correlation.resampling.counts import Units
from correlation.validation import FloatArray, IntArray

# Number of tables made at once: enough for the sparse product to be efficient, few enough to fit in memory.
TABLES_AT_ONCE = 8


@dataclass(frozen=True, slots=True, eq=False)
class CellUnits:
    """The cells of a table of `n_profiles` x `n_levels` in ascending order, and the units of their rows.

    Attributes
    ----------
    cells
        Shape (n_cells,): profile * n_levels + level of each cell that has rows.
    starts
        Shape (n_cells,): the first row of each cell; rows are sorted by cell.
    shared
        Axis -> unit of each cell, shape (n_cells,), for axes that are constant within cells.
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
    def build(cls, profile: IntArray, level: IntArray, n_profiles: int, n_levels: int, units: Units) -> "CellUnits":
        """Sort the rows by cell; `profile` and `level` are codes of shape (n,)."""
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
        """Yield a table (n_profiles, n_levels) of weights per resample; counts are (n_resamples, n_units) per axis."""
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
        """Sums over each cell of the weights on axes that vary within cells, shape (n_resamples, n_cells)."""
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
