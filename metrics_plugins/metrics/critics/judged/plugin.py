"""The plugin that registers `critic-judgments`."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return `critic-judgments`."""
    from metrics_plugins.metrics.critics.judged.metric import CriticJudgments

    return (CriticJudgments,)
