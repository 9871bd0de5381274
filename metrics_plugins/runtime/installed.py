"""Entry points and versions of installed packages, read again only after some were installed, changed or removed."""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path

from execution.versions import find_version
from metrics_plugins.api.hooks import PROJECT

_Stamp = tuple[str, int]


@dataclass(frozen=True, slots=True)
class InstalledPlugin:
    """An entry point of a group of plugins.

    Attributes:
        point: The entry point.
        package: The package that declares it; None if the entry point does not know.
        distribution: The package's name and version; empty if unknown.
    """

    point: EntryPoint
    package: Distribution | None
    distribution: str

    @property
    def is_bundled(self) -> bool:
        """Whether the plugin comes with Accordance."""
        return self.point.value.startswith(("metrics_plugins.", "captioning."))

    @property
    def sources(self) -> tuple[Path, ...]:
        """The Python files of the package; empty if they are not listed."""
        files = (self.package.files or ()) if self.package else ()
        return tuple(Path(str(each.locate())) for each in files if each.suffix == ".py")

    @property
    def full_name(self) -> str:
        """The entry point's name with its module, since two packages may use the same name."""
        return f"{self.point.name} = {self.point.value}"


def list_installed(*, group: str = PROJECT) -> tuple[InstalledPlugin, ...]:
    """Return the installed plugins, bundled ones first, then by name.

    Reading the metadata of all packages takes tens of milliseconds, and a page may ask several times. The result is
    therefore cached until a folder of the module path or a package's list of entry points changes.

    Args:
        group: The group of entry points; by default that of metrics.
    """
    return _read_installed(_stamp_packages(), group=group)


def read_versions(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of packages by name, "" for a package that is not installed.

    Their metadata are read, not their modules: some of those are slow to import. Reading takes milliseconds a package,
    so the result is cached like that of `list_installed`.
    """
    return dict(_read_versions(_stamp_packages(), names=tuple(names)))


@lru_cache(maxsize=4)
def _read_versions(_: tuple[_Stamp, ...], *, names: tuple[str, ...]) -> dict[str, str]:
    return {name: find_version(name) for name in names}


@lru_cache(maxsize=2)
def _read_installed(_: tuple[_Stamp, ...], *, group: str) -> tuple[InstalledPlugin, ...]:
    points = entry_points(group=group)
    # Every entry point of a package has the same object, whose metadata are parsed anew whenever they are asked for.
    names = {id(package): _name(package) for package in {id(point.dist): point.dist for point in points}.values()}
    plugins = [InstalledPlugin(point, point.dist, names[id(point.dist)]) for point in points]
    # pluggy calls later registrations first, so that a third-party plugin takes precedence over a bundled one.
    return tuple(sorted(plugins, key=lambda each: (not each.is_bundled, each.point.name, each.point.value)))


def _name(package: Distribution | None) -> str:
    if package is None:
        return ""
    metadata = package.metadata
    return f"{metadata['Name']} {metadata['Version']}"


def _stamp_packages() -> tuple[_Stamp, ...]:
    stamps: list[_Stamp] = []
    for folder in sys.path:
        try:
            stamps.append((folder, os.stat(folder or ".").st_mtime_ns))  # noqa: PTH116 - called for every page
            with os.scandir(folder or ".") as entries:
                packages = [each.path for each in entries if each.name.endswith((".dist-info", ".egg-info"))]
        except OSError:  # Not a folder: no such path, or a zip file, of which the time says enough.
            continue
        stamps += [stamp for package in sorted(packages) if (stamp := _stamp_file(f"{package}/entry_points.txt"))]
    return tuple(stamps)


def _stamp_file(path: str) -> _Stamp | None:
    try:
        return path, os.stat(path).st_mtime_ns  # noqa: PTH116 - as above
    except OSError:
        return None
