"""The plugin that registers SPICE, its parts by kind of tuple, SPICE-U and uniqueness."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return SPICE, its parts, SPICE-U and uniqueness."""
    from metrics_plugins.metrics.scene_graph import spice, uniqueness

    return (
        spice.Spice,
        spice.SpiceObject,
        spice.SpiceAttribute,
        spice.SpiceRelation,
        spice.SpiceColor,
        spice.SpiceCardinality,
        spice.SpiceSize,
        uniqueness.SpiceU,
        uniqueness.Uniqueness,
    )
