"""Intervals, tests and letters of systems' numbers, over images and, if there are enough, raters.

The standard error of a system's value, and of each difference, is its standard deviation over bootstrap resamples of
whole images and whole raters [1]_, times sqrt(G / (G - 1)), where G is the smaller number of images and raters.
Intervals and tests take the same error and Student's t with G - 1 degrees of freedom [2]_, so that a difference is
significant at a level exactly if its interval at that level excludes 0. For means of a balanced design over images this
is the paired t-test of the systems' image means.

Raters are resampled if they are persons and at least `FEWEST_UNITS`. Otherwise only images are, and the numbers hold
for these raters.

References
----------
.. [1] A. B. Owen (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2). doi:10.1214/07-AOAS122
.. [2] A. C. Cameron, J. B. Gelbach, D. L. Miller (2008). Bootstrap-Based Improvements for Inference with Clustered
   Errors. Review of Economics and Statistics 90(3), sections II and III (bootstrap-se).
"""

from dataclasses import dataclass
from itertools import combinations
from math import isnan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from correlation.comparison.letters import assign_letters
from correlation.comparison.multiple import adjust_p_values
from correlation.defaults import FEWEST_UNITS, explain_few
from correlation.ranking.statistics import Statistic
from correlation.ranking.values import RankedSystem, RankingRequest, SystemDifference, SystemRanking
from correlation.resampling.counts import Units, plan_bootstrap
from correlation.validation import BoolArray, FloatArray, IntArray, KeyArray, as_keys, check_length

MOST_UNDEFINED = 0.01
"""The largest share of resamples with infinite strengths that is left out; with more there is no interval."""
MOST_SYSTEMS = 50
"""With more systems, pairs are not tested."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Judgments: `takes_part[s]` of shape (n,) says which rows are of system s."""

    systems: tuple[str, ...]
    takes_part: tuple[BoolArray, ...]
    image: IntArray
    rater: IntArray
    resampled: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def n_images(self) -> int:
        return int(self.image.max(initial=-1)) + 1

    @property
    def n_raters(self) -> int:
        return int(self.rater.max(initial=-1)) + 1

    @property
    def fewest_units(self) -> int:
        return min(self.n_images, self.n_raters) if "raters" in self.resampled else self.n_images


def encode_systems(keys: KeyArray) -> tuple[tuple[str, ...], IntArray]:
    found, codes = np.unique(keys, return_inverse=True)
    return tuple(map(str, found)), codes.astype(np.int64)


def read_rows(
    systems: tuple[str, ...],
    takes_part: list[BoolArray],
    image: ArrayLike,
    rater: ArrayLike,
    knows_raters: bool,
) -> Rows:
    images, raters = encode_systems(as_keys("image", image))[1], encode_systems(as_keys("rater", rater))[1]
    n = len(takes_part[0]) if takes_part else 0
    check_length("image", len(images), n, "judgment")
    check_length("rater", len(raters), n, "judgment")
    n_raters = int(raters.max(initial=-1)) + 1
    if knows_raters and n_raters >= FEWEST_UNITS:
        return Rows(systems, tuple(takes_part), images, raters, ("images", "raters"), ())
    counted = f"{n_raters} rater{'' if n_raters == 1 else 's'}"
    note = (
        f"raters are not resampled, since there are only {counted}, fewer than {FEWEST_UNITS}: the intervals hold for "
        "these raters"
        if knows_raters
        else "raters are not resampled, since it is not known who gave which judgment"
    )
    return Rows(systems, tuple(takes_part), images, raters, ("images",), (note,))


def rank_systems(
    measure: str,
    statistic: Statistic,
    rows: Rows,
    *,
    criterion: str | None,
    bounds: tuple[float, float] | None,
    request: RankingRequest,
    reason: str | None = None,
) -> SystemRanking:
    n, k = len(rows.image), len(rows.systems)
    values = statistic.estimate(np.ones((1, n)))[0] if reason is None else np.full(k, np.nan)
    order = sorted(range(k), key=lambda place: (isnan(values[place]), -np.nan_to_num(values[place]), place))
    few, notes = explain_few(rows.n_images, "images"), list(rows.notes)
    resampled = _resample(statistic, rows, request, notes) if reason is None and rows.n_images > 1 else None
    differences: tuple[SystemDifference, ...] = ()
    letters = ("",) * k
    if k > MOST_SYSTEMS:
        notes.append(f"differences are not tested: there are {k} systems, more than {MOST_SYSTEMS}")
    elif resampled is not None and not few and k > 1:
        differences = _test_pairs(values, resampled, rows, order, request)
        letters = _find_letters(values, rows.systems, differences, request.alpha)
    errors = np.full(k, np.nan) if resampled is None else _find_errors(resampled, rows.fewest_units)
    if (errors == 0).any():
        notes.append("a system whose value is the same in every resample has no interval")
    described = _describe(rows, values, errors, letters, bounds=bounds, alpha=request.alpha)
    return SystemRanking(
        measure=measure,
        criterion=criterion,
        systems=tuple(described[place] for place in order),
        differences=differences,
        resampled=rows.resampled,
        n=n,
        n_images=rows.n_images,
        n_raters=rows.n_raters,
        reason=reason,
        cautions=(few,) if few else (),
        notes=tuple(notes),
        request=request,
    )


def _describe(
    rows: Rows,
    values: FloatArray,
    errors: FloatArray,
    letters: tuple[str, ...],
    *,
    bounds: tuple[float, float] | None,
    alpha: float,
) -> list[RankedSystem]:
    lowest, highest = bounds or (-np.inf, np.inf)
    reach = np.where(errors > 0, _find_reach(rows.fewest_units, alpha) * errors, np.nan)
    lows, highs = np.maximum(lowest, values - reach), np.minimum(highest, values + reach)
    return [
        RankedSystem(
            system=rows.systems[place],
            value=_keep(values[place]),
            low=_keep(lows[place]),
            high=_keep(highs[place]),
            error=_keep(errors[place]),
            letters=letters[place],
            n=int(own.sum()),
            n_images=len(np.unique(rows.image[own])),
            n_raters=len(np.unique(rows.rater[own])),
        )
        for place, own in enumerate(rows.takes_part)
    ]


def _resample(statistic: Statistic, rows: Rows, request: RankingRequest, notes: list[str]) -> FloatArray | None:
    """Return the values in all resamples in which they are defined; None, with a note, if that is not enough."""
    codes = {"images": rows.image, "raters": rows.rater}
    units = Units.build(**{axis: codes[axis] for axis in rows.resampled})
    rng = np.random.default_rng(request.seed)
    plan = plan_bootstrap(rows.resampled, n_resamples=request.n_resamples, rng=rng)
    values = np.concatenate([statistic.estimate(units.weigh(counts)) for counts in plan.iterate(units)])
    is_defined = ~np.isnan(values).any(axis=1)
    undefined = 1 - float(is_defined.mean())
    if undefined > MOST_UNDEFINED:
        notes.append(
            f"no intervals and no tests, since a value is undefined in {undefined:.0%} of the resamples, more than "
            f"{MOST_UNDEFINED:.0%}: a system has too few judgments or hardly ever loses"
        )
        return None
    defined: FloatArray = values[is_defined]
    return defined


def _find_errors(resampled: FloatArray, n_units: int) -> FloatArray:
    """Standard errors of columns; 0 for one that is the same in every resample but for rounding."""
    deviations = resampled.std(axis=0, ddof=1) * sqrt(n_units / (n_units - 1))
    errors: FloatArray = np.where(deviations > 1e-12, deviations, 0.0)
    return errors


def _find_reach(n_units: int, alpha: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(n_units - 1, 1 - alpha / 2)) if n_units > 1 else float("nan")


def _test_pairs(
    values: FloatArray, resampled: FloatArray, rows: Rows, order: list[int], request: RankingRequest
) -> tuple[SystemDifference, ...]:
    from scipy.special import stdtr

    pairs = np.array(list(combinations(order, 2)))
    found = values[pairs[:, 0]] - values[pairs[:, 1]]
    errors = _find_errors(resampled[:, pairs[:, 0]] - resampled[:, pairs[:, 1]], rows.fewest_units)
    with np.errstate(invalid="ignore", divide="ignore"):
        p_values = 2 * stdtr(rows.fewest_units - 1, -np.abs(found) / errors)
    # Where all images (or raters) agree, no resample differs: the p-value is that of the sign test.
    agreed = errors == 0
    p_values[agreed] = np.where(np.abs(found[agreed]) > 1e-12, 2.0 ** (1 - rows.fewest_units), 1.0)
    adjusted = adjust_p_values(p_values, correction=request.correction)
    reach = _find_reach(rows.fewest_units, request.alpha)
    return tuple(
        SystemDifference(
            rows.systems[one],
            rows.systems[other],
            float(found[place]),
            float(found[place] - reach * errors[place]),
            float(found[place] + reach * errors[place]),
            float(p_values[place]),
            float(adjusted[place]),
        )
        for place, (one, other) in enumerate(pairs.tolist())
    )


def _find_letters(
    values: FloatArray, systems: tuple[str, ...], differences: tuple[SystemDifference, ...], alpha: float
) -> tuple[str, ...]:
    code = {name: place for place, name in enumerate(systems)}
    matrix = np.full((len(systems), len(systems)), np.nan)
    for each in differences:
        one, other = code[each.first], code[each.second]
        matrix[one, other] = matrix[other, one] = each.p_adjusted
    return assign_letters(values.tolist(), matrix, alpha=alpha)


def _keep(value: float) -> float | None:
    return None if isnan(value) else float(value)
