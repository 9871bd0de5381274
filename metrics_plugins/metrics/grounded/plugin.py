"""The plugin of the GTD metrics."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return the metrics of captions about worlds."""
    from metrics_plugins.metrics.grounded.gtd import GtdDiversity, GtdGrammatical, GtdTruthful

    return (GtdGrammatical, GtdTruthful, GtdDiversity)
