"""Values of many metrics in all bootstrap resamples, computed in one or several processes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.observations import prepare_observations
from correlation.resampling.counts import BootstrapPlan, plan_bootstrap
from correlation.resampling.estimators import build_units
from correlation.resampling.intervals import IntervalRequest
from correlation.resampling.joint import JointRows, arrange_jointly
from correlation.resampling.parallel import run_tasks
from correlation.validation import FloatArray

# Maximal number of counts drawn at once for one axis, and thus of resamples in a task.
COUNTS_AT_ONCE = 4_000_000
MOST_RESAMPLES_A_TASK = 40


@dataclass(frozen=True, slots=True)
class _JointResamples:
    """Resamples of arranged rows; a task is a range of them."""

    rows: JointRows
    plan: BootstrapPlan
    sizes: Mapping[str, int]

    def prepare(self) -> Callable[[range], FloatArray]:
        estimate = self.rows.prepare()

        def run(resamples: range) -> FloatArray:
            start, stop = resamples.start, resamples.stop
            return estimate(
                {axis: self.plan.draw_counts(axis, self.sizes[axis], start=start, stop=stop) for axis in self.plan.axes}
            )

        return run


def resample_jointly(
    scores: Mapping[str, FloatArray],
    judgments: FloatArray,
    *,
    coefficient: str,
    interval: IntervalRequest,
    rng: np.random.Generator | None,
    groups: ArrayLike | None,
    systems: ArrayLike | None,
    raters: ArrayLike | None,
    processes: int = 1,
) -> dict[str, FloatArray]:
    """Return the item-level value of each metric in each resample, shape (n_resamples,), NaN where undefined.

    Metrics with scores for the same rows are resampled together; metrics for which this is not faster are left out (see
    `arrange_jointly`). `rng` is used as in `compute_interval`, so the resamples are the same as for each metric
    separately.

    Raises
    ------
    CorrelationInputError
        `rng` is missing, or the keys of an axis to resample are missing.
    """
    if rng is None:
        raise CorrelationInputError(f"`rng` is needed by method {interval.method!r}, got None")
    plan = plan_bootstrap(interval.resampled, n_resamples=interval.n_resamples, rng=rng)
    samples: dict[str, FloatArray] = {}
    for names in _share_rows(scores):
        table = np.stack([scores[name] for name in names])
        rows, complete = prepare_observations(table[0], judgments, level="item", groups=groups, systems=systems)
        units = build_units(rows, complete, groups=groups, systems=systems, raters=raters)
        for axis in plan.axes:
            if axis not in units.codes:
                raise CorrelationInputError(f"`{axis}` are to be resampled, but no such keys were given")
        kept = table if complete.all() else table[:, complete]
        arranged = arrange_jointly(coefficient, kept, rows.y, units)
        if arranged is not None:
            work = _JointResamples(arranged, plan, {axis: units.sizes[axis] for axis in plan.axes})
            values = np.concatenate([*run_tasks(work, _split(plan, work.sizes), processes=processes)], axis=1)
            samples |= dict(zip(names, values, strict=True))
    return samples


def _share_rows(columns: Mapping[str, FloatArray]) -> list[list[str]]:
    """Group the names of metrics that have scores for the same rows."""
    shared: dict[bytes, list[str]] = {}
    for name, column in columns.items():
        shared.setdefault(np.packbits(np.isnan(column)).tobytes(), []).append(name)
    return list(shared.values())


def _split(plan: BootstrapPlan, sizes: Mapping[str, int]) -> Sequence[range]:
    step = min(MOST_RESAMPLES_A_TASK, max(1, COUNTS_AT_ONCE // max(sizes.values())))
    return [range(start, min(start + step, plan.n_resamples)) for start in range(0, plan.n_resamples, step)]
