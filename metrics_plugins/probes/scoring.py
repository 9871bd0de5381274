"""The checking, fitting and running of metrics for probes."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricError
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.runtime import MetricRun, fit_metric, run_metric

AnyMetric: TypeAlias = Metric | Fittable

READABLE: Final = frozenset({Input.CANDIDATE, Input.REFERENCES, Input.IMAGE_KEY})
"""The columns that probes of captions have."""


def check_metrics(metrics: Iterable[AnyMetric], *, readable: frozenset[Input] = READABLE) -> tuple[AnyMetric, ...]:
    """Return the metrics if each can score captions from the columns that the probe has (`readable`).

    A metric that needs a corpus or judgments must be fitted already.

    Raises:
        ProbeError: There are no metrics, one is duplicate, or one cannot; the message names it.
    """
    checked = tuple(metrics)
    if not checked:
        raise ProbeError("a probe needs at least one metric, got none")
    ids = [metric.info.id for metric in checked]
    for metric in checked:
        info = metric.info
        if ids.count(info.id) > 1:
            raise ProbeError(f"metric {info.id!r} must be given once, got it {ids.count(info.id)} times")
        if info.level is not Level.SEGMENT:
            raise ProbeError(f"metric {info.id!r} gives one score for each {info.level}, and a probe scores segments")
        unreadable = sorted(info.inputs - readable)
        if unreadable:
            known = ", ".join(sorted(readable))
            raise ProbeError(f"metric {info.id!r} reads {', '.join(unreadable)}, and this probe has only {known}")
        if isinstance(metric, Fittable) and info.fits_on is not FitsOn.REFERENCES:
            raise ProbeError(f"metric {info.id!r} learns from {info.fits_on}: fit it first, then probe what that gave")
    return checked


def fit_on_references(metrics: Sequence[AnyMetric], batch: Batch, *, rng: np.random.Generator) -> tuple[Metric, ...]:
    """Return metrics that can score; those that need fitting are fitted on the references of the batch."""
    return tuple(fit_metric(metric, batch, rng=rng) if isinstance(metric, Fittable) else metric for metric in metrics)


def run_checked(metric: AnyMetric, batch: Batch, *, rng: np.random.Generator) -> MetricRun:
    """Score a batch; any exception of a metric is converted to a `MetricError` that names the metric."""
    try:
        return run_metric(metric, batch, rng=rng)
    except MetricError:
        raise
    except Exception as error:
        raise MetricError(f"metric {metric.info.id!r} fails: {type(error).__name__}: {error}") from error
