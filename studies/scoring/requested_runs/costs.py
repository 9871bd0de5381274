"""Estimates the computing time of runs, from earlier runs and from the measured speed of bundled metrics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q, Sum

from correlation.errors import CorrelationInputError
from metrics_plugins.api import Level
from metrics_plugins.runtime.rates import find_rate
from metrics_plugins.runtime.sandbox import CatalogEntry
from studies.models import Candidate, CaptionSet, RequestedMetric, Run, Study
from studies.scoring.plugins.installed import name_family
from studies.scoring.run_lists import list_runs
from studies.scoring.study_scoring import plan_inputs

_PRIOR_ROWS: Final = 1000
"""How many rows of earlier runs count as much as the measured speed.

Loading takes most of the time of runs with fewer rows: they tell how long it takes, and nothing of the speed.
"""
_FEWEST_ROWS: Final = 100
"""Earlier runs of fewer rows say nothing of a metric whose speed was not measured."""
_FACTOR: Final = 3.0
_LEAST_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class _Earlier:
    """The sums over the earlier runs of a metric: those of the long ones, and those of the `n_short` short ones."""

    seconds: float = 0.0
    rows: int = 0
    short_seconds: float = 0.0
    short_rows: int = 0
    n_short: int = 0


@dataclass(frozen=True, slots=True)
class Overrun:
    """A run whose metrics took much longer than estimated: the sums over all metrics with an estimate, in seconds.

    `slowest` is the metric that took longest beyond its estimate, with both times.
    """

    estimated: float
    seconds: float
    slowest: RequestedMetric

    @property
    def factor(self) -> float:
        """How many times the estimate it took; at least 1 second counts as estimated."""
        return self.seconds / max(self.estimated, 1.0)


@dataclass(frozen=True, slots=True)
class MetricCost:
    """The estimated computing time of a metric, in seconds on one processor.

    Attributes:
        rows: For all rows.
        loading: For imports and models before the first row, which metrics of a family share in a run.
        family: The name of the family.
    """

    rows: float
    loading: float
    family: str

    @property
    def alone(self) -> float:
        """The time in a run of this metric only."""
        return self.rows + self.loading


def estimate_costs(study: Study, entries: Iterable[CatalogEntry], *, protocol: str = "") -> dict[str, MetricCost]:
    """Return the estimated computing time of metrics on the inputs of a study.

    The time of a metric is a fixed one, for loading, and one for each row. The fixed one is the measured one of bundled
    metrics, or the mean of what short earlier runs took beyond their rows if that is longer: it is shorter where
    another metric of the run had loaded the same before. Metrics of unknown speed are left out. Inputs that a metric
    has scored with any parameters cost nothing. Times do not include starting processes, and are for the number of
    references of the measurement or of earlier runs.

    Args:
        entries: The metrics.
        protocol: As in `plan_inputs`.

    Raises:
        CorrelationInputError: The protocol cannot be read.
    """
    metrics = list(entries)
    inputs = plan_inputs(study, protocol=protocol)
    n_rows = {level: _count_rows(study, level) for level in {level for level, _ in inputs}}
    earlier = _sum_earlier([each.info.id for each in metrics])
    costs = {}
    for each in metrics:
        found = earlier.get(each.info.id, _Earlier())
        rate = _find_seconds_per_row(each, found)
        if rate is not None and each.info.level in n_rows:
            n_inputs = sum(level is each.info.level for level, _ in inputs)
            cost = MetricCost(rate * n_rows[each.info.level], _find_loading(each, found, rate), name_family(each))
            costs[each.info.id] = (n_inputs, cost)
    scored = _count_scored_inputs(study, n_rows.values())
    return {
        name: _multiply(cost, n_inputs=max(n_inputs - scored.get(name, 0), 0))
        for name, (n_inputs, cost) in costs.items()
    }


def spread_loading(costs: Mapping[str, MetricCost]) -> dict[str, float]:
    """Return the time of each metric in a run of all of them: the first of a family loads for the others.

    >>> spread_loading({"b": MetricCost(1.0, 4.0, "x"), "a": MetricCost(2.0, 3.0, "x"), "c": MetricCost(5.0, 0.5, "y")})
    {'a': 6.0, 'b': 1.0, 'c': 5.5}
    """
    longest: dict[str, float] = {}
    for cost in costs.values():
        longest[cost.family] = max(cost.loading, longest.get(cost.family, 0.0))
    return {name: cost.rows + longest.pop(cost.family, 0.0) for name, cost in sorted(costs.items())}


def list_costs(study: Study, entries: Iterable[CatalogEntry]) -> dict[str, MetricCost]:
    """Return the estimates for all inputs of a study; none if a protocol cannot be read, which a run then says."""
    try:
        return estimate_costs(study, entries)
    except CorrelationInputError:
        return {}


def find_overrun(metrics: Sequence[RequestedMetric]) -> Overrun | None:
    """Return by how much a run exceeded its estimate; None below three times the estimate or one minute more."""
    known = [each for each in metrics if each.estimated_seconds is not None]
    estimated, seconds = (sum(getattr(each, name) for each in known) for name in ("estimated_seconds", "seconds"))
    if seconds < max(_FACTOR * estimated, estimated + _LEAST_SECONDS):
        return None
    return Overrun(estimated, seconds, slowest=max(known, key=lambda each: each.seconds - each.estimated_seconds))


def _find_seconds_per_row(entry: CatalogEntry, earlier: _Earlier) -> float | None:
    if rate := find_rate(entry.info) if entry.bundled else None:
        return (earlier.seconds + _PRIOR_ROWS * rate.seconds / rate.items) / (earlier.rows + _PRIOR_ROWS)
    if earlier.rows:
        return earlier.seconds / earlier.rows
    return earlier.short_seconds / earlier.short_rows if earlier.short_rows >= _FEWEST_ROWS else None


def _find_loading(entry: CatalogEntry, earlier: _Earlier, rate: float) -> float:
    """Return the measured start-up, or the mean time that short runs took beyond their rows if that is longer."""
    measured = find_rate(entry.info) if entry.bundled else None
    startup = measured.startup if measured else 0.0
    if not earlier.n_short:
        return startup
    return max(startup, (earlier.short_seconds - rate * earlier.short_rows) / earlier.n_short)


def _multiply(cost: MetricCost, *, n_inputs: int) -> MetricCost:
    return MetricCost(cost.rows * n_inputs, cost.loading if n_inputs else 0.0, cost.family)


def _sum_earlier(metrics: Sequence[str]) -> dict[str, _Earlier]:
    """Return the sums over all finished runs by metric; those of a GPU say nothing of a background worker."""
    runs = Run.objects.filter(metric__in=metrics, finished_at__isnull=False, seconds__gt=0, device="cpu").order_by()
    is_long, is_short = Q(n_rows__gte=_PRIOR_ROWS), Q(n_rows__lt=_PRIOR_ROWS)
    sums = runs.values_list("metric").annotate(
        long_seconds=Sum("seconds", filter=is_long, default=0.0),
        long_rows=Sum("n_rows", filter=is_long, default=0),
        short_seconds=Sum("seconds", filter=is_short, default=0.0),
        short_rows=Sum("n_rows", filter=is_short, default=0),
        n_short=Count("pk", filter=is_short),
    )
    return {metric: _Earlier(*found) for metric, *found in sums}


def _count_scored_inputs(study: Study, sizes: Iterable[int]) -> dict[str, int]:
    # The digests of the inputs are not known before the rows are built.
    runs = list_runs(study.dataset).filter(finished_at__isnull=False, n_rows__in=list(sizes)).order_by()
    return dict(runs.values_list("metric").annotate(Count("input_digest", distinct=True)))


def _count_rows(study: Study, level: Level) -> int:
    if level is Level.SET:
        return CaptionSet.objects.filter(image__dataset=study.dataset).count()
    return Candidate.objects.filter(dataset=study.dataset).count()
