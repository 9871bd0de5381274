"""List all plugins, loading those that are not bundled in a separate process."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metrics_plugins.runtime import RefusedPlugin, load_registry
from metrics_plugins.runtime.file_roots import NOWHERE, FileRoots
from metrics_plugins.runtime.installed import list_installed
from metrics_plugins.runtime.plugin_files import list_plugin_files
from metrics_plugins.runtime.sandbox.catalog import Catalog, CatalogEntry, describe_registration, entry_from_json
from metrics_plugins.runtime.sandbox.errors import ChildFailed, NotStarted
from metrics_plugins.runtime.sandbox.limits import SandboxLimits
from metrics_plugins.runtime.sandbox.process import SandboxProcess


@dataclass(frozen=True, slots=True)
class PluginChoice:
    """The plugins that a process loads in addition to the bundled ones.

    Attributes:
        outside: Whether to load plugins that are not bundled.
        blocked: Names of plugins to skip.
        folder: The folder of plugin files, if any.
        files: The folders in which parameters of metrics may name files.
    """

    outside: bool = True
    blocked: tuple[str, ...] = ()
    folder: Path | None = None
    files: FileRoots = NOWHERE

    def to_fields(self) -> dict[str, Any]:
        """Return the fields of a `load` request."""
        folder = str(self.folder) if self.folder and self.outside else ""
        folders = None if self.files.folders is None else [str(each) for each in self.files.folders]
        return {"outside": self.outside, "blocked": list(self.blocked), "folder": folder, "files": folders}


@dataclass(frozen=True, slots=True)
class Outside:
    """A plugin that is not bundled, with the name that blocks it."""

    name: str
    plugin: str
    distribution: str


def list_bundled() -> Catalog:
    """Return the bundled plugins, which are loaded in this process."""
    return Catalog({each.info.id: describe_registration(each) for each in load_registry(outside=False)})


def list_outside(*, folder: Path | None, limits: SandboxLimits) -> Catalog:
    """Return the plugins that are not bundled, loaded with the bundled ones in a separate process.

    A plugin that ends or blocks that process is refused, with the reason, and listed in `Catalog.blocked`.
    """
    outside = name_outside(folder)
    if not outside:
        return Catalog({})
    try:
        entries, refused = _load(PluginChoice(folder=folder), limits=limits)
        return Catalog(entries, refused=refused)
    except NotStarted as error:
        return _refuse(outside, str(error))
    except ChildFailed:
        return _find_culprits(outside, folder=folder, limits=limits)


def _find_culprits(outside: Sequence[Outside], *, folder: Path | None, limits: SandboxLimits) -> Catalog:
    blocked: list[str] = []
    reasons = []
    for plugin in outside:
        others = tuple(each.name for each in outside if each is not plugin)
        try:
            _load(PluginChoice(blocked=others, folder=folder), limits=limits)
        except ChildFailed as error:
            blocked.append(plugin.name)
            reasons.append(RefusedPlugin(plugin.plugin, plugin.distribution, f"while it is loaded, {error}"))
    try:
        entries, refused = _load(PluginChoice(blocked=tuple(blocked), folder=folder), limits=limits)
    except ChildFailed as error:
        # Each plugin loads on its own, but not all together: refuse all of them and report each.
        return _refuse(outside, f"together with others, {error}")
    return Catalog(entries, refused=(*refused, *reasons), blocked=tuple(blocked))


def _refuse(outside: Sequence[Outside], reason: str) -> Catalog:
    named = tuple(RefusedPlugin(each.plugin, each.distribution, reason) for each in outside)
    return Catalog({}, refused=named, blocked=tuple(each.name for each in outside))


def _load(choice: PluginChoice, *, limits: SandboxLimits) -> tuple[dict[str, CatalogEntry], tuple[RefusedPlugin, ...]]:
    with SandboxProcess(limits) as process:
        reply = process.ask("load", **choice.to_fields())
    if reply.error:
        raise ChildFailed(reply.error)
    try:
        entries = [entry_from_json(each) for each in reply.fields["metrics"]]
        refused = tuple(
            RefusedPlugin(str(plugin), str(distribution), str(reason))
            for plugin, distribution, reason in reply.fields["refused"]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ChildFailed(f"its declaration cannot be read: {error}") from error
    return {each.info.id: each for each in entries if not each.bundled}, refused


def name_outside(folder: Path | None) -> list[Outside]:
    """Return the plugins that are not bundled, without loading them."""
    installed = [each for each in list_installed() if not each.is_bundled]
    files = list_plugin_files(folder) if folder else ()
    return [
        *(Outside(each.full_name, each.point.name, each.distribution) for each in installed),
        *(Outside(each.name, each.name, "") for each in files),
    ]
