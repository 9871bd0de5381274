"""Prepare metrics for a table in parts, and refuse those that need all rows at once."""

from collections.abc import Sequence
from typing import Final

from metrics_plugins.api import DecomposableMetric, FitsOn, Input, Level, Metric, MetricError
from metrics_plugins.api.metric import StreamFittable
from metrics_plugins.runtime.preparing import PreparedMetric
from metrics_plugins.runtime.sessions import AskedMetric, TrustedSession, naming_metric

_READABLE: Final = frozenset({Input.CANDIDATE, Input.REFERENCES, Input.IMAGE_KEY})


def prepare_metrics(
    session: TrustedSession, metrics: Sequence[AskedMetric], *, has_references: bool, has_corpus: bool
) -> dict[str, PreparedMetric]:
    """Build metrics.

    Raises:
        MetricError: A metric cannot be built, lacks an input, or cannot score a table in parts.
    """
    for each in metrics:
        with naming_metric(each.id, what="cannot be built"):
            session.prepare(each)
        _check_metric(session.prepared[each.id], has_references=has_references, has_corpus=has_corpus)
    return session.prepared


def fit_metrics(session: TrustedSession, metrics: Sequence[AskedMetric]) -> dict[str, Metric]:
    """Return metrics that are ready to score.

    Raises:
        MetricError: A metric cannot be fitted, or computes the score of all rows in a way of its own.
    """
    ready = {}
    for each in metrics:
        with naming_metric(each.id, what="fails"):
            session.fit(each.id)
        ready[each.id] = session.prepared[each.id].ready
        _check_summary(ready[each.id])
    return ready


def _check_metric(prepared: PreparedMetric, *, has_references: bool, has_corpus: bool) -> None:
    """Raise `MetricError` if a metric cannot score a table in parts."""
    built = prepared.built
    info, name, learns_from = built.info, f"metric {built.info.id!r}", prepared.learns_from
    if info.level is not Level.SEGMENT or Input.CAPTION_SET in info.inputs:
        raise MetricError(f"{name} has no score of single captions: score it from files, with --out")
    unknown = sorted(info.inputs - _READABLE)
    if unknown:
        raise MetricError(f"{name} needs {', '.join(unknown)}, which a table of captions does not have")
    if learns_from is FitsOn.JUDGMENTS:
        raise MetricError(f"{name} learns from judgments: train it with `fit`, and pass the folder as its parameter")
    if learns_from is FitsOn.CAPTIONS and not has_corpus:
        raise MetricError(f"{name} learns from captions: pass --corpus")
    if (Input.REFERENCES in info.inputs or learns_from is FitsOn.REFERENCES) and not has_references:
        raise MetricError(f"{name} needs references: pass --references")
    if learns_from is FitsOn.REFERENCES and not isinstance(built, StreamFittable):
        raise MetricError(f"{name} learns from all references at once, and so cannot score a table in parts")


def _check_summary(metric: Metric) -> None:
    """Raise `MetricError` if the score of all rows cannot be computed from parts."""
    is_decomposable = isinstance(metric, DecomposableMetric)
    base, method = (DecomposableMetric, "reduce_corpus") if is_decomposable else (Metric, "summarize")
    if getattr(type(metric), method) is not getattr(base, method):
        raise MetricError(
            f"metric {metric.info.id!r} computes the score of all rows by its own `{method}`, which needs all at once"
        )
