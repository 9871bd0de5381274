"""What intervals and tests are by default, and below how many units there are none.

The defaults are stated here once. `correlation.protocols.defaults` makes requests of them, which pages, reports,
commands and the API take.

References
----------
.. [1] D. Deutsch, R. Dror, D. Roth (2021). A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
   Methods. TACL 9. doi:10.1162/tacl_a_00417
.. [2] A. C. Cameron, J. B. Gelbach, D. L. Miller (2008). Bootstrap-Based Improvements for Inference with Clustered
   Errors. Review of Economics and Statistics 90(3).
"""

from typing import Final

ALPHA: Final = 0.05
"""The significance level; 1 - ALPHA is the confidence of intervals."""
RESAMPLES: Final = 1000
"""The number of resamples of an interval; a test has more where the correction over all pairs needs them."""
CORRECTION: Final = "holm"
FEWEST_UNITS: Final = 10
"""Below this number of images (at system level: of systems) differences are not tested."""

# Captions of one image have correlated errors, so intervals resample images, and tests swap whole images [1]_.
UNIT: Final = "images"
METHOD: Final = "percentile"
TEST: Final = "perm-input"
# Where all numbers are over systems, which are usually a dozen.
SYSTEM_UNIT: Final = "systems"
SYSTEM_METHOD: Final = "jackknife"
SYSTEM_TEST: Final = "perm-system"


def explain_few(n_units: int, unit: str) -> str | None:
    """Return a sentence without its full stop if there are fewer than `FEWEST_UNITS` units, else None.

    With few units, a resample varies less than another sample would, so intervals are too narrow [2]_.

    >>> explain_few(6, "images")
    'only 6 images, fewer than 10: differences are not tested, and intervals are narrower than their nominal confidence'
    >>> explain_few(10, "images")
    """
    if n_units >= FEWEST_UNITS:
        return None
    counted = f"{n_units} {unit.removesuffix('s') if n_units == 1 else unit}"
    return (
        f"only {counted}, fewer than {FEWEST_UNITS}: differences are not tested, and intervals are narrower than "
        "their nominal confidence"
    )
