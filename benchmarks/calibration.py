"""Measures the coverage of intervals and the error rates of tests in simulated studies with a known truth.

Run `python -m benchmarks.calibration [--json] [--quick | --simulations N]`; the seed is fixed. Each row has the method,
the nominal share, the observed share with its binomial standard error, and the accepted range. The exit status is 1 if
a share is outside of its range. `--quick` runs 100 simulations and widens every range by four standard errors.

Rows marked "limit" show limitations of methods: a naive interval, a permutation of units that are too small, a
bootstrap of three raters. Their ranges accept the expected failure, so that the documentation of it is tested.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from math import asin, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from correlation.comparison.compare import ComparisonRequest, compare_metrics
from correlation.correlate import correlate
from correlation.planning.sizes import plan_metric_difference, plan_preference, plan_system_difference
from correlation.resampling.intervals import IntervalRequest

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
SEED = 20_260_101
N_IMAGES, PER_IMAGE, N_RATERS = 150, 4, 12
N_RESAMPLES = 400
QUICK = 100
# With four standard errors, a correct method is outside of its range in one of 16,000 rows.
N_ERRORS = 4


@dataclass(frozen=True, slots=True)
class Row:
    """A share: its nominal value, the value observed in a number of simulations, and the accepted range."""

    work: str
    asked: float
    found: float
    low: float
    high: float
    simulations: int

    @property
    def error(self) -> float:
        """Return the binomial standard error of the nominal share."""
        return sqrt(self.asked * (1 - self.asked) / self.simulations)

    def passes(self, *, slack: float = 0.0) -> bool:
        return self.low - slack <= self.found <= self.high + slack


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """A simulated study: scores, judgments, images and raters of each row, and the true correlations."""

    scores: Floats
    judgments: Floats
    images: Integers
    raters: Integers
    truth: dict[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """Scores of two metrics on the same rows, with the judgments and the image and system of each row."""

    scores: dict[str, Floats]
    judgments: Floats
    images: Integers
    systems: Integers


def simulate_images(rng: np.random.Generator) -> Study:
    """Simulate rows within images: image effects (60 % of the variance) correlate .5, the residuals .3."""
    shared = _correlate(rng, (N_IMAGES, 1), 0.5) * sqrt(0.6)
    own = _correlate(rng, (N_IMAGES, PER_IMAGE), 0.3) * sqrt(0.4)
    x, y = (shared + own).reshape(2, -1)
    images = np.repeat(np.arange(N_IMAGES), PER_IMAGE)
    return Study(x, y, images, np.tile(np.arange(PER_IMAGE), N_IMAGES), _find_truth(0.6 * 0.5 + 0.4 * 0.3))


def simulate_raters(rng: np.random.Generator, *, n_raters: int = N_RATERS, differ: float = 0.5) -> Study:
    """Simulate raters who judge every image, with individual shifts and slopes (deviation `differ`) and noise (1)."""
    quality = rng.normal(size=N_IMAGES)
    scores = quality + rng.normal(size=N_IMAGES)
    slope, shift = 1 + differ * rng.normal(size=n_raters), differ * rng.normal(size=n_raters)
    judgments = quality[:, None] * slope + shift + rng.normal(size=(N_IMAGES, n_raters))
    images, raters = (axis.reshape(-1) for axis in np.indices((N_IMAGES, n_raters)))
    # Variances 2 and 1 + differ^2 (slopes) + differ^2 (shifts) + 1, covariance 1.
    truth = {"pearson": 1 / sqrt(2 * (2 + 2 * differ**2))}
    return Study(np.repeat(scores, n_raters), judgments.reshape(-1), images, raters, truth)


def simulate_alike_raters(rng: np.random.Generator) -> Study:
    """Simulate raters who differ only by noise."""
    return simulate_raters(rng, differ=0.0)


def simulate_three_raters(rng: np.random.Generator) -> Study:
    """Simulate as many raters as Flickr8k-Expert has; otherwise as `simulate_raters`."""
    return simulate_raters(rng, n_raters=3)


def simulate_rivals(
    rng: np.random.Generator,
    *,
    noise: tuple[float, float] = (1.0, 1.0),
    n_images: int = 100,
    n_systems: int = 1,
    shared: float = 0.0,
) -> Rivals:
    """Simulate two metrics: the quality of each caption plus errors with the standard deviations `noise`.

    `shared` is the share of the variance of quality and errors that is common to all captions of an image.
    """
    shape = (n_images, n_systems)

    def draw() -> Floats:
        own = rng.normal(size=shape)
        # Drawn only if it is used, so that the other draws do not change.
        return sqrt(1 - shared) * own + sqrt(shared) * rng.normal(size=(n_images, 1)) if shared else own

    quality = draw()
    judgments = quality + rng.normal(size=shape)
    scores = {name: (quality + deviation * draw()).reshape(-1) for name, deviation in zip("ab", noise, strict=True)}
    images, systems = (axis.reshape(-1) for axis in np.indices(shape))
    return Rivals(scores, judgments.reshape(-1), images, systems)


def measure_coverage(
    simulate: Callable[[np.random.Generator], Study], request: IntervalRequest, n: int, *, coefficient: str = "pearson"
) -> float:
    """Return the share of simulated studies whose interval contains the true value."""
    covered = 0
    for number in range(n):
        rng = np.random.default_rng([SEED, number])
        study = simulate(rng)
        result = correlate(
            study.scores,
            study.judgments,
            level="item",
            coefficient=coefficient,
            groups=study.images,
            raters=study.raters,
            interval=request,
            rng=rng,
        )
        truth = study.truth[coefficient]
        covered += result.low is not None and result.high is not None and result.low <= truth <= result.high
    return covered / n


def measure_rejections(
    request: ComparisonRequest,
    n: int,
    *,
    simulate: Callable[[np.random.Generator], Rivals] = simulate_rivals,
    level: str = "item",
    coefficient: str = "pearson",
) -> float:
    """Return the share of simulated studies in which the two metrics differ significantly at level .05."""
    rejected = 0
    for number in range(n):
        rng = np.random.default_rng([SEED, number])
        rivals = simulate(rng)
        table = compare_metrics(
            rivals.scores,
            rivals.judgments,
            level=level,
            coefficient=coefficient,
            groups=rivals.images,
            systems=rivals.systems,
            request=request,
            rng=rng,
        )
        rejected += table.differences[0].p_value <= 0.05
    return rejected / n


def iterate_coverage(n: int) -> Iterator[Row]:
    """Yield the rows for intervals of one correlation."""
    images, rows, product = ("images",), ("rows",), ("images", "raters")
    for name, simulate, coefficient, method, axes, low, high in (
        ("limit: rows in images, rows resampled", simulate_images, "pearson", "percentile", rows, 0.0, 0.93),
        ("limit: rows in images, Fisher", simulate_images, "pearson", "fisher", (), 0.0, 0.93),
        ("rows in images, images resampled", simulate_images, "pearson", "percentile", images, 0.93, 0.97),
        ("rows in images, images resampled, BCa", simulate_images, "pearson", "bca", images, 0.93, 0.97),
        ("rows in images, jackknife of images", simulate_images, "pearson", "jackknife", images, 0.93, 0.97),
        ("rows in images, images resampled, Spearman", simulate_images, "spearman", "percentile", images, 0.93, 0.97),
        ("rows in images, images resampled, tau-b", simulate_images, "kendall-b", "percentile", images, 0.93, 0.97),
        ("limit: crossed raters, rows resampled", simulate_raters, "pearson", "percentile", rows, 0.0, 0.93),
        ("limit: crossed raters, images resampled only", simulate_raters, "pearson", "percentile", images, 0.0, 0.93),
        ("crossed raters, images x raters", simulate_raters, "pearson", "percentile", product, 0.93, 0.97),
        ("raters who do not differ, images x raters", simulate_alike_raters, "pearson", "percentile", product, 0.93, 1),
        ("limit: three raters, images x raters", simulate_three_raters, "pearson", "percentile", product, 0.0, 0.93),
    ):
        request = IntervalRequest(method, axes, n_resamples=N_RESAMPLES)
        found = measure_coverage(simulate, request, n, coefficient=coefficient)
        yield Row(f"coverage: {name}", 0.95, found, low, high, n)


def iterate_rejections(n: int) -> Iterator[Row]:
    """Yield the rows for tests of two equally good metrics."""

    def simulate_systems(rng: np.random.Generator) -> Rivals:
        return simulate_rivals(rng, n_images=20, n_systems=30)

    def simulate_shared(rng: np.random.Generator) -> Rivals:
        return simulate_rivals(rng, n_images=N_IMAGES, n_systems=PER_IMAGE, shared=0.6)

    def simulate_few(rng: np.random.Generator) -> Rivals:
        return simulate_rivals(rng, n_images=12, n_systems=PER_IMAGE, shared=0.6)

    both, by_image, by_system = (ComparisonRequest(f"perm-{unit}", n_resamples=399) for unit in KINDS)
    williams = ComparisonRequest("williams")
    bootstrap = ComparisonRequest("bootstrap", ("images",), 399)
    product = ComparisonRequest("bootstrap", ("images", "systems"), 399)
    for name, request, simulate, level, low, high in (
        # 399 permutations: (c + 1) / 400 <= .05 for exactly one twentieth of the ranks.
        ("independent items", both, simulate_rivals, "item", 0.04, 0.06),
        ("independent items", by_image, simulate_rivals, "item", 0.04, 0.06),
        ("independent items", bootstrap, simulate_rivals, "item", 0.04, 0.06),
        ("independent items", williams, simulate_rivals, "item", 0.04, 0.06),
        ("30 systems", both, simulate_systems, "system", 0.04, 0.06),
        ("30 systems", by_system, simulate_systems, "system", 0.04, 0.06),
        ("30 systems", williams, simulate_systems, "system", 0.04, 0.06),
        ("errors shared in an image", by_image, simulate_shared, "item", 0.04, 0.06),
        ("errors shared in an image", bootstrap, simulate_shared, "item", 0.04, 0.06),
        ("12 images only", by_image, simulate_few, "item", 0.04, 0.06),
        ("limit: 12 images only", bootstrap, simulate_few, "item", 0.06, 1.0),
        ("limit: errors shared in an image", both, simulate_shared, "item", 0.06, 1.0),
        ("limit: errors shared in an image", williams, simulate_shared, "item", 0.06, 1.0),
        ("limit: images x systems", product, simulate_shared, "item", 0.0, 0.04),
    ):
        found = measure_rejections(request, n, simulate=simulate, level=level)
        yield Row(f"rejections under the null: {name}, {request.test} at {level} level", 0.05, found, low, high, n)


# The units swapped by a permutation: candidates, images, systems.
KINDS = ("both", "input", "system")


def iterate_power(n: int) -> Iterator[Row]:
    """Yield the rows for the power of studies of the planned size."""
    # For noise .8 and 1.2, the correlations with the judgments and with each other follow from the variances.
    a, b = (1 + 0.8**2), (1 + 1.2**2)
    for power in (0.5, 0.8, 0.95):
        plan = plan_metric_difference(
            first=1 / sqrt(2 * a), second=1 / sqrt(2 * b), between=1 / sqrt(a * b), power=power
        )

        def simulate(rng: np.random.Generator, size: int = plan.n) -> Rivals:
            return simulate_rivals(rng, noise=(0.8, 1.2), n_images=size)

        found = measure_rejections(ComparisonRequest("williams"), n, simulate=simulate)
        yield _make_power_row(f"two metrics, {plan.n} items, williams", plan.power, found, n)
    for power in (0.5, 0.8, 0.95):
        plan = plan_system_difference(difference=0.3, deviation=0.8, rater_deviation=1.0, raters=3, power=power)
        found = _simulate_system_power(plan.n, n)
        yield _make_power_row(f"two systems, {plan.n} images, paired t", plan.power, found, n)
    for power in (0.5, 0.8, 0.95):
        plan = plan_preference(share=0.6, power=power)
        found = _simulate_preference_power(plan.n, n)
        yield _make_power_row(f"two systems, {plan.n} choices, exact binomial", plan.power, found, n)


def _make_power_row(work: str, planned: float, found: float, n: int) -> Row:
    return Row(f"power as planned: {work}", planned, found, planned - 0.03, planned + 0.03, n)


def _simulate_system_power(n_images: int, n: int) -> float:
    """Return the power of a paired t test: three ratings (deviation 1) each, true difference .3 (deviation .8)."""
    from scipy.stats import ttest_1samp

    rng = np.random.default_rng([SEED, n_images])
    differences = 0.3 + 0.8 * rng.normal(size=(n, n_images))
    ratings = rng.normal(size=(2, n, n_images, 3)).mean(axis=3)
    return float((ttest_1samp(differences + ratings[0] - ratings[1], 0.0, axis=1).pvalue <= 0.05).mean())


def _simulate_preference_power(n_pairs: int, n: int) -> float:
    """Return the power of the exact binomial test at level .05 for a true share of .6."""
    from scipy.stats import binom

    wins = np.random.default_rng([SEED, n_pairs]).binomial(n_pairs, 0.6, size=n)
    further = np.maximum(wins, n_pairs - wins)
    return float((2 * binom.sf(further - 1, n_pairs, 0.5) <= 0.05).mean())


def run_calibration(n: int) -> Iterator[Row]:
    """Yield all rows."""
    yield from iterate_coverage(n)
    # Twice the simulations, because the accepted range is half as wide as for intervals.
    yield from iterate_rejections(2 * n)
    yield from iterate_power(2 * n)


def _find_truth(r: float) -> dict[str, float]:
    """Return the coefficients of a bivariate normal distribution with this Pearson's r."""
    return {"pearson": r, "spearman": 6 / pi * asin(r / 2), "kendall-b": 2 / pi * asin(r)}


def _correlate(rng: np.random.Generator, shape: tuple[int, ...], r: float) -> Floats:
    first, second = rng.normal(size=(2, *shape))
    return np.stack([first, r * first + sqrt(1 - r * r) * second])


def main() -> int:
    """Print the rows; return 1 if a share is outside of its range."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON list of rows")
    parser.add_argument("--simulations", type=int, default=1500, help="simulated studies for each row (default: 1500)")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} simulations, wider ranges")
    arguments = parser.parse_args()
    failed, records = 0, []
    for row in run_calibration(QUICK if arguments.quick else arguments.simulations):
        passes = row.passes(slack=N_ERRORS * row.error if arguments.quick else 0.0)
        failed += not passes
        records.append({**asdict(row), "error": row.error, "passes": passes})
        if not arguments.json:
            share = f"asked {row.asked:.3f} found {row.found:.4f} +- {row.error:.4f} in [{row.low:.2f}, {row.high:.2f}]"
            print(f"{row.work:84} {share} {'ok' if passes else 'FAILS'}", flush=True)
    if arguments.json:
        print(json.dumps(records, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
