"""Metrics made ready for a probe, and run."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricError
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.runtime import MetricRun, fit_metric, run_metric

AnyMetric: TypeAlias = Metric | Fittable

_READABLE = frozenset({Input.CANDIDATE, Input.REFERENCES, Input.IMAGE_KEY})


def check_metrics(metrics: Iterable[AnyMetric]) -> tuple[AnyMetric, ...]:
    """Return the metrics if each can score a caption against references.

    A metric that learns from a corpus or from judgments must be fitted already.

    Raises:
        ProbeError: There is no metric, one stands twice, or one cannot; the message names it.
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
        unreadable = sorted(info.inputs - _READABLE)
        if unreadable:
            raise ProbeError(f"metric {info.id!r} reads {', '.join(unreadable)}, and a probe has only captions")
        if isinstance(metric, Fittable) and info.fits_on is not FitsOn.REFERENCES:
            raise ProbeError(f"metric {info.id!r} learns from {info.fits_on}: fit it first, then probe what that gave")
    return checked


def fit_on_references(metrics: Sequence[AnyMetric], batch: Batch, *, rng: np.random.Generator) -> tuple[Metric, ...]:
    """Return the metrics ready to score; those to be fitted have learned from the references of the batch."""
    return tuple(fit_metric(metric, batch, rng=rng) if isinstance(metric, Fittable) else metric for metric in metrics)


def run_checked(metric: AnyMetric, batch: Batch, *, rng: np.random.Generator) -> MetricRun:
    """Score a batch; whatever a metric raises becomes a `MetricError` that names it."""
    try:
        return run_metric(metric, batch, rng=rng)
    except MetricError:
        raise
    except Exception as error:
        raise MetricError(f"metric {metric.info.id!r} fails: {type(error).__name__}: {error}") from error
