"""Plugins that are files: a module that lies in the plugins folder."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

from metrics_plugins.api.errors import PluginError


def list_plugin_files(folder: Path) -> tuple[Path, ...]:
    """Return the plugins of a folder in order of name; files that begin with `_` or `.` are no plugins."""
    if not folder.is_dir():
        return ()
    return tuple(path for path in sorted(folder.glob("*.py")) if not path.name.startswith(("_", ".")))


def import_plugin_file(path: Path) -> ModuleType:
    """Import a file of the plugins folder under its own name, by which another process finds it again.

    Raises:
        PluginError: It has no name that can be imported, or that of another module, or fails to import.
    """
    if not path.stem.isidentifier():
        raise PluginError(f"{path.name} must be named like a Python module: letters, digits and _ before .py")
    folder = str(path.parent.resolve())
    if folder not in sys.path:
        # Last, so that no file of this folder can stand in for a module of Python or of a package.
        sys.path.append(folder)
        importlib.invalidate_caches()
    try:
        module = importlib.import_module(path.stem)
    except (Exception, SystemExit) as error:
        raise PluginError(f"{path.name} fails to import: {type(error).__name__}: {error}") from error
    found = getattr(module, "__file__", None)
    if found is None or Path(found).resolve() != path.resolve():
        raise PluginError(f"{path.name} has the name of another module ({found or 'a part of Python'}): rename it")
    return module
