"""Loads plugins into a fresh registry; the only way to find a metric, a tokeniser or an encoder."""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any

import pluggy

from metrics_plugins.api import hooks
from metrics_plugins.api.errors import (
    MetricError,
    PluginError,
    UnknownEncoder,
    UnknownMetric,
    UnknownTokenizer,
)
from metrics_plugins.api.info import MetricInfo
from metrics_plugins.api.metric import Fittable, Metric
from metrics_plugins.api.providers import Encoder, Tokenizer

MetricClass = type[Metric] | type[Fittable]


@dataclass(frozen=True, slots=True)
class Registration:
    """A metric class and where it comes from.

    Attributes:
        metric_class: What `build` is called on.
        plugin: The entry point's name, or the plugin module's.
        distribution: The installed package with its version, "" for a plugin passed by hand.
    """

    metric_class: MetricClass
    plugin: str
    distribution: str

    @property
    def info(self) -> MetricInfo:
        return self.metric_class.info

    @property
    def module(self) -> str:
        return self.metric_class.__module__


@dataclass(frozen=True, slots=True)
class RefusedPlugin:
    """An installed plugin that cannot be used, and why; nothing of it is in the registry."""

    plugin: str
    distribution: str
    reason: str

    def __str__(self) -> str:
        origin = f" of {self.distribution}" if self.distribution else ""
        return f"plugin {self.plugin!r}{origin} is refused: {self.reason}"


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What a metric may ask for while it is built."""

    registry: "Registry"
    device: str = "cpu"

    def get_tokenizer(self, name: str) -> Tokenizer:
        return self.registry.get_tokenizer(name)

    def get_encoder(self, name: str) -> Encoder:
        return self.registry.get_encoder(name, device=self.device)


class Registry:
    """The metrics of the loaded plugins by id, in order of id, and the plugins that were refused."""

    def __init__(
        self,
        manager: pluggy.PluginManager,
        *,
        metrics: Mapping[str, Registration],
        refused: tuple[RefusedPlugin, ...],
    ) -> None:
        self._manager = manager
        self.metrics: Mapping[str, Registration] = MappingProxyType(dict(sorted(metrics.items())))
        self.refused = refused

    def __iter__(self) -> Iterator[Registration]:
        return iter(self.metrics.values())

    def __len__(self) -> int:
        return len(self.metrics)

    def get(self, metric_id: str) -> Registration:
        """Return the registration of a metric.

        Raises:
            UnknownMetric: With the nearest known ids, and the refused plugins, which may hold it.
        """
        if metric_id in self.metrics:
            return self.metrics[metric_id]
        near = get_close_matches(metric_id, self.metrics, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        refused = "".join(f"; {plugin}" for plugin in self.refused)
        raise UnknownMetric(f"no installed plugin has a metric {metric_id!r}{hint}{refused}")

    def build(self, metric_id: str, *, device: str = "cpu", **params: object) -> Metric | Fittable:
        """Return a new instance of a metric.

        Raises:
            UnknownMetric: No such id.
            MetricError: A parameter is not one that the metric takes; the message lists those.
        """
        metric_class = self.get(metric_id).metric_class
        accepted = [name for name in inspect.signature(metric_class.build).parameters if name != "context"]
        for name in params:
            if name not in accepted:
                raise MetricError(
                    f"metric {metric_id!r} takes no parameter {name!r} (it takes: {', '.join(accepted) or 'none'})"
                )
        build: Any = metric_class.build
        built: Metric | Fittable = build(Context(self, device=device), **params)
        return built

    def get_tokenizer(self, name: str) -> Tokenizer:
        """Return the tokeniser of this name from the first plugin that provides it.

        Raises:
            UnknownTokenizer: No plugin does.
        """
        tokenizer: Tokenizer | None = self._manager.hook.provide_tokenizer(name=name)
        if tokenizer is None:
            raise UnknownTokenizer(f"no installed plugin provides a tokenizer {name!r}")
        return tokenizer

    def get_encoder(self, name: str, *, device: str = "cpu") -> Encoder:
        """Return the encoder of this name from the first plugin that provides it.

        Raises:
            UnknownEncoder: No plugin does.
        """
        encoder: Encoder | None = self._manager.hook.provide_encoder(name=name, device=device)
        if encoder is None:
            raise UnknownEncoder(f"no installed plugin provides an encoder {name!r}")
        return encoder


def load_registry(plugins: Iterable[object] = (), blocked: Iterable[str] = (), *, strict: bool = False) -> Registry:
    """Load the installed plugins (entry points of the group `accordance`) and then the given ones.

    A broken plugin that is merely installed is refused, whole: it is left out and named in `Registry.refused`, so that
    it cannot take others down. A broken plugin passed by hand is an error.

    Args:
        plugins: Modules or objects that implement hooks.
        blocked: Names of entry points not to load.
        strict: Make an error of every refused plugin.

    Raises:
        PluginError: A plugin passed by hand (with `strict`, any plugin) is broken; the message names it.
    """
    loader = _Loader()
    unwanted = frozenset(blocked)
    for entry_point in sorted(entry_points(group=hooks.PROJECT), key=_bundled_first):
        if entry_point.name not in unwanted:
            loader.load_entry_point(entry_point, strict=strict)
    for plugin in plugins:
        loader.load_plugin(plugin, name=getattr(plugin, "__name__", type(plugin).__name__), distribution="")
    return Registry(loader.manager, metrics=loader.metrics, refused=tuple(loader.refused))


def _bundled_first(entry_point: EntryPoint) -> tuple[bool, str]:
    # pluggy asks later registrations first: an outside plugin then wins over a bundled one.
    return not entry_point.value.startswith("metrics_plugins."), entry_point.name


class _Loader:
    """Registers plugins one by one, and takes a broken one back out."""

    def __init__(self) -> None:
        self.manager = pluggy.PluginManager(hooks.PROJECT)
        self.manager.add_hookspecs(hooks)
        self.metrics: dict[str, Registration] = {}
        self.refused: list[RefusedPlugin] = []

    def load_entry_point(self, entry_point: EntryPoint, *, strict: bool) -> None:
        package = entry_point.dist
        distribution = f"{package.name} {package.version}" if package else ""
        try:
            try:
                plugin = entry_point.load()
            except Exception as error:
                raise PluginError(f"{entry_point.value} fails to import: {type(error).__name__}: {error}") from error
            self.load_plugin(plugin, name=entry_point.name, distribution=distribution)
        except PluginError as error:
            refused = RefusedPlugin(plugin=entry_point.name, distribution=distribution, reason=str(error))
            if strict:
                raise PluginError(str(refused)) from error
            self.refused.append(refused)

    def load_plugin(self, plugin: object, *, name: str, distribution: str) -> None:
        try:
            self.manager.register(plugin, name=name)
            self.manager.check_pending()
            self.metrics |= self._collect_metrics(plugin, name=name, distribution=distribution)
        except Exception as error:
            if self.manager.has_plugin(name) and self.manager.get_plugin(name) is plugin:
                self.manager.unregister(name=name)
            if isinstance(error, PluginError):
                raise
            raise PluginError(f"plugin {name!r} cannot be registered: {type(error).__name__}: {error}") from error

    def _collect_metrics(self, plugin: object, *, name: str, distribution: str) -> dict[str, Registration]:
        register = getattr(plugin, "register_metrics", None)
        collected: dict[str, Registration] = {}
        for metric_class in register() if register else ():
            registration = self._check_class(metric_class, name=name, distribution=distribution)
            known = self.metrics.get(registration.info.id) or collected.get(registration.info.id)
            if known:
                raise PluginError(
                    f"metric id {registration.info.id!r} is claimed by {registration.module} (plugin {name!r}) "
                    f"and by {known.module} (plugin {known.plugin!r})"
                )
            collected[registration.info.id] = registration
        return collected

    def _check_class(self, metric_class: Any, *, name: str, distribution: str) -> Registration:
        if not (inspect.isclass(metric_class) and issubclass(metric_class, Metric | Fittable)):
            raise PluginError(
                f"register_metrics of plugin {name!r} must return classes of Metric or Fittable, got {metric_class!r}"
            )
        if not isinstance(getattr(metric_class, "info", None), MetricInfo):
            raise PluginError(f"{metric_class.__qualname__} of plugin {name!r} must have a MetricInfo as `info`")
        if inspect.isabstract(metric_class):
            missing = ", ".join(sorted(metric_class.__abstractmethods__))
            raise PluginError(f"{metric_class.__qualname__} of plugin {name!r} must implement {missing}")
        return Registration(metric_class=metric_class, plugin=name, distribution=distribution)
