"""A plugin with a misspelled hook."""

from metrics_plugins.api import hookimpl


@hookimpl
def registers_metrics() -> tuple[type, ...]:
    """Would offer metrics, if anyone called it."""
    return ()
