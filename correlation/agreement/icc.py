"""Intraclass correlation coefficients.

References
----------
.. [1] P. E. Shrout, J. L. Fleiss (1979). Intraclass correlations: uses in assessing rater reliability. Psychological
   Bulletin 86(2), 420-428. doi:10.1037/0033-2909.86.2.420
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from correlation.agreement.alpha import ItemEstimator
from correlation.scaling import scale_values
from correlation.validation import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class MeanSquares:
    """Mean squares of a two-way table, each of shape (n_resamples,): between items, between raters, residual, and
    within items; for `n` items (sum of weights) and `k` raters."""

    items: FloatArray
    raters: FloatArray
    residual: FloatArray
    within: FloatArray
    n: FloatArray
    k: int


def prepare_icc(table: FloatArray, form: str) -> ItemEstimator:
    """ICC of a table of shape (n_items, k) without missing values; `form` is a name in `FORMS`.

    Values are at most 1; undefined (NaN) for fewer than two items or if all judgments are equal.
    """
    formula = FORMS[form]
    k = table.shape[1]
    # Centring avoids a loss of precision in the sums of squares when the common mean is large.
    table = scale_values(table)
    centred = table - table.mean() if table.size else table
    item_means, squares = centred.mean(axis=1), (centred**2).sum(axis=1)

    def estimate(weights: FloatArray) -> FloatArray:
        n = weights.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            grand = weights @ item_means / n
            between_items = k * (weights @ item_means**2 - n * grand**2)
            rater_means = weights @ centred / n[:, None]
            between_raters = n * ((rater_means - grand[:, None]) ** 2).sum(axis=1)
            total = weights @ squares - n * k * grand**2
            within = total - between_items
            parts = MeanSquares(
                items=between_items / (n - 1),
                raters=between_raters / (k - 1),
                residual=(within - between_raters) / ((n - 1) * (k - 1)),
                within=within / (n * (k - 1)),
                n=n,
                k=k,
            )
            values = formula(parts)
        return np.where((n >= 2) & (total > 1e-12 * (weights @ squares)), values, np.nan)

    return estimate


# [1] p. 423 and 426: one-way random (1), two-way random (2), two-way mixed (3); single rater or mean of k.
FORMS: Mapping[str, Callable[[MeanSquares], FloatArray]] = MappingProxyType(
    {
        "1": lambda m: (m.items - m.within) / (m.items + (m.k - 1) * m.within),
        "2": lambda m: (
            (m.items - m.residual) / (m.items + (m.k - 1) * m.residual + m.k * (m.raters - m.residual) / m.n)
        ),
        "3": lambda m: (m.items - m.residual) / (m.items + (m.k - 1) * m.residual),
        "1k": lambda m: (m.items - m.within) / m.items,
        "2k": lambda m: (m.items - m.residual) / (m.items + (m.raters - m.residual) / m.n),
        "3k": lambda m: (m.items - m.residual) / m.items,
    }
)
