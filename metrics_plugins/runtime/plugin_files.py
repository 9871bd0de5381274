"""Plugins that are single files in the plugins folder."""

import importlib
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from metrics_plugins.api.errors import PluginError
from metrics_plugins.runtime.failures import explain_import
from metrics_plugins.runtime.installed import list_installed


def list_plugin_files(folder: Path) -> tuple[Path, ...]:
    """Return the plugin files of a folder in order of name; names that begin with `_` or `.` are skipped."""
    if not folder.is_dir():
        return ()
    return tuple(path for path in sorted(folder.glob("*.py")) if not path.name.startswith(("_", ".")))


def import_plugin_file(path: Path) -> ModuleType:
    """Import a file of the plugins folder as a module of the same name, so that other processes can import it too.

    Raises:
        PluginError: The name cannot be imported or belongs to another module, or the import fails.
    """
    if path.suffix != ".py" or not path.is_file():
        raise PluginError(f"{path} must be a Python file (.py), and there is none")
    if not path.stem.isidentifier():
        raise PluginError(f"{path.name} must be named like a Python module: letters, digits and _ before .py")
    folder = str(path.parent.resolve())
    if folder not in sys.path:
        # Appended last, so that a file in this folder cannot shadow a module of Python or of a package.
        sys.path.append(folder)
        importlib.invalidate_caches()
    try:
        module = importlib.import_module(path.stem)
    except (Exception, SystemExit) as error:
        reason = explain_import(error, module=path.stem)
        raise PluginError(f"{path.name} fails to import: {reason}") from error
    found = getattr(module, "__file__", None)
    if found is None or Path(found).resolve() != path.resolve():
        raise PluginError(
            f"{path.name} has the name of another module ({found or 'a part of Python'}): {_advise(path, found)}"
        )
    return module


def _advise(path: Path, found: str | None) -> str:
    """Return what to do about a file with the name of another module, which may be an installed copy of it."""
    packages = [
        each.package.name
        for each in list_installed()
        if each.package and not each.is_bundled and each.point.module.partition(".")[0] == path.stem
    ]
    if packages:
        return (
            f"it belongs to the installed plugin {packages[0]!r}; to try this file instead, uninstall that "
            f"(`{Path(sys.executable).name} -m pip uninstall {packages[0]}`), or rename this file and its metrics"
        )
    # The other one may be in a zip file.
    with suppress(OSError):
        if found and path.read_bytes() == Path(found).read_bytes():
            return "the two files are equal, so that this one is not needed; remove one of them"
    return "rename it"
