"""Inter-rater agreement: Krippendorff's alpha, Fleiss' and Cohen's kappa, and ICCs through one function."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import isnan, nan
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from correlation.agreement.alpha import DISTANCES, ItemEstimator, prepare_alpha
from correlation.agreement.icc import FORMS, prepare_icc
from correlation.agreement.item_ratings import ItemRatings
from correlation.agreement.kappa import DISAGREEMENTS, prepare_cohen, prepare_fleiss
from correlation.errors import CorrelationInputError, check_name
from correlation.observations import encode_keys
from correlation.resampling.counts import BootstrapPlan, Units
from correlation.validation import IntArray


@dataclass(frozen=True, slots=True)
class AgreementResult:
    """One agreement coefficient.

    Attributes
    ----------
    coefficient
        A name in `AGREEMENTS`.
    value
        1 is perfect, 0 is chance (ICC: no more similar than different items); NaN if undefined, and `reason` then says
        why.
    low, high, confidence
        Percentile bootstrap interval over images (or items); None if not requested.
    n_items, n_left_out
        Items used, and items that the coefficient cannot use (too few judgments).
    n_raters, n_judgments
        Numbers in the whole input.
    """

    coefficient: str
    value: float
    low: float | None
    high: float | None
    n_items: int
    n_left_out: int
    n_raters: int
    n_judgments: int
    reason: str | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    """The items used, the estimator as a function of item weights, and the reason if there is none."""

    used: IntArray
    estimate: ItemEstimator | None
    reason: str | None = None


def measure_agreement(
    *,
    item: ArrayLike,
    rater: ArrayLike,
    value: ArrayLike,
    coefficient: str,
    image: ArrayLike | None = None,
    confidence: float | None = None,
    n_resamples: int = 1000,
    rng: np.random.Generator | None = None,
) -> AgreementResult:
    """Measure the agreement of raters.

    Parameters
    ----------
    item, rater, value
        Shape (n_judgments,): one row per judgment; missing judgments have no row.
    coefficient
        `krippendorff-nominal`, `-ordinal`, `-interval`, `-ratio`; `fleiss` (equally many judgments of each item);
        `cohen-none`, `-linear`, `-quadratic` (mean over pairs of raters); `icc-1`, `icc-2`, `icc-3`, `icc-1k`,
        `icc-2k`, `icc-3k` (items judged by all raters; for one-way forms, items with the usual number of judgments).
    image
        Shape (n_judgments,): the image of each row. If given, images are resampled, else items.
    confidence, n_resamples, rng
        Request a bootstrap interval with a confidence in (0, 1). Raters are not resampled, since a rater drawn twice
        would agree with itself.

    Examples
    --------
    >>> result = measure_agreement(
    ...     item=[1, 1, 2, 2, 3, 3], rater=["a", "b"] * 3, value=[1, 1, 2, 2, 3, 1], coefficient="krippendorff-nominal"
    ... )
    >>> round(result.value, 4), result.n_items
    (0.5455, 3)
    """
    check_name("agreement coefficient", coefficient, AGREEMENTS)
    ratings = ItemRatings.build(item=item, rater=rater, value=value)
    prepared = AGREEMENTS[coefficient](ratings)
    estimate = float(prepared.estimate(np.ones((1, ratings.n_items)))[0]) if prepared.estimate else nan
    reason = prepared.reason
    if isnan(estimate) and reason is None:
        reason = "all judgments are equal, so agreement is undefined"
    bounds: tuple[float | None, float | None] = (None, None)
    if confidence is not None:
        clusters = _cluster(ratings, image)
        bounds = _bound(prepared, clusters, confidence, n_resamples, rng)
    return AgreementResult(
        coefficient=coefficient,
        value=estimate,
        low=bounds[0],
        high=bounds[1],
        n_items=len(prepared.used),
        n_left_out=ratings.n_items - len(prepared.used),
        n_raters=ratings.n_raters,
        n_judgments=len(ratings.value),
        reason=reason,
        confidence=confidence,
    )


def _cluster(ratings: ItemRatings, image: ArrayLike | None) -> IntArray:
    """The cluster of each item: its image, or the item itself."""
    if image is None:
        return np.arange(ratings.n_items)
    codes = encode_keys("image", image, np.ones(len(ratings.value), dtype=np.bool_))
    cluster = np.zeros(ratings.n_items, dtype=np.int64)
    cluster[ratings.item] = codes
    strange = np.flatnonzero(cluster[ratings.item] != codes)
    if len(strange):
        raise CorrelationInputError(f"`image` differs between two judgments of one item (index {int(strange[0])})")
    return cluster


def _bound(
    prepared: _Prepared, cluster: IntArray, confidence: float, n_resamples: int, rng: np.random.Generator | None
) -> tuple[float, float]:
    if not 0 < confidence < 1:
        raise CorrelationInputError(f"`confidence` must be in (0, 1), got {confidence}")
    if rng is None:
        raise CorrelationInputError("`rng` is needed by an interval, got None")
    if prepared.estimate is None:
        return nan, nan
    plan = BootstrapPlan(("images",), n_resamples, int(rng.integers(2**63)))
    units = Units.build(images=cluster)
    values = np.concatenate([prepared.estimate(units.weigh(counts)) for counts in plan.iterate(units)])
    # An ICC of averages is -inf in a resample whose items all have the same mean, which is treated as undefined.
    defined = values[np.isfinite(values)]
    if len(defined) == 0:
        return nan, nan
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)


def _prepare_krippendorff(scale: str, ratings: ItemRatings) -> _Prepared:
    used = np.flatnonzero(np.bincount(ratings.item, minlength=ratings.n_items) >= 2)
    if len(used) == 0:
        return _Prepared(used, None, "no item has two judgments")
    return _Prepared(used, prepare_alpha(ratings, scale))


def _prepare_fleiss(ratings: ItemRatings) -> _Prepared:
    per_item = np.bincount(ratings.item, minlength=ratings.n_items)
    if ratings.n_items == 0 or per_item.min() != per_item.max() or per_item.max() < 2:
        least, most = (int(per_item.min()), int(per_item.max())) if len(per_item) else (0, 0)
        return _Prepared(
            np.empty(0, dtype=np.int64),
            None,
            f"items have {least} to {most} judgments; Fleiss' kappa needs equally many, 2 at least "
            "(Krippendorff's alpha does not)",
        )
    return _Prepared(np.arange(ratings.n_items), prepare_fleiss(ratings))


def _prepare_cohen(weighting: str, ratings: ItemRatings) -> _Prepared:
    used = np.flatnonzero(np.bincount(ratings.item, minlength=ratings.n_items) >= 2)
    if len(used) == 0:
        return _Prepared(used, None, "no item was judged by two raters")
    return _Prepared(used, prepare_cohen(ratings, weighting))


def _prepare_icc(form: str, ratings: ItemRatings) -> _Prepared:
    per_item = np.bincount(ratings.item, minlength=ratings.n_items)
    one_way = form.startswith("1")
    wanted = int(np.bincount(per_item).argmax()) if one_way and len(per_item) else ratings.n_raters
    used = np.flatnonzero(per_item == wanted)
    if wanted < 2 or len(used) < 2:
        return _Prepared(used, None, f"{len(used)} item(s) have all {wanted} judgments; 2 of each are needed")
    if one_way:
        order = np.lexsort((ratings.rater, ratings.item))
        rows = ratings.value[order][np.isin(ratings.item[order], used)].reshape(len(used), wanted)
    else:
        rows = ratings.tabulate()[used]
    estimate = prepare_icc(rows, form)
    return _Prepared(used, lambda weights: estimate(weights[:, used]))


AGREEMENTS: Mapping[str, Callable[[ItemRatings], _Prepared]] = MappingProxyType(
    {
        **{f"krippendorff-{scale}": partial(_prepare_krippendorff, scale) for scale in DISTANCES},
        "fleiss": _prepare_fleiss,
        **{f"cohen-{weighting}": partial(_prepare_cohen, weighting) for weighting in DISAGREEMENTS},
        **{f"icc-{form}": partial(_prepare_icc, form) for form in FORMS},
    }
)
