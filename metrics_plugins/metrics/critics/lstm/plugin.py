"""The plugin that registers `critic-lstm`."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return `critic-lstm`."""
    from metrics_plugins.metrics.critics.lstm.metric import CriticLstm

    return (CriticLstm,)
