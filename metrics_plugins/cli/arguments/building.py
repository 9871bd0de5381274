"""Build the metrics named on the command line with their parameters."""

from collections.abc import Sequence

from metrics_plugins.api import Fittable, Metric, MetricError
from metrics_plugins.cli.arguments.parameters import parse_params
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.runtime import Registry
from metrics_plugins.runtime.sandbox.catalog import describe_registration
from metrics_plugins.runtime.sessions import AskedMetric


def split_ids(metric_ids: str) -> list[str]:
    """Return the ids in a comma-separated list.

    Raises:
        UsageError: An id is empty or occurs twice.
    """
    ids = [metric_id.strip() for metric_id in metric_ids.split(",")]
    if not all(ids):
        raise UsageError(f"--metrics must be ids separated by commas, got {metric_ids!r}")
    repeated = sorted({metric_id for metric_id in ids if ids.count(metric_id) > 1})
    if repeated:
        raise UsageError(f"--metrics must name each metric once, got {', '.join(repeated)} more than once")
    return ids


def ask_metrics(registry: Registry, metric_ids: Sequence[str], *, params: Sequence[str]) -> list[AskedMetric]:
    """Return metrics with the parameters that were set.

    Raises:
        UsageError: A setting is invalid.
        UnknownMetric: The metric is unknown.
    """
    entries = [describe_registration(registry.get(metric_id)) for metric_id in metric_ids]
    parsed = parse_params(params, metric_ids=metric_ids, registry=registry)
    return [AskedMetric(entry, parsed[entry.info.id]) for entry in entries]


def build_metrics(
    registry: Registry, metric_ids: Sequence[str], *, params: Sequence[str], device: str
) -> list[Metric | Fittable]:
    """Return metrics of a registry, built with the parameters that were set.

    Raises:
        UsageError: A setting is invalid.
        MetricError: A metric is unknown or cannot be built.
    """
    metrics = []
    for asked in ask_metrics(registry, metric_ids, params=params):
        try:
            metrics.append(registry.build(asked.id, device=device, **asked.params))
        except MetricError:
            raise
        except Exception as error:
            raise MetricError(f"metric {asked.id!r} cannot be built: {type(error).__name__}: {error}") from error
    return metrics
