"""The plugin that registers `critic-reference`."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return `critic-reference`."""
    from metrics_plugins.metrics.critics.reference.metric import CriticReference

    return (CriticReference,)
