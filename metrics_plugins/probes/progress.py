"""How a probe tells how far it is: as all long work on metrics does."""

from metrics_plugins.api.progress import Track, pass_on

__all__ = ["Track", "pass_on"]
