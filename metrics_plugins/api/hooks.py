"""The hooks that a plugin implements, and the marker for implementations."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pluggy

from metrics_plugins.api.metric import Fittable, Metric
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.worlds import CaptionWorld

PROJECT = "accordance"
"""The pluggy project name and the entry-point group."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return the metric classes of this plugin; called once when a registry loads.

    Two classes with the same id are refused, even from different plugins.
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def provide_tokenizer(name: str) -> Tokenizer | None:
    """Return the tokeniser of this name, or None if this plugin does not provide it.

    Called when a metric that uses a tokeniser is built. The first result that is not None is used; plugins loaded later
    are called first.
    """


@hookspec(firstresult=True)
def provide_encoder(name: str, device: str) -> Encoder | None:
    """Return the encoder of this name on this device, or None if this plugin does not provide it.

    Called when a metric that uses an encoder is built. The first result that is not None is used; plugins loaded later
    are called first.
    """


@hookspec(firstresult=True)
def provide_worlds(path: Path) -> Mapping[str, CaptionWorld] | None:
    """Return the worlds of a file by the ids of their images, or None if this plugin does not read such files.

    Called when captions are scored with a file of worlds. The first result that is not None is used; plugins loaded
    later are called first. A file of the right kind that breaks a rule is an error (`MetricError`).
    """
