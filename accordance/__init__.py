"""Accordance for notebooks and terminals: load a metric, score captions, correlate scores with judgments.

Importing this package loads nothing else; a function is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accordance.comparing import Comparison, compare
    from accordance.correlating import Correlations, correlate
    from accordance.frames import score
    from accordance.loading import CheckReport, LoadedMetric, MetricResult, check, load
    from accordance.system_tables import SystemTable, compare_systems

    __version__: str

__all__ = [
    "CheckReport",
    "Comparison",
    "Correlations",
    "LoadedMetric",
    "MetricResult",
    "SystemTable",
    "__version__",
    "check",
    "compare",
    "compare_systems",
    "correlate",
    "load",
    "score",
]

_HOMES = {
    "CheckReport": "accordance.loading",
    "Comparison": "accordance.comparing",
    "Correlations": "accordance.correlating",
    "LoadedMetric": "accordance.loading",
    "MetricResult": "accordance.loading",
    "SystemTable": "accordance.system_tables",
    "check": "accordance.loading",
    "compare": "accordance.comparing",
    "compare_systems": "accordance.system_tables",
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
