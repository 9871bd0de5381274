"""The plugin that registers Word Mover's Distance, and its word vectors."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl
from metrics_plugins.api.providers import Encoder


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return the metrics for candidates and for caption sets."""
    from metrics_plugins.metrics.word_movers.wmd import Wmd
    from metrics_plugins.metrics.word_movers.wmd_set import WmdSet

    return Wmd, WmdSet


@hookimpl
def provide_encoder(name: str) -> Encoder | None:
    """Return the word vectors named `glove`, or those of a file with the extension of a vector file."""
    from metrics_plugins.metrics.word_movers.vector_files import is_vector_file, read_vector_file
    from metrics_plugins.metrics.word_movers.vectors import load_glove

    if name == "glove":
        return load_glove()
    return read_vector_file(name) if is_vector_file(name) else None
