"""The plugin that registers METEOR 1.5."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return METEOR 1.5."""
    from metrics_plugins.metrics.meteor.meteor import Meteor

    return (Meteor,)
