"""Count concordant, discordant and tied pairs of weighted observations, for many weight vectors at once.

Uses the two methods of `correlation.coefficients.kendall` with weights: a cross table with running sums if one variable
has few levels, else the inversions of the repeated observations, whose order is derived without sorting again.
Weights are whole numbers, so all sums below 2**53 are exact in float64.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from correlation.coefficients.kendall import count_inversions, dense_ranks
from correlation.validation import FloatArray, IntArray

# With more cells per observation than this, a cross table is slower than counting inversions.
MAX_CELLS_PER_OBSERVATION = 32
# Up to this number of levels, pairs are counted by running sums.
MOST_UNFOLDED = 128
# Number of cells handled at once, small enough for the processor's cache.
CELLS_AT_ONCE = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class WeightedPairs:
    """Pair counts as in `PairCounts`, each of shape (n_resamples,); n is the sum of the weights."""

    n: FloatArray
    concordant: FloatArray
    discordant: FloatArray
    tied_x: FloatArray
    tied_y: FloatArray
    tied_both: FloatArray
    distinct_x: FloatArray
    distinct_y: FloatArray

    @property
    def total(self) -> FloatArray:
        return count_ties(self.n)

    def put_in_order(self, larger_x: FloatArray) -> "WeightedPairs":
        """Return the same ties with concordant and discordant pairs from the result of `count_larger`."""
        concordant, discordant = _split_by_order(larger_x)
        return replace(self, concordant=concordant, discordant=discordant)

    def mirror(self) -> "WeightedPairs":
        """Return the counts with x and y exchanged."""
        return replace(
            self,
            tied_x=self.tied_y,
            tied_y=self.tied_x,
            distinct_x=self.distinct_y,
            distinct_y=self.distinct_x,
        )


def prepare_pairs(x: FloatArray, y: FloatArray) -> Callable[[FloatArray], WeightedPairs]:
    """Prepare to count the pairs of (x[i], y[i]), both (n,), for weights of shape (n_resamples, n).

    >>> count = prepare_pairs(np.array([1.0, 2, 3]), np.array([1.0, 3, 2]))
    >>> pairs = count(np.array([[1.0, 1, 1], [2.0, 1, 0]]))
    >>> pairs.concordant.tolist(), pairs.discordant.tolist(), pairs.tied_both.tolist()
    ([2.0, 2.0], [1.0, 0.0], [0.0, 1.0])
    """
    (ranks_x, distinct_x), (ranks_y, distinct_y) = dense_ranks(x), dense_ranks(y)
    if distinct_x < distinct_y:
        mirrored = _prepare_ranked(ranks_y, distinct_y, ranks_x, distinct_x)
        return lambda weights: mirrored(weights).mirror()
    return _prepare_ranked(ranks_x, distinct_x, ranks_y, distinct_y)


def count_ties(weights: FloatArray) -> FloatArray:
    """Number of pairs among `weights` equal observations: w (w - 1) / 2, elementwise."""
    pairs: FloatArray = weights * (weights - 1) / 2
    return pairs


def _prepare_ranked(
    a: IntArray, distinct_a: int, b: IntArray, distinct_b: int
) -> Callable[[FloatArray], WeightedPairs]:
    n_cells = distinct_a * distinct_b
    step = max(1, CELLS_AT_ONCE // max(1, n_cells))
    if n_cells <= MAX_CELLS_PER_OBSERVATION * len(a):
        count = _prepare_table(a, distinct_a, b, distinct_b)
    else:
        count = _prepare_inversions(a, distinct_a, b, distinct_b)

    def count_in_chunks(weights: FloatArray) -> WeightedPairs:
        starts = range(0, len(weights), step)
        columns = zip(*(count(weights[start : start + step]) for start in starts), strict=True)
        return WeightedPairs(*(np.concatenate(column) for column in columns))

    return count_in_chunks


def _prepare_table(
    a: IntArray, distinct_a: int, b: IntArray, distinct_b: int
) -> Callable[[FloatArray], tuple[FloatArray, ...]]:
    cell = b * distinct_a + a
    n_cells = distinct_a * distinct_b

    def count(weights: FloatArray) -> tuple[FloatArray, ...]:
        sums = [np.bincount(cell, weights=row, minlength=n_cells) for row in weights]
        table: FloatArray = np.stack(sums).astype(np.float64, copy=False)
        table = table.reshape(len(weights), distinct_b, distinct_a)
        running = np.cumsum(table, axis=2) - table
        return _summarise(table, table @ running.transpose(0, 2, 1))

    return count


def order_folds(n: int) -> IntArray:
    """The order of n levels for `count_larger`, padded to a multiple of a power of two; n marks an empty level.

    Neighbours in this order are half the length apart, also after the halves have been added.

    >>> order_folds(2 * MOST_UNFOLDED - 1)[[0, 1, 2, MOST_UNFOLDED, -1]].tolist() == [0, 2, 4, 1, 2 * MOST_UNFOLDED - 1]
    True
    """
    folds = 0
    while -(-n // 2**folds) > MOST_UNFOLDED:
        folds += 1
    order = np.arange(-(-n // 2**folds))
    for _ in range(folds):
        order = np.concatenate([2 * order, 2 * order + 1])
    return np.minimum(order, n)


def count_larger(table: FloatArray) -> FloatArray:
    """Weight of the pairs in which the member at level k of y has a larger x than the member at level l of y.

    `table` has shape (size, n_levels_y), with its first axis in the order of `order_folds`; it is overwritten. Returns
    shape (n_levels_y, n_levels_y). Each step adds neighbours in place and halves the number of levels, so that all
    steps together take about two passes; running sums would be sequential.
    """
    larger = np.zeros((table.shape[1], table.shape[1]))
    while len(table) > MOST_UNFOLDED:
        half = len(table) // 2
        lower, upper = table[:half], table[half:]
        larger += upper.T @ lower
        table = np.add(lower, upper, out=lower)
    running = np.cumsum(table, axis=0) - table
    larger += table.T @ running
    return larger


def count_ties_of_table(table: FloatArray) -> WeightedPairs:
    """Tie counts and size of one cross table (n_levels_x, n_levels_y), with its levels of x in any order; the
    concordant and discordant pairs are not counted yet, and all fields have shape (1,)."""
    by_level = np.ascontiguousarray(table.T)[None]
    return WeightedPairs(*_summarise(by_level, np.zeros((1, table.shape[1], table.shape[1]))))


def _summarise(table: FloatArray, larger_a: FloatArray) -> tuple[FloatArray, ...]:
    per_a, per_b = table.sum(axis=1), table.sum(axis=2)
    # Sums of squares count ordered pairs, including each observation paired with itself.
    total = per_b.sum(axis=1)
    return (
        total,
        *_split_by_order(larger_a),
        (np.einsum("bi,bi->b", per_a, per_a) - total) / 2,
        (np.einsum("bi,bi->b", per_b, per_b) - total) / 2,
        (np.einsum("bki,bki->b", table, table) - total) / 2,
        np.count_nonzero(per_a, axis=1).astype(np.float64),
        np.count_nonzero(per_b, axis=1).astype(np.float64),
    )


def _split_by_order(larger_a: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Concordant and discordant pairs."""
    return np.tril(larger_a, -1).sum(axis=(1, 2)), np.triu(larger_a, 1).sum(axis=(1, 2))


def _prepare_inversions(
    a: IntArray, distinct_a: int, b: IntArray, distinct_b: int
) -> Callable[[FloatArray], tuple[FloatArray, ...]]:
    by_a = np.lexsort((b, a))
    place = np.empty(len(a), dtype=np.int64)
    place[by_a] = np.arange(len(a))
    # The stable sort keeps the order of a for equal values of b, so that a tie is never an inversion.
    by_b = by_a[np.argsort(b[by_a], kind="stable")]
    both, distinct_both = dense_ranks((a * distinct_b + b).astype(np.float64))

    def count_discordant(row: FloatArray) -> int:
        copies = row.astype(np.int64)
        first_place = (np.cumsum(copies[by_a]) - copies[by_a])[place]
        copies_by_b = copies[by_b]
        offset = first_place[by_b] - (np.cumsum(copies_by_b) - copies_by_b)
        return count_inversions(np.repeat(offset, copies_by_b) + np.arange(copies_by_b.sum()))

    def count(weights: FloatArray) -> tuple[FloatArray, ...]:
        discordant = np.array([count_discordant(row) for row in weights], dtype=np.float64)
        per_a, per_b, per_both = (
            np.stack([np.bincount(group, weights=row, minlength=distinct) for row in weights]).astype(np.float64)
            for group, distinct in ((a, distinct_a), (b, distinct_b), (both, distinct_both))
        )
        total = weights.sum(axis=1)
        tied_a, tied_b, tied_both = (count_ties(per).sum(axis=1) for per in (per_a, per_b, per_both))
        return (
            total,
            count_ties(total) - discordant - tied_a - tied_b + tied_both,
            discordant,
            tied_a,
            tied_b,
            tied_both,
            np.count_nonzero(per_a, axis=1).astype(np.float64),
            np.count_nonzero(per_b, axis=1).astype(np.float64),
        )

    return count
