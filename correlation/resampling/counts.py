"""Resampling units and their counts in each resample, which are shared by all compared metrics.

The rows of a study are not independent: an image has many rows, and a rater gives many judgments. Intervals from
resampling single rows are too narrow; instead, whole images, raters or systems are resampled, or the product of
several of these.

References
----------
.. [1] A. B. Owen (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2). doi:10.1214/07-AOAS122
.. [2] D. Deutsch, R. Dror, D. Roth (2021). A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
   Methods. TACL 9. doi:10.1162/tacl_a_00417
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from correlation.errors import CorrelationInputError, check_name
from correlation.validation import FloatArray, IntArray

AXES = ("images", "raters", "systems", "rows")
# Number of weights handled at once, small enough for the processor's cache.
WEIGHTS_AT_ONCE = 150_000


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The units that can be resampled: for each axis, the unit of every row as codes 0 .. k - 1, shape (n,).

    On the axis `rows`, every row is a unit.
    """

    codes: Mapping[str, IntArray]
    sizes: Mapping[str, int]

    @classmethod
    def build(cls, **codes: IntArray) -> "Units":
        """Build from the codes of each axis in `AXES`, which must be 0 .. k - 1 without gaps.

        >>> Units.build(images=np.array([0, 0, 1])).sizes
        {'images': 2}
        """
        for axis in codes:
            check_name("axis of resampling", axis, AXES)
        return cls(dict(codes), {axis: int(code.max(initial=-1)) + 1 for axis, code in codes.items()})

    @property
    def n_rows(self) -> int:
        return max((len(code) for code in self.codes.values()), default=0)

    def reorder(self, order: IntArray) -> "Units":
        """Return the units with the rows in another order."""
        return Units({axis: code[order] for axis, code in self.codes.items()}, self.sizes)

    def weigh(self, counts: Mapping[str, FloatArray]) -> FloatArray:
        """Weights of all rows, shape (n_resamples, n): the products of the counts of their units."""
        axes = list(counts)
        weights = np.take(counts[axes[0]], self.codes[axes[0]], axis=1)
        for axis in axes[1:]:
            weights *= np.take(counts[axis], self.codes[axis], axis=1)
        return weights


@dataclass(frozen=True, slots=True)
class BootstrapPlan:
    """The axes to resample with replacement, the number of resamples, and the entropy that determines every draw.

    The counts of resample r depend only on the entropy, the axis and r, and not on chunks, processes or the number of
    metrics.
    """

    axes: tuple[str, ...]
    n_resamples: int
    entropy: int

    def __post_init__(self) -> None:
        if not self.axes or len(set(self.axes)) != len(self.axes):
            raise CorrelationInputError(f"`axes` must name at least one axis, none of them twice, got {self.axes}")
        for axis in self.axes:
            check_name("axis of resampling", axis, AXES)
        if self.n_resamples < 1:
            raise CorrelationInputError(f"`n_resamples` must be at least 1, got {self.n_resamples}")

    def draw_counts(self, axis: str, size: int, *, start: int, stop: int) -> FloatArray:
        """Counts of each unit in resamples start .. stop - 1, shape (stop - start, size)."""
        counts = np.empty((stop - start, size))
        for row, resample in enumerate(range(start, stop)):
            seed = np.random.SeedSequence([self.entropy, AXES.index(axis), resample])
            drawn = np.random.Generator(np.random.PCG64(seed)).integers(size, size=size)
            counts[row] = np.bincount(drawn, minlength=size)
        return counts

    def iterate(self, units: Units) -> Iterator[dict[str, FloatArray]]:
        """Yield the counts of all axes in chunks of resamples, in order."""
        step = choose_chunk(units.n_rows)
        for start in range(0, self.n_resamples, step):
            stop = min(start + step, self.n_resamples)
            yield {axis: self.draw_counts(axis, units.sizes[axis], start=start, stop=stop) for axis in self.axes}


def plan_bootstrap(axes: tuple[str, ...] | list[str], *, n_resamples: int, rng: np.random.Generator) -> BootstrapPlan:
    """Plan a bootstrap over the product of axes, drawn independently; row weights are products of counts [1]_.

    >>> plan = plan_bootstrap(["images"], n_resamples=2, rng=np.random.default_rng(1))
    >>> plan.draw_counts("images", 4, start=0, stop=2).sum(axis=1).tolist()
    [4.0, 4.0]
    """
    return BootstrapPlan(tuple(axes), n_resamples, int(rng.integers(2**63)))


def iterate_leave_out(axis: str, units: Units) -> Iterator[dict[str, FloatArray]]:
    """Yield the jackknife counts, in which each unit of the axis in turn is left out, in chunks."""
    size = units.sizes[axis]
    step = choose_chunk(max(units.n_rows, size))
    for start in range(0, size, step):
        stop = min(start + step, size)
        counts = np.ones((stop - start, size))
        counts[np.arange(stop - start), np.arange(start, stop)] = 0
        yield {axis: counts}


def choose_chunk(n_rows: int) -> int:
    """Return how many weight vectors of that length to handle at once, from 1 to 64."""
    return min(64, max(1, WEIGHTS_AT_ONCE // max(1, n_rows)))
