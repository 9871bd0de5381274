"""Load the captioners of installed plugins and of explicitly given ones into a new registry."""

import inspect
from collections.abc import Iterable
from typing import Any

import pluggy

from captioning.api import Captioner, CaptionerInfo, hooks
from captioning.runtime.registry import CaptionerRegistry, RegisteredCaptioner
from metrics_plugins.api.errors import PluginError
from metrics_plugins.runtime.installed import InstalledPlugin, list_installed
from metrics_plugins.runtime.registry import RefusedPlugin


def load_captioners(
    plugins: Iterable[object] = (),
    blocked: Iterable[str] = (),
    *,
    strict: bool = False,
    outside: bool = True,
) -> CaptionerRegistry:
    """Load installed plugins (entry points of the group `accordance.captioners`), then the given ones.

    A broken installed plugin is left out entirely and listed in `CaptionerRegistry.refused`. A broken plugin passed as
    an argument is an error.

    Args:
        plugins: Modules or objects that implement `register_captioners`.
        blocked: Names of entry points (also as `name = module`) not to load.
        strict: Raise an error for every refused plugin.
        outside: Whether to load installed plugins that are not bundled.

    Raises:
        PluginError: A plugin passed as an argument (with `strict`, any plugin) is broken; the message names it.
    """
    unwanted = frozenset(blocked)
    found: dict[str, RegisteredCaptioner] = {}
    refused: list[RefusedPlugin] = []
    for installed in list_installed(group=hooks.GROUP):
        named = {installed.point.name, installed.full_name}
        if not named.isdisjoint(unwanted) or not (outside or installed.is_bundled):
            continue
        try:
            found |= _load_installed(installed, known=found)
        except PluginError as error:
            refusal = RefusedPlugin(plugin=installed.point.name, distribution=installed.distribution, reason=str(error))
            if strict:
                raise PluginError(str(refusal)) from error
            refused.append(refusal)
    for plugin in plugins:
        name = getattr(plugin, "__name__", type(plugin).__name__)
        found |= _collect(plugin, name=name, distribution="", known=found)
    return CaptionerRegistry(found, refused=tuple(refused))


def _load_installed(
    installed: InstalledPlugin, *, known: dict[str, RegisteredCaptioner]
) -> dict[str, RegisteredCaptioner]:
    try:
        plugin = installed.point.load()
    except (Exception, SystemExit) as error:
        raise PluginError(f"{installed.point.value} fails to import: {type(error).__name__}: {error}") from error
    return _collect(plugin, name=installed.point.name, distribution=installed.distribution, known=known)


def _collect(
    plugin: object, *, name: str, distribution: str, known: dict[str, RegisteredCaptioner]
) -> dict[str, RegisteredCaptioner]:
    collected: dict[str, RegisteredCaptioner] = {}
    for captioner_class in _call_hook(plugin, name=name):
        _check_class(captioner_class, name=name)
        registered = RegisteredCaptioner(captioner_class, plugin=name, distribution=distribution)
        taken = known.get(registered.info.id) or collected.get(registered.info.id)
        if taken:
            raise PluginError(
                f"captioner id {registered.info.id!r} is claimed by {captioner_class.__module__} (plugin {name!r}) "
                f"and by {taken.captioner_class.__module__} (plugin {taken.plugin!r})"
            )
        collected[registered.info.id] = registered
    return collected


def _call_hook(plugin: object, *, name: str) -> list[Any]:
    # A manager for each plugin, so that an error in the result is attributed to it.
    manager = pluggy.PluginManager(hooks.GROUP)
    manager.add_hookspecs(hooks)
    try:
        manager.register(plugin, name=name)
        manager.check_pending()
        if not manager.get_hookcallers(plugin):
            has_hook = callable(getattr(plugin, "register_captioners", None))
            rule = "must mark register_captioners with @hookimpl" if has_hook else "must implement register_captioners"
            raise PluginError(f"plugin {name!r} {rule}")
        return [each for answer in manager.hook.register_captioners() for each in answer or ()]
    except PluginError:
        raise
    except Exception as error:
        raise PluginError(f"plugin {name!r} cannot be registered: {type(error).__name__}: {error}") from error


def _check_class(captioner_class: Any, *, name: str) -> None:
    if not (inspect.isclass(captioner_class) and issubclass(captioner_class, Captioner)):
        raise PluginError(
            f"register_captioners of plugin {name!r} must return classes of Captioner, got {captioner_class!r}"
        )
    if not isinstance(getattr(captioner_class, "info", None), CaptionerInfo):
        raise PluginError(f"{captioner_class.__qualname__} of plugin {name!r} must have a CaptionerInfo as `info`")
    if inspect.isabstract(captioner_class):
        missing = ", ".join(sorted(captioner_class.__abstractmethods__))
        raise PluginError(f"{captioner_class.__qualname__} of plugin {name!r} must implement {missing}")
