"""The metric contract: everything that the author of a plugin imports."""

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.card import MetricCard, Publication, Weakness
from metrics_plugins.api.errors import MetricError
from metrics_plugins.api.hooks import hookimpl
from metrics_plugins.api.info import FitsOn, Input, Level, MetricInfo
from metrics_plugins.api.metric import BuildContext, DecomposableMetric, Fittable, Metric
from metrics_plugins.api.parameters import parameter
from metrics_plugins.api.resources import Resource
from metrics_plugins.api.scores import Scores

__all__ = [
    "Batch",
    "BuildContext",
    "DecomposableMetric",
    "FitsOn",
    "Fittable",
    "Input",
    "Level",
    "Metric",
    "MetricCard",
    "MetricError",
    "MetricInfo",
    "Publication",
    "Resource",
    "Scores",
    "Weakness",
    "hookimpl",
    "parameter",
]
