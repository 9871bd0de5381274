"""The hooks that a plugin implements, and the marker to implement them with."""

from collections.abc import Iterable

import pluggy

from metrics_plugins.api.metric import Fittable, Metric
from metrics_plugins.api.providers import Encoder, Tokenizer

PROJECT = "accordance"
"""The pluggy project name and the entry-point group."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Called once while a registry loads; return the metric classes of this plugin.

    Two classes with one id are refused, whichever plugins they come from.
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def provide_tokenizer(name: str) -> Tokenizer | None:
    """Called when a metric is built that wants a tokeniser; return it, or None for a name that is not yours.

    The first plugin that answers wins; plugins loaded later are asked first.
    """


@hookspec(firstresult=True)
def provide_encoder(name: str, device: str) -> Encoder | None:
    """Called when a metric is built that wants an encoder; return it on that device, or None for a foreign name.

    The first plugin that answers wins; plugins loaded later are asked first.
    """
