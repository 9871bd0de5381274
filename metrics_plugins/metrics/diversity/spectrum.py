"""The spread of a set's captions over directions, on which LSA and Self-CIDEr diversity are based."""

import numpy as np

from metrics_plugins.api.scores import Values


def measure_spread(strengths: Values, *, m: int) -> Values:
    """Return the diversity -log_m(s_1 / sum of s) of each set, within [0, 1] (Wang et al. 2020, section 3).

    0 means that all captions have the same direction, 1 that they have m directions of equal strength. NaN for m < 2,
    where the logarithm has no base, and if all strengths are 0.

    Args:
        strengths: `(n_sets, n_directions)`, none negative, in any order within a set; at most m directions.
        m: The number of captions of each set.
    """
    values = np.full(len(strengths), np.nan)
    if m < 2:
        return values
    totals = strengths.sum(axis=1)
    defined = totals > 0
    shares = strengths.max(axis=1)[defined] / totals[defined]
    values[defined] = np.clip(-np.log(shares) / np.log(m), 0.0, 1.0) + 0.0
    return values
