"""The agreement of judgments with a known truth, as accuracy and corrected for chance.

References
----------
.. [1] J. Cohen (1960). A Coefficient of Agreement for Nominal Scales. Educational and Psychological Measurement 20(1),
   37-46. doi:10.1177/001316446002000104
"""

from dataclasses import dataclass
from math import isnan, nan

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.observations import encode_keys
from correlation.resampling.counts import Units, plan_bootstrap
from correlation.resampling.intervals import IntervalRequest, bound_resamples
from correlation.validation import FloatArray, as_floats, check_length


@dataclass(frozen=True, slots=True)
class TruthAgreement:
    """How well judgments agree with truth.

    Attributes
    ----------
    accuracy, kappa
        The share of judgments that equal the truth, in [0, 1]; and the same corrected for chance, 1 for perfect
        agreement and 0 for chance. NaN without judgments; kappa also if judgments and truth are one value throughout.
    accuracy_bounds, kappa_bounds
        Percentile bootstrap intervals over images.
    n, n_images
        The numbers of judgments and of images.
    """

    accuracy: float
    kappa: float
    accuracy_bounds: tuple[float, float]
    kappa_bounds: tuple[float, float]
    n: int
    n_images: int


def compare_with_truth(
    judged: ArrayLike,
    truth: ArrayLike,
    *,
    image: ArrayLike,
    rng: np.random.Generator,
    n_resamples: int = 1000,
    confidence: float = 0.95,
) -> TruthAgreement:
    """Compare judgments with the truth of what was judged.

    Parameters
    ----------
    judged, truth
        Shape (n,), 0 or 1.
    image
        Shape (n,): the image of each judgment. Images are resampled, because captions of one image are not independent.
    rng, n_resamples, confidence
        Of the bootstrap.

    Returns
    -------
    TruthAgreement
        Kappa is Cohen's [1]_, with all judges together as one of the two: (p - e) / (1 - e), where p is the accuracy
        and e the share of equal values expected from how often judgments and truth are 1.

    Raises
    ------
    CorrelationInputError
        The lengths differ, or a value is neither 0 nor 1.

    Examples
    --------
    >>> found = compare_with_truth(
    ...     [1, 1, 0, 0], [1, 0, 0, 0], image=["a", "a", "b", "b"], rng=np.random.default_rng(0), n_resamples=10
    ... )
    >>> found.accuracy, found.kappa
    (0.75, 0.5)
    """
    values, known = as_floats("judged", judged), as_floats("truth", truth)
    check_length("truth", len(known), len(values), "judged")
    for name, column in (("judged", values), ("truth", known)):
        strange = column[~np.isin(column, (0.0, 1.0))]
        if len(strange):
            raise CorrelationInputError(f"`{name}` must be 0 or 1, got {strange[0]:g}")
    images = encode_keys("image", image, np.ones(len(values), dtype=np.bool_))
    n_images = int(images.max(initial=-1)) + 1
    if not len(values):
        return TruthAgreement(nan, nan, (nan, nan), (nan, nan), 0, 0)
    # The four counts of each image: (judged, truth) as 00, 01, 10, 11.
    cell = (2 * values + known).astype(np.int64)
    table = np.zeros((n_images, 4))
    np.add.at(table, (images, cell), 1.0)
    accuracy, kappa = _measure(table.sum(axis=0, keepdims=True))
    plan = plan_bootstrap(("images",), n_resamples=n_resamples, rng=rng)
    units = Units.build(images=np.arange(n_images))
    drawn = np.concatenate([counts["images"] @ table for counts in plan.iterate(units)])
    request = IntervalRequest("percentile", ("images",), n_resamples, confidence)
    low_high = [bound_resamples(column, request) for column in _measure(drawn)]
    return TruthAgreement(
        accuracy=float(accuracy[0]),
        kappa=float(kappa[0]),
        accuracy_bounds=(low_high[0].low, low_high[0].high),
        kappa_bounds=(nan, nan) if isnan(kappa[0]) else (low_high[1].low, low_high[1].high),
        n=len(values),
        n_images=n_images,
    )


def _measure(tables: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return accuracy and kappa of tables (n_tables, 4), kappa NaN where equal values are certain."""
    n = tables.sum(axis=1)
    neither, missed, wrong, both = (tables / n[:, None]).T
    accuracy = neither + both
    judged, true = wrong + both, missed + both
    expected = judged * true + (1 - judged) * (1 - true)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = np.where(1 - expected > 1e-12, (accuracy - expected) / (1 - expected), np.nan)
    return accuracy, kappa
