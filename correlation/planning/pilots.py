"""Estimate the assumptions that `correlation.planning.sizes` needs from a pilot study.

References
----------
.. [1] S. R. Searle, G. Casella, C. E. McCulloch (1992). Variance Components, section 3.6: the ANOVA estimator.
.. [2] L. Kish (1965). Survey Sampling, sections 5.4 and 6.3: the design effect, and its estimate from clusters.
"""

from dataclasses import dataclass
from math import ldexp, sqrt

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.scaling import find_exponent, shrink
from correlation.validation import as_floats, as_keys, check_length


@dataclass(frozen=True, slots=True)
class SystemPilot:
    """Assumptions for `plan_system_difference`, from `n_images` images on which both systems were rated."""

    difference: float
    deviation: float
    rater_deviation: float
    n_images: int


@dataclass(frozen=True, slots=True)
class PreferencePilot:
    """Assumptions for `plan_preference`, from `n` choices between two systems."""

    share: float
    ties: float
    design_effect: float
    n: int


def estimate_systems(*, image: ArrayLike, system: ArrayLike, value: ArrayLike, first: str, second: str) -> SystemPilot:
    """Estimate the difference of two systems' mean ratings, and its two variance components [1]_.

    Parameters
    ----------
    image, system, value
        Shape (n_judgments,): one row per rating.
    first, second
        Keys of the systems; the difference is first minus second, over images on which both were rated.

    If no caption was rated twice, the noise of raters cannot be separated: `rater_deviation` is 0, and `deviation`
    includes both components.

    >>> pilot = estimate_systems(
    ...     image=[1, 1, 2, 2, 3, 3], system=list("ababab"), value=[3, 1, 4, 3, 2, 2], first="a", second="b"
    ... )
    >>> pilot.difference, pilot.deviation, pilot.n_images
    (1.0, 1.0, 3)
    """
    images, systems, values = as_keys("image", image), as_keys("system", system), as_floats("value", value)
    check_length("image", len(images), len(values), "value")
    check_length("system", len(systems), len(values), "value")
    shared = sorted(set(images[systems == first].tolist()) & set(images[systems == second].tolist()))
    if len(shared) < 2:
        raise CorrelationInputError(f"a pilot needs two images with ratings of {first} and {second}, got {len(shared)}")
    exponent = find_exponent(values[~np.isnan(values)])
    values = shrink(values, exponent)
    cells = [[values[(images == key) & (systems == name)] for name in (first, second)] for key in shared]
    squares = sum(float(((cell - cell.mean()) ** 2).sum()) for pair in cells for cell in pair)
    spare = sum(len(cell) - 1 for pair in cells for cell in pair)
    within = squares / spare if spare else 0.0
    differences = np.array([pair[0].mean() - pair[1].mean() for pair in cells])
    noise = within * float(np.mean([1 / len(pair[0]) + 1 / len(pair[1]) for pair in cells]))
    return SystemPilot(
        difference=ldexp(float(differences.mean()), exponent),
        deviation=ldexp(sqrt(max(0.0, float(differences.var(ddof=1)) - noise)), exponent),
        rater_deviation=ldexp(sqrt(within), exponent),
        n_images=len(shared),
    )


def estimate_preference(*, image: ArrayLike, value: ArrayLike) -> PreferencePilot:
    """Estimate the share of choices for the first system, the share of ties, and the design effect of images.

    Parameters
    ----------
    image, value
        Shape (n_judgments,): the image of each choice, and +1 for the first system, -1 for the second, 0 for neither.

    The design effect is the variance of the share with images as clusters divided by that of independent choices [2]_;
    it is at least 1.

    >>> estimate_preference(image=[1, 1, 2, 2, 3], value=[1, 1, -1, 1, 0])
    PreferencePilot(share=0.75, ties=0.2, design_effect=1.0, n=5)
    """
    images, values = as_keys("image", image), as_floats("value", value)
    check_length("image", len(images), len(values), "value")
    decided = values != 0
    if not decided.any():
        raise CorrelationInputError(f"a pilot needs a choice that is not a tie, got {len(values)} ties")
    first = values[decided] > 0
    share = float(first.mean())
    cluster = np.unique(images[decided], return_inverse=True)[1]
    totals = np.bincount(cluster, weights=first - share)
    independent = len(first) * share * (1 - share)
    effect = float((totals**2).sum()) / independent if independent else 1.0
    return PreferencePilot(share, float((~decided).mean()), max(1.0, effect), len(values))


def find_error(low: float, high: float, *, confidence: float) -> float:
    """Return the standard error whose normal interval has the same width as the given interval.

    >>> round(find_error(-0.196, 0.196, confidence=0.95), 4)
    0.1
    """
    from scipy.special import ndtri

    return float((high - low) / (2 * ndtri((1 + confidence) / 2)))
