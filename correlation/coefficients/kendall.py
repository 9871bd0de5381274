"""Count concordant, discordant and tied pairs exactly, in integers.

There are two methods. If one variable has few levels (ratings), pairs are counted from the cross table by running
sums. Otherwise discordant pairs are the inversions of a permutation, which are counted by splitting the values bit by
bit: each pass halves the value range, and is vectorised over the whole array.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from correlation.validation import FloatArray, IntArray

# With more cells per observation than this, a cross table is slower than counting inversions.
MAX_CELLS_PER_OBSERVATION = 8
# Below this row length, comparing all offsets at once is faster than another split.
SHORT_ROW = 16


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The n (n - 1) / 2 pairs of n observations by kind; all fields are exact integers.

    `tied_x` and `tied_y` both include the pairs tied in both variables.
    """

    n: int
    concordant: int
    discordant: int
    tied_x: int
    tied_y: int
    tied_both: int
    distinct_x: int
    distinct_y: int

    @property
    def total(self) -> int:
        return self.n * (self.n - 1) // 2


def dense_ranks(values: FloatArray) -> tuple[IntArray, int]:
    """Ranks 0 .. d - 1 with equal ranks for ties, and d, the number of distinct values.

    >>> dense_ranks(np.array([0.3, 0.1, 0.3]))
    (array([1, 0, 1]), 2)
    """
    if len(values) == 0:
        return np.empty(0, dtype=np.int64), 0
    order = np.argsort(values)
    ordered = values[order]
    steps = np.empty(len(values), dtype=np.int64)
    steps[0] = 0
    np.cumsum(ordered[1:] != ordered[:-1], out=steps[1:])
    ranks = np.empty_like(steps)
    ranks[order] = steps
    return ranks, int(steps[-1]) + 1


def count_inversions(permutation: IntArray) -> int:
    """Number of i < j with permutation[i] > permutation[j]; `permutation` is a permutation of 0 .. n - 1.

    >>> count_inversions(np.array([2, 0, 1]))
    2
    """
    length = max(SHORT_ROW, 1 << (len(permutation) - 1).bit_length()) if len(permutation) else SHORT_ROW
    # Padding with larger values at the end adds no inversions and makes every row exactly half low, half high.
    dtype = np.dtype(np.uint16 if length <= 1 << 16 else np.uint32)
    values: NDArray[np.unsignedinteger] = np.arange(length).astype(dtype)
    values[: len(permutation)] = permutation
    inversions = 0
    half = length // 2
    while half >= SHORT_ROW:
        high = (values & half) != 0
        low_positions = np.flatnonzero(~high)
        rows = length // (2 * half)
        # A low value preceded by z lows in its row is at position z + (highs before it).
        row_starts = half * 2 * half * (rows * (rows - 1) // 2)
        inversions += int(low_positions.sum()) - row_starts - rows * (half * (half - 1) // 2)
        split = np.empty((rows, 2, half), dtype=dtype)
        split[:, 0] = values.take(low_positions).reshape(rows, half)
        split[:, 1] = values.compress(high).reshape(rows, half)
        values = split.reshape(-1)
        half //= 2
    short = values.reshape(-1, SHORT_ROW)
    for offset in range(1, SHORT_ROW):
        inversions += int(np.count_nonzero(short[:, offset:] < short[:, :-offset]))
    return inversions


def count_pairs(x: FloatArray, y: FloatArray) -> PairCounts:
    """Count the pairs of the observations (x[i], y[i]); x and y have shape (n,) without NaN.

    >>> counts = count_pairs(np.array([1.0, 2.0, 2.0]), np.array([1.0, 2.0, 3.0]))
    >>> counts.concordant, counts.discordant, counts.tied_x, counts.tied_y
    (2, 0, 1, 0)
    """
    ranks_x, distinct_x = dense_ranks(x)
    ranks_y, distinct_y = dense_ranks(y)
    if distinct_x < distinct_y:
        # Both methods are faster if the second variable has fewer levels; concordance is symmetric.
        concordant, discordant, tied_both = _count_ranked(ranks_y, distinct_y, ranks_x, distinct_x)
    else:
        concordant, discordant, tied_both = _count_ranked(ranks_x, distinct_x, ranks_y, distinct_y)
    return PairCounts(
        n=len(x),
        concordant=concordant,
        discordant=discordant,
        tied_x=_count_ties(np.bincount(ranks_x)),
        tied_y=_count_ties(np.bincount(ranks_y)),
        tied_both=tied_both,
        distinct_x=distinct_x,
        distinct_y=distinct_y,
    )


def _count_ranked(a: IntArray, distinct_a: int, b: IntArray, distinct_b: int) -> tuple[int, int, int]:
    if distinct_a * distinct_b <= MAX_CELLS_PER_OBSERVATION * len(a):
        return _count_by_table(a, distinct_a, b, distinct_b)
    return _count_by_inversions(a, b, distinct_b)


def _count_by_table(a: IntArray, distinct_a: int, b: IntArray, distinct_b: int) -> tuple[int, int, int]:
    cells = np.bincount(b * distinct_a + a, minlength=distinct_a * distinct_b).reshape(distinct_b, distinct_a)
    smaller_a = np.cumsum(cells, axis=1) - cells
    below = np.zeros(distinct_a, dtype=np.int64)
    above = smaller_a.sum(axis=0)
    concordant = discordant = 0
    for level in range(distinct_b):
        above -= smaller_a[level]
        concordant += int(cells[level] @ below)
        discordant += int(cells[level] @ above)
        below += smaller_a[level]
    return concordant, discordant, _count_ties(cells.reshape(-1))


def _count_by_inversions(a: IntArray, b: IntArray, distinct_b: int) -> tuple[int, int, int]:
    n = len(a)
    bits_b, bits_n = distinct_b.bit_length(), n.bit_length()
    both = np.sort((a << bits_b) | b)
    permutation = both & ((1 << bits_b) - 1)
    if distinct_b < n:
        # Sorting (value, position) keeps equal values in order, so that a tie is never an inversion; the sorted
        # positions form the inverse permutation, which has as many inversions as the permutation itself.
        permutation = np.sort((permutation << bits_n) | np.arange(n)) & ((1 << bits_n) - 1)
    discordant = count_inversions(permutation)
    tied_both = _count_ties(_run_lengths(both)) if distinct_b < n else 0
    tied_a = _count_ties(np.bincount(a))
    tied_b = _count_ties(np.bincount(b))
    concordant = n * (n - 1) // 2 - discordant - tied_a - tied_b + tied_both
    return concordant, discordant, tied_both


def _run_lengths(ordered: IntArray) -> IntArray:
    ends = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    lengths: IntArray = np.diff(np.concatenate(([0], ends, [len(ordered)])))
    return lengths


def _count_ties(counts: IntArray) -> int:
    return int((counts * (counts - 1) // 2).sum())
