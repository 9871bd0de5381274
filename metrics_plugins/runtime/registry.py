"""The registry of loaded plugins, which provides metrics, tokenisers and encoders."""

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pluggy

from metrics_plugins.api.errors import MetricError, UnknownEncoder, UnknownMetric, UnknownTokenizer
from metrics_plugins.api.info import MetricInfo
from metrics_plugins.api.metric import Fittable, Metric
from metrics_plugins.api.paths import list_path_kinds
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.worlds import CaptionWorld
from metrics_plugins.runtime.file_roots import ANYWHERE, FileRoots
from metrics_plugins.runtime.printing import printing_to_stderr

MetricClass = type[Metric] | type[Fittable]


@dataclass(frozen=True, slots=True)
class RegisteredMetric:
    """A metric class and its origin.

    Attributes:
        metric_class: The class on which `build` is called.
        plugin: The name of the entry point or of the plugin module.
        distribution: The installed package with its version, "" for a plugin passed as an argument.
        plugin_module: The module that an interpreter imports to load the plugin.
    """

    metric_class: MetricClass
    plugin: str
    distribution: str
    plugin_module: str = ""

    @property
    def info(self) -> MetricInfo:
        return self.metric_class.info

    @property
    def module(self) -> str:
        return self.metric_class.__module__

    @property
    def is_single_file(self) -> bool:
        """Whether the plugin is a file that is not installed."""
        return not self.distribution and self.plugin.endswith(".py")


@dataclass(frozen=True, slots=True)
class RefusedPlugin:
    """An installed plugin that cannot be used, with the reason; the registry contains nothing from it.

    `sources` are its files, if they are known.
    """

    plugin: str
    distribution: str
    reason: str
    sources: tuple[Path, ...] = ()

    def may_define(self, name: str) -> bool:
        """Return whether this plugin seems to define a metric or captioner: its name or a text in its files says so."""
        stem = self.plugin.removesuffix(".py").replace("_", "-").lower()
        return stem == name.replace("_", "-").lower() or any(_mentions(path, name) for path in self.sources)

    def __str__(self) -> str:
        origin = f" of {self.distribution}" if self.distribution else ""
        return f"plugin {self.plugin!r}{origin} is refused: {self.reason}"


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Provides a metric with its device, tokenisers and encoders while it is built."""

    registry: "Registry"
    device: str = "cpu"

    def get_tokenizer(self, name: str) -> Tokenizer:
        return self.registry.get_tokenizer(name)

    def get_encoder(self, name: str) -> Encoder:
        return self.registry.get_encoder(name, device=self.device)


def _mentions(path: Path, name: str) -> bool:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return f'"{name}"' in text or f"'{name}'" in text


def explain_unknown(
    unknown_id: str, *, known: Iterable[str], refused: Iterable[RefusedPlugin], what: str = "metric"
) -> str:
    """Return an error message with the nearest known ids and those refused plugins that seem to define what is missing.

    Other refused plugins are only counted, and only if no known id is near.
    """
    near = get_close_matches(unknown_id, list(known), n=3)
    unusable = list(refused)
    own = [plugin for plugin in unusable if plugin.may_define(unknown_id)]
    hint = f"; did you mean {' or '.join(near)}?" if near and not own else ""
    if unusable and not near and not own:
        hint = f" (plugins that are refused: {len(unusable)}; the list of {what}s says why)"
    return f"no installed plugin has a {what} {unknown_id!r}{hint}" + "".join(f"; {plugin}" for plugin in own)


class Registry:
    """The metrics of the loaded plugins, sorted by id, and the refused plugins."""

    def __init__(
        self,
        manager: pluggy.PluginManager,
        *,
        metrics: Mapping[str, RegisteredMetric],
        refused: tuple[RefusedPlugin, ...],
        files: FileRoots = ANYWHERE,
    ) -> None:
        self._manager = manager
        self.files = files
        self.metrics: Mapping[str, RegisteredMetric] = MappingProxyType(dict(sorted(metrics.items())))
        self.refused = refused

    def __iter__(self) -> Iterator[RegisteredMetric]:
        return iter(self.metrics.values())

    def __len__(self) -> int:
        return len(self.metrics)

    def list_files(self) -> list[Path]:
        """Return the plugin files whose metrics are registered; all other plugins are modules of packages."""
        names = {each.plugin for each in self if each.plugin.endswith(".py") and not each.distribution}
        return [Path(sys.modules[name.removesuffix(".py")].__file__ or name).resolve() for name in sorted(names)]

    def get(self, metric_id: str) -> RegisteredMetric:
        """Return the registration of a metric.

        Raises:
            UnknownMetric: The id is unknown; the message has the nearest ids and the refused plugins.
        """
        if metric_id in self.metrics:
            return self.metrics[metric_id]
        raise UnknownMetric(explain_unknown(metric_id, known=self.metrics, refused=self.refused))

    @printing_to_stderr
    def build(self, metric_id: str, *, device: str = "cpu", **params: object) -> Metric | Fittable:
        """Return a new instance of a metric.

        Raises:
            UnknownMetric: The id is unknown.
            MetricError: The metric has no such parameter; the message lists its parameters.
            PathRefused: A path parameter does not name a file in the allowed folders.
        """
        metric_class = self.get(metric_id).metric_class
        # The first parameter is always the context.
        accepted = list(inspect.signature(metric_class.build).parameters)[1:]
        for name in params:
            if name not in accepted:
                raise MetricError(
                    f"metric {metric_id!r} takes no parameter {name!r} (it takes: {', '.join(accepted) or 'none'})"
                )
        build: Any = metric_class.build
        for name, kind in list_path_kinds(build).items():
            if isinstance(value := params.get(name), str):
                params[name] = self.files.resolve(name, kind, value)
        built: Metric | Fittable = build(Context(self, device=device), **params)
        return built

    def get_tokenizer(self, name: str) -> Tokenizer:
        """Return the tokeniser of this name from the first plugin that provides it.

        Raises:
            UnknownTokenizer: No plugin provides it.
        """
        tokenizer: Tokenizer | None = self._manager.hook.provide_tokenizer(name=name)
        if tokenizer is None:
            raise UnknownTokenizer(f"no installed plugin provides a tokenizer {name!r}")
        return tokenizer

    def get_encoder(self, name: str, *, device: str = "cpu") -> Encoder:
        """Return the encoder of this name from the first plugin that provides it.

        Raises:
            UnknownEncoder: No plugin provides it.
        """
        encoder: Encoder | None = self._manager.hook.provide_encoder(name=name, device=device)
        if encoder is None:
            raise UnknownEncoder(f"no installed plugin provides an encoder {name!r}")
        return encoder

    def read_worlds(self, path: Path) -> Mapping[str, CaptionWorld]:
        """Return the worlds of a file, by the ids of their images, from the first plugin that reads it.

        Raises:
            MetricError: No plugin reads it, or it breaks a rule of its format.
        """
        worlds: Mapping[str, CaptionWorld] | None = self._manager.hook.provide_worlds(path=path)
        if worlds is None:
            raise MetricError(f"{path}: no installed plugin reads worlds from such a file")
        return worlds
