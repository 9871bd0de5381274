"""Compact letter displays: two rows of a table share a letter if and only if they do not differ significantly.

References
----------
.. [1] H.-P. Piepho (2004). An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons. J. of
   Computational and Graphical Statistics 13(2), 456-466.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.validation import as_floats


def assign_letters(values: Sequence[float], p_values: ArrayLike, *, alpha: float) -> tuple[str, ...]:
    """Return the letters of each row, by inserting and absorbing [1]_; the best row has an `a`.

    Parameters
    ----------
    values
        Shape (n,); a higher value is better, NaN ranks last.
    p_values
        Shape (n, n), symmetric, corrected; NaN, for a test that was not made, means no significant difference.
    alpha
        Significance level, in (0, 1).

    Returns
    -------
    tuple of str
        Such as `ab`: the row differs from all rows that have neither an `a` nor a `b`, and from no others. Letters are
        in the order of the best row that has them; after z they continue in pairs, and a row's are then separated by
        commas.

    Raises
    ------
    CorrelationInputError
        The shapes differ.

    Examples
    --------
    The first and the last differ; the one between them differs from neither:

    >>> assign_letters([0.5, 0.4, 0.3], [[1, 0.2, 0.01], [0.2, 1, 0.2], [0.01, 0.2, 1]], alpha=0.05)
    ('a', 'ab', 'b')
    """
    matrix = as_floats("p_values", p_values, ndim=2)
    if matrix.shape != (len(values), len(values)):
        raise CorrelationInputError(f"`p_values` must have shape {(len(values),) * 2}, got {matrix.shape}")
    order = np.argsort(-np.array(values, dtype=np.float64), kind="stable")
    differs = (matrix < alpha)[np.ix_(order, order)]
    groups = [frozenset(range(len(order)))]
    for first, second in np.argwhere(np.triu(differs, k=1)).tolist():
        split = [group - {out} for group in groups if {first, second} <= group for out in (second, first)]
        groups = _absorb([group for group in groups if not {first, second} <= group] + split)
    named = sorted(map(sorted, groups))
    letters = [
        [name_cluster(1 + place) for place, group in enumerate(named) if rank in group] for rank in range(len(order))
    ]
    separator = "," if len(named) > 26 else ""
    return tuple(separator.join(letters[rank]) for rank in np.argsort(order, kind="stable").tolist())


def _absorb(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """Return the groups without those that others contain, and each once."""
    distinct = list(dict.fromkeys(groups))
    return [group for group in distinct if not any(group < other for other in distinct)]


def name_cluster(cluster: int) -> str:
    """Return the letter of a number, 1 = a; after z it continues like spreadsheet columns.

    >>> [name_cluster(number) for number in (1, 2, 26, 27, 703)]
    ['a', 'b', 'z', 'aa', 'aaa']
    """
    letters = ""
    while cluster > 0:
        cluster, place = divmod(cluster - 1, 26)
        letters = chr(ord("a") + place) + letters
    return letters
