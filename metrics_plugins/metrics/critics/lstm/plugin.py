"""The critics that learn to tell human captions from others."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return the critic on an LSTM."""
    from metrics_plugins.metrics.critics.lstm.metric import CriticLstm

    return (CriticLstm,)
