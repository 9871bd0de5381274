"""Load installed plugins and explicitly given ones into a new registry."""

import inspect
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import pluggy

from metrics_plugins.api import hooks
from metrics_plugins.api.errors import PluginError
from metrics_plugins.api.info import MetricInfo
from metrics_plugins.api.metric import Fittable, Metric
from metrics_plugins.api.sources import locate_object
from metrics_plugins.runtime.failures import explain_failure, explain_import
from metrics_plugins.runtime.file_roots import ANYWHERE, FileRoots
from metrics_plugins.runtime.installed import InstalledPlugin, list_installed
from metrics_plugins.runtime.plugin_files import import_plugin_file, list_plugin_files
from metrics_plugins.runtime.printing import printing_to_stderr
from metrics_plugins.runtime.registry import RefusedPlugin, RegisteredMetric, Registry

HOOK_NAMES = ("register_metrics", "provide_tokenizer", "provide_encoder", "provide_worlds")


@printing_to_stderr
def load_registry(
    plugins: Iterable[object] = (),
    blocked: Iterable[str] = (),
    *,
    strict: bool = False,
    outside: bool = True,
    folder: Path | None = None,
    single: Iterable[Path] = (),
    files: FileRoots = ANYWHERE,
) -> Registry:
    """Load installed plugins (entry points of the group `accordance`), then plugin files, then the given ones.

    A broken installed plugin is left out entirely and listed in `Registry.refused`, so that it does not affect other
    plugins. A broken plugin passed as an argument is an error. Plugins are consulted in reverse order of loading:
    first those passed as arguments, then third-party installed ones, then the bundled ones.

    Args:
        plugins: Modules or objects that implement hooks.
        blocked: Names of entry points (also as `name = module`) and of files not to load.
        strict: Raise an error for every refused plugin.
        outside: Whether to load installed plugins that are not bundled.
        folder: The folder of plugin files (`*.py`), if any; a broken file is refused.
        single: Plugin files that were asked for by name; a broken one is an error.
        files: The folders in which parameters of metrics may name files.

    Raises:
        PluginError: A plugin or a file passed as an argument (with `strict`, any plugin) is broken; the message names
            it.
    """
    loader = _Loader()
    unwanted = frozenset(blocked)
    for installed in list_installed():
        named = {installed.point.name, installed.full_name}
        if named.isdisjoint(unwanted) and (outside or installed.is_bundled):
            loader.load_installed(installed, strict=strict)
    for path in list_plugin_files(folder) if folder else ():
        if path.name not in unwanted:
            loader.load_file(path, strict=strict)
    for path in single:
        loader.load_plugin(import_plugin_file(path), name=path.name, distribution="")
    for plugin in plugins:
        loader.load_plugin(plugin, name=getattr(plugin, "__name__", type(plugin).__name__), distribution="")
    return Registry(loader.manager, metrics=loader.metrics, refused=tuple(loader.refused), files=files)


class _Loader:
    """Registers plugins one by one, and unregisters a plugin that turns out to be broken."""

    def __init__(self) -> None:
        self.manager = pluggy.PluginManager(hooks.PROJECT)
        self.manager.add_hookspecs(hooks)
        self.metrics: dict[str, RegisteredMetric] = {}
        self.refused: list[RefusedPlugin] = []

    def load_installed(self, installed: InstalledPlugin, *, strict: bool) -> None:
        entry_point, distribution = installed.point, installed.distribution
        try:
            try:
                plugin = entry_point.load()
            except (Exception, SystemExit) as error:
                reason = explain_import(error, module=entry_point.module)
                raise PluginError(f"{entry_point.value} fails to import: {reason}") from error
            self.load_plugin(plugin, name=entry_point.name, distribution=distribution)
        except PluginError as error:
            refused = RefusedPlugin(entry_point.name, distribution, str(error), sources=installed.sources)
            if strict:
                raise PluginError(str(refused)) from error
            self.refused.append(refused)

    def load_file(self, path: Path, *, strict: bool) -> None:
        try:
            self.load_plugin(import_plugin_file(path), name=path.name, distribution="")
        except PluginError as error:
            refused = RefusedPlugin(path.name, "", str(error), sources=(path,))
            if strict:
                raise PluginError(str(refused)) from error
            self.refused.append(refused)

    def load_plugin(self, plugin: object, *, name: str, distribution: str) -> None:
        # Two packages may use the same entry point name; the name is unique only together with the package.
        full_name = f"{name} ({distribution})"
        try:
            self.manager.register(plugin, name=full_name)
            self.manager.check_pending()
            self._require_hooks(plugin, name=name)
            self.metrics |= self._collect_metrics(plugin, name=name, distribution=distribution)
        except Exception as error:
            if self.manager.has_plugin(full_name) and self.manager.get_plugin(full_name) is plugin:
                self.manager.unregister(name=full_name)
            if isinstance(error, PluginError):
                raise
            reason = _explain_unknown_hook(error, plugin) or explain_failure(error, module=_name_module(plugin))
            raise PluginError(f"plugin {name!r} cannot be registered: {reason}") from error

    def _require_hooks(self, plugin: object, *, name: str) -> None:
        callers = self.manager.get_hookcallers(plugin) or []
        marked = {impl.function.__name__ for hook in callers for impl in hook.get_hookimpls() if impl.plugin is plugin}
        unmarked = [hook for hook in HOOK_NAMES if callable(getattr(plugin, hook, None)) and hook not in marked]
        if unmarked:
            raise PluginError(f"{unmarked[0]} of plugin {name!r} must be marked with @hookimpl")
        if not callers:
            near = next((each for each in vars(plugin) if _suggest(each)), "")
            hint = f"; {near} is none, {_suggest(near)}{_add_place(getattr(plugin, near))}" if near else ""
            raise PluginError(f"plugin {name!r} implements no hook (there are: {', '.join(HOOK_NAMES)}){hint}")

    def _collect_metrics(self, plugin: object, *, name: str, distribution: str) -> dict[str, RegisteredMetric]:
        collected: dict[str, RegisteredMetric] = {}
        for metric_class in self._call_register_metrics(plugin):
            _check_class(metric_class, name=name)
            registration = RegisteredMetric(
                metric_class=metric_class,
                plugin=name,
                distribution=distribution,
                plugin_module=_name_module(plugin),
            )
            known = self.metrics.get(registration.info.id) or collected.get(registration.info.id)
            if known:
                raise PluginError(
                    f"metric id {registration.info.id!r} is claimed by {registration.module} (plugin {name!r}) "
                    f"and by {known.module} (plugin {known.plugin!r})"
                )
            collected[registration.info.id] = registration
        return collected

    def _call_register_metrics(self, plugin: object) -> list[Any]:
        # Called for this plugin alone, so that an error in the result is attributed to it.
        implementations = self.manager.hook.register_metrics.get_hookimpls()
        functions = [impl.function for impl in implementations if impl.plugin is plugin]
        return [metric_class for function in functions for metric_class in _list_answer(function)]


def _list_answer(function: Callable[[], Any]) -> list[Any]:
    answer = function()
    if inspect.isclass(answer) or isinstance(answer, str) or not isinstance(answer, Iterable):
        came = f"the class {answer.__name__}" if inspect.isclass(answer) else repr(answer)
        raise PluginError(f"register_metrics must return a list of classes, got {came}{_add_place(function)}")
    return list(answer)


def _explain_unknown_hook(error: Exception, plugin: object) -> str:
    """Return the place and the nearest name of a misspelled hook, "" for another error."""
    found = re.match(r"unknown hook '(\w+)'", str(error)) if isinstance(error, pluggy.PluginValidationError) else None
    if not found:
        return ""
    hint = _suggest(found[1]) or f"there are: {', '.join(HOOK_NAMES)}"
    return f"unknown hook {found[1]!r}; {hint}{_add_place(getattr(plugin, found[1], None))}"


def _add_place(found: object) -> str:
    place = locate_object(found)
    return f"\n  at {place}" if place else ""


def _suggest(name: str) -> str:
    near = get_close_matches(name, HOOK_NAMES, n=1, cutoff=0.75)
    return f"did you mean {near[0]}?" if near else ""


def _name_module(plugin: object) -> str:
    return plugin.__name__ if inspect.ismodule(plugin) else type(plugin).__module__


def _check_class(metric_class: Any, *, name: str) -> None:
    if not (inspect.isclass(metric_class) and issubclass(metric_class, Metric | Fittable)):
        got = repr(metric_class)
        if inspect.isfunction(metric_class):
            kind = "lambda" if metric_class.__name__ == "<lambda>" else f"function {metric_class.__name__}"
            got = f"the {kind}; adapt_function makes a class of a function{_add_place(metric_class)}"
        raise PluginError(f"register_metrics of plugin {name!r} must return classes of Metric or Fittable, got {got}")
    if not isinstance(getattr(metric_class, "info", None), MetricInfo):
        raise PluginError(f"{metric_class.__qualname__} of plugin {name!r} must have a MetricInfo as `info`")
    if inspect.isabstract(metric_class):
        missing = ", ".join(sorted(metric_class.__abstractmethods__))
        raise PluginError(f"{metric_class.__qualname__} of plugin {name!r} must implement {missing}")
