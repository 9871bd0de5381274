"""Running metrics: the plugin registry, fitting and scoring, sandboxes, file parameters and peak memory."""

from metrics_plugins.runtime.cross_fitting import CrossFitted, cross_fit_metric, fit_on_judgments
from metrics_plugins.runtime.file_roots import ANYWHERE, FileRoots, PathRefused
from metrics_plugins.runtime.loading import load_registry
from metrics_plugins.runtime.registry import RefusedPlugin, RegisteredMetric, Registry
from metrics_plugins.runtime.running import MetricRun, fit_metric, run_metric

__all__ = [
    "ANYWHERE",
    "CrossFitted",
    "FileRoots",
    "MetricRun",
    "PathRefused",
    "RefusedPlugin",
    "RegisteredMetric",
    "Registry",
    "cross_fit_metric",
    "fit_metric",
    "fit_on_judgments",
    "load_registry",
    "run_metric",
]
