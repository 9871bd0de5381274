"""Estimates the computing time of runs, from earlier runs and from the measured speed of bundled metrics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Sum

from correlation.errors import CorrelationInputError
from metrics_plugins.api import Level
from metrics_plugins.runtime.rates import find_rate
from metrics_plugins.runtime.sandbox import CatalogEntry
from studies.models import Candidate, CaptionSet, RequestedMetric, Run, Study
from studies.scoring.run_lists import list_runs
from studies.scoring.study_scoring import plan_inputs

_PRIOR_ROWS: Final = 1000
"""How many rows of earlier runs count as much as the measured speed: loading takes most of the time of short runs."""
_FEWEST_ROWS: Final = 100
"""Earlier runs of fewer rows say nothing of a metric whose speed was not measured."""
_FACTOR: Final = 3.0
_LEAST_SECONDS: Final = 60.0


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


def estimate_costs(study: Study, entries: Iterable[CatalogEntry], *, protocol: str = "") -> dict[str, float]:
    """Return the estimated computing time of metrics on the inputs of a study, in seconds on one processor.

    Metrics of unknown speed are left out. Inputs that a metric has scored with any parameters cost nothing. Times do
    not include starting processes, and are for the number of references of the measurement or of earlier runs.

    Args:
        study: The study.
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
        rate = _find_seconds_per_row(each, earlier)
        if rate is not None and each.info.level in n_rows:
            n_inputs = sum(level is each.info.level for level, _ in inputs)
            costs[each.info.id] = (n_inputs, rate * n_rows[each.info.level])
    scored = _count_scored_inputs(study, n_rows.values())
    return {name: max(n_inputs - scored.get(name, 0), 0) * seconds for name, (n_inputs, seconds) in costs.items()}


def list_costs(study: Study, entries: Iterable[CatalogEntry]) -> dict[str, float]:
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


def _find_seconds_per_row(entry: CatalogEntry, earlier: Mapping[str, tuple[float, int]]) -> float | None:
    seconds, rows = earlier.get(entry.info.id, (0.0, 0))
    if rate := find_rate(entry.info) if entry.bundled else None:
        return (seconds + _PRIOR_ROWS * rate.seconds / rate.items) / (rows + _PRIOR_ROWS)
    return seconds / rows if rows >= _FEWEST_ROWS else None


def _sum_earlier(metrics: Sequence[str]) -> dict[str, tuple[float, int]]:
    """Return seconds and rows of all finished runs by metric; those of a GPU say nothing of a background worker."""
    runs = Run.objects.filter(metric__in=metrics, finished_at__isnull=False, seconds__gt=0, device="cpu").order_by()
    sums = runs.values_list("metric").annotate(Sum("seconds"), Sum("n_rows"))
    return {metric: (seconds, rows) for metric, seconds, rows in sums}


def _count_scored_inputs(study: Study, sizes: Iterable[int]) -> dict[str, int]:
    # The digests of the inputs are not known before the rows are built.
    runs = list_runs(study.dataset).filter(finished_at__isnull=False, n_rows__in=list(sizes)).order_by()
    return dict(runs.values_list("metric").annotate(Count("input_digest", distinct=True)))


def _count_rows(study: Study, level: Level) -> int:
    if level is Level.SET:
        return CaptionSet.objects.filter(image__dataset=study.dataset).count()
    return Candidate.objects.filter(dataset=study.dataset).count()
