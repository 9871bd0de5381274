"""What cannot be probed."""

from metrics_plugins.api import MetricError


class ProbeError(MetricError):
    """A metric or captions break a rule of a probe; the message names it and what came."""
