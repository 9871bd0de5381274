"""The error of the probes."""

from metrics_plugins.api import MetricError


class ProbeError(MetricError):
    """A metric or a caption violates a rule of a probe; the message states the rule and the value."""
