"""The data of a scatter plot: the points of a protocol, binned into cells, and the least-squares line."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.judged_pairs import average_votes
from correlation.protocols.rated_items import pool_ratings, select_judgments
from correlation.protocols.recipe import Protocol
from correlation.scaling import find_exponent, shrink
from correlation.validation import FloatArray, IntArray, KeyArray, as_floats, check_length


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """The observations of a protocol: scores and judgments, all of shape (n,), without missing values.

    For ratings, an observation is a score with a rating, a mean rating or the share of yes of an item; for pairs, the
    first caption's score minus the second's, with the mean vote. `items` are the keys of the items; `n_missing`
    observations lack a score.
    """

    items: KeyArray
    judgments: FloatArray
    scores: FloatArray
    n_missing: int


@dataclass(frozen=True, slots=True)
class FittedLine:
    """The line y = intercept + slope x, for x in [x_low, x_high]."""

    slope: float
    intercept: float
    x_low: float
    x_high: float

    def at(self, x: float) -> float:
        """The value of y at x."""
        return self.intercept + self.slope * x


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Points binned by position: `x`, `y` and the `count` >= 1 of points of each cell, all of shape (n_cells,).

    If `is_binned`, a cell may contain different points, and its x and y are the centre of a bin. Otherwise a cell
    contains only equal points, with their x and y. `cell`, of shape (n,), is the index of the cell of each point.
    """

    x: FloatArray
    y: FloatArray
    count: IntArray
    is_binned: bool
    cell: IntArray


def gather_points(protocol: Protocol, data: RatedItems | JudgedPairs) -> Points:
    """Return the observations behind the numbers of a protocol, before grouping by image or system.

    With several draws of references, a score is the mean over draws. Judgments on all criteria are pooled.

    Raises
    ------
    CorrelationInputError
        The data lack a required column.
    """
    if isinstance(data, JudgedPairs):
        votes = average_votes(data.votes)
        item: IntArray = np.flatnonzero(~np.isnan(votes))
        difference = (data.scores[:, :, 0] - data.scores[:, :, 1]).mean(axis=0)
        return _drop_missing(data.votes.items[item], votes[item], difference[item])
    table = data.judgments
    item, target = pool_ratings(protocol.ratings, table, select_judgments(protocol, data))
    return _drop_missing(table.items[item], target, data.scores.mean(axis=0)[item])


def _drop_missing(items: KeyArray, judgments: FloatArray, scores: FloatArray) -> Points:
    known = ~np.isnan(scores)
    return Points(items[known], judgments[known], scores[known], n_missing=int(len(known) - known.sum()))


def fit_line(x: ArrayLike, y: ArrayLike) -> FittedLine | None:
    """Return the least-squares line of y on x; None if x has fewer than two distinct values.

    Parameters
    ----------
    x, y
        Shape (n,), finite.

    Raises
    ------
    CorrelationInputError
        The lengths differ, or a value is NaN.

    Examples
    --------
    >>> fit_line([0, 1, 2], [1, 3, 5])
    FittedLine(slope=2.0, intercept=1.0, x_low=0.0, x_high=2.0)
    """
    checked_x, checked_y = _as_points(x, y)
    if not len(checked_x) or checked_x.min() == checked_x.max():
        return None
    exponent_x, exponent_y = find_exponent(checked_x), find_exponent(checked_y)
    scaled_x, scaled_y = shrink(checked_x, exponent_x), shrink(checked_y, exponent_y)
    centred = scaled_x - scaled_x.mean()
    steepness = centred @ (scaled_y - scaled_y.mean()) / (centred @ centred)
    slope = float(np.ldexp(steepness, exponent_y - exponent_x))
    return FittedLine(
        slope=slope,
        intercept=float(checked_y.mean() - slope * checked_x.mean()),
        x_low=float(checked_x.min()),
        x_high=float(checked_x.max()),
    )


def gather_cells(x: ArrayLike, y: ArrayLike, *, most_cells: int = 1500, bins: int = 48) -> Cells:
    """Bin points into at most `most_cells` cells of equal points, or otherwise into a grid of `bins` by `bins`.

    An axis with at most `bins` distinct values, such as a rating scale, is not binned. Cells are sorted by x, then y.
    The counts sum to n.

    Parameters
    ----------
    x, y
        Shape (n,), finite.

    Examples
    --------
    >>> cells = gather_cells([1, 1, 2], [5, 5, 6])
    >>> cells.x.tolist(), cells.y.tolist(), cells.count.tolist(), cells.is_binned
    ([1.0, 2.0], [5.0, 6.0], [2, 1], False)
    """
    points = np.stack(_as_points(x, y), axis=1)
    places, cell, count = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    is_binned = len(places) > most_cells
    if is_binned:
        binned = np.stack([_bin_axis(points[:, axis], bins=bins) for axis in (0, 1)], axis=1)
        places, cell, count = np.unique(binned, axis=0, return_inverse=True, return_counts=True)
    return Cells(x=places[:, 0], y=places[:, 1], count=count, is_binned=is_binned, cell=cell.reshape(-1))


def _bin_axis(values: FloatArray, *, bins: int) -> FloatArray:
    if len(np.unique(values)) <= bins:
        return values
    low, high = float(values.min()), float(values.max())
    width = (high - low) / bins
    number = np.minimum(np.floor((values - low) / width), bins - 1)
    middles: FloatArray = low + (number + 0.5) * width
    return middles


def _as_points(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    checked_x, checked_y = as_floats("x", x), as_floats("y", y)
    check_length("y", len(checked_y), len(checked_x), "x")
    for name, values in (("x", checked_x), ("y", checked_y)):
        if np.isnan(values).any():
            raise CorrelationInputError(f"`{name}` is NaN at index {int(np.flatnonzero(np.isnan(values))[0])}")
    return checked_x, checked_y
