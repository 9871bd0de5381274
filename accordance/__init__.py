"""Accordance for notebooks and terminals: load a metric, score captions, correlate scores with judgments.

Importing this package loads nothing else; a function is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accordance.correlating import Correlations, correlate
    from accordance.frames import score
    from accordance.loading import LoadedMetric, MetricResult, load

    __version__: str

__all__ = ["Correlations", "LoadedMetric", "MetricResult", "__version__", "correlate", "load", "score"]

_HOMES = {
    "Correlations": "accordance.correlating",
    "LoadedMetric": "accordance.loading",
    "MetricResult": "accordance.loading",
    "correlate": "accordance.correlating",
    "load": "accordance.loading",
    "score": "accordance.frames",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("accordance")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
