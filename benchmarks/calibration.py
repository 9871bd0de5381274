"""Do intervals cover and do tests reject as often as they say? Simulated studies with a known truth.

Run `python -m benchmarks.calibration [--json] [--simulations N]`; the seed is fixed. Each row names the work, the share
asked for, the share found, and the range that the project accepts for it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from correlation.comparison import ComparisonRequest, compare_metrics
from correlation.correlate import correlate
from correlation.intervals import IntervalRequest
from correlation.planning import plan_metric_difference

Floats = NDArray[np.float64]
SEED = 20_260_101
N_IMAGES, PER_IMAGE, N_RATERS = 150, 4, 12
N_RESAMPLES = 400


@dataclass(frozen=True, slots=True)
class Row:
    """One share: asked for, found in so many simulations, and the accepted range."""

    work: str
    asked: float
    found: float
    low: float
    high: float
    simulations: int

    @property
    def passes(self) -> bool:
        return self.low <= self.found <= self.high


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """One simulated study: scores, judgments, images and raters of each row, and the true correlation."""

    scores: Floats
    judgments: Floats
    images: NDArray[np.int64]
    raters: NDArray[np.int64]
    truth: float


def simulate_images(rng: np.random.Generator) -> Study:
    """Rows in images: effects of the image (60 % of the variance) correlate .5, what is left correlates .3."""
    shared = _correlate(rng, (N_IMAGES, 1), 0.5) * sqrt(0.6)
    own = _correlate(rng, (N_IMAGES, PER_IMAGE), 0.3) * sqrt(0.4)
    x, y = (shared + own).reshape(2, -1)
    images = np.repeat(np.arange(N_IMAGES), PER_IMAGE)
    return Study(x, y, images, np.tile(np.arange(PER_IMAGE), N_IMAGES), 0.6 * 0.5 + 0.4 * 0.3)


def simulate_raters(rng: np.random.Generator) -> Study:
    """Every rater judges every image, with an own shift (deviation .5), an own slope (1 +- .5) and noise (1)."""
    quality = rng.normal(size=N_IMAGES)
    scores = quality + rng.normal(size=N_IMAGES)
    slope, shift = 1 + 0.5 * rng.normal(size=N_RATERS), 0.5 * rng.normal(size=N_RATERS)
    judgments = quality[:, None] * slope + shift + rng.normal(size=(N_IMAGES, N_RATERS))
    images, raters = (axis.reshape(-1) for axis in np.indices((N_IMAGES, N_RATERS)))
    # Variances 2 and 1.25 + .25 + 1, covariance 1.
    return Study(np.repeat(scores, N_RATERS), judgments.reshape(-1), images, raters, 1 / sqrt(2 * 2.5))


def measure_coverage(simulate: Callable[[np.random.Generator], Study], request: IntervalRequest, n: int) -> float:
    """Share of simulated studies whose interval for Pearson holds the truth."""
    covered = 0
    for number in range(n):
        rng = np.random.default_rng([SEED, number])
        study = simulate(rng)
        result = correlate(
            study.scores,
            study.judgments,
            level="item",
            coefficient="pearson",
            groups=study.images,
            raters=study.raters,
            interval=request,
            rng=rng,
        )
        covered += result.low is not None and result.high is not None and result.low <= study.truth <= result.high
    return covered / n


def measure_rejections(request: ComparisonRequest, n: int, *, noise: tuple[float, float], n_items: int) -> float:
    """Share of simulated studies in which two metrics, the truth plus noise of these deviations, are told apart."""
    rejected = 0
    for number in range(n):
        rng = np.random.default_rng([SEED, number])
        quality = rng.normal(size=n_items)
        judgments = quality + rng.normal(size=n_items)
        scores = {
            name: quality + deviation * rng.normal(size=n_items) for name, deviation in zip("ab", noise, strict=True)
        }
        table = compare_metrics(
            scores,
            judgments,
            level="item",
            coefficient="pearson",
            groups=np.arange(n_items),
            request=request,
            rng=rng,
        )
        rejected += table.differences[0].p_value <= 0.05
    return rejected / n


def run_calibration(n: int) -> list[Row]:
    """All rows. What is naive on purpose has no upper demand but to fall short."""
    rows = []
    for name, simulate, method, axes, low, high in (
        ("rows in images, rows resampled (naive)", simulate_images, "percentile", ("rows",), 0.0, 0.93),
        ("rows in images, images resampled", simulate_images, "percentile", ("images",), 0.93, 0.97),
        ("rows in images, images resampled, BCa", simulate_images, "bca", ("images",), 0.93, 0.97),
        ("crossed raters, rows resampled (naive)", simulate_raters, "percentile", ("rows",), 0.0, 0.93),
        ("crossed raters, images resampled only", simulate_raters, "percentile", ("images",), 0.0, 0.93),
        ("crossed raters, images x raters", simulate_raters, "percentile", ("images", "raters"), 0.93, 0.97),
    ):
        request = IntervalRequest(method, axes, n_resamples=N_RESAMPLES)
        rows.append(Row(f"coverage: {name}", 0.95, measure_coverage(simulate, request, n), low, high, n))
    # 399 permutations: (c + 1) / 400 <= .05 for exactly one twentieth of the ranks.
    for comparison in (
        ComparisonRequest("perm-both", n_resamples=399),
        ComparisonRequest("perm-input", n_resamples=399),
        ComparisonRequest("bootstrap", ("images",), 399),
        ComparisonRequest("williams"),
    ):
        # Twice the simulations: the accepted range is half as wide as that of the intervals.
        found = measure_rejections(comparison, 2 * n, noise=(1.0, 1.0), n_items=100)
        rows.append(Row(f"rejections under the null: {comparison.test}", 0.05, found, 0.04, 0.06, 2 * n))
    rows.append(_measure_planned_power(n))
    return rows


def _measure_planned_power(n: int) -> Row:
    """Metrics with noise .8 and 1.2: correlations with judgments and with each other follow from the variances."""
    a, b = (1 + 0.8**2), (1 + 1.2**2)
    plan = plan_metric_difference(first=1 / sqrt(2 * a), second=1 / sqrt(2 * b), between=1 / sqrt(a * b))
    found = measure_rejections(ComparisonRequest("williams"), n, noise=(0.8, 1.2), n_items=plan.n)
    return Row(f"power with the {plan.n} items planned: williams", plan.power, found, 0.77, 0.83, n)


def _correlate(rng: np.random.Generator, shape: tuple[int, ...], r: float) -> Floats:
    first, second = rng.normal(size=(2, *shape))
    return np.stack([first, r * first + sqrt(1 - r * r) * second])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON list of rows")
    parser.add_argument("--simulations", type=int, default=2000, help="simulated studies for each row")
    arguments = parser.parse_args()
    rows = run_calibration(arguments.simulations)
    if arguments.json:
        print(json.dumps([{**asdict(row), "passes": row.passes} for row in rows]))
        return
    for row in rows:
        verdict = "ok" if row.passes else "FAILS"
        print(f"{row.work:60} asked {row.asked:.3f} found {row.found:.4f} in [{row.low:.2f}, {row.high:.2f}] {verdict}")


if __name__ == "__main__":
    main()
