"""The option `--plugin`, and loading the installed plugins together with the files that it names."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from metrics_plugins.cli.errors import UsageError
from metrics_plugins.runtime import Registry, load_registry
from metrics_plugins.runtime.plugin_files import list_plugin_files


def add_plugin_option(parser: argparse.ArgumentParser) -> None:
    """Add `--plugin`, which may be repeated."""
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a plugin that is not installed: a Python file, or a folder of such files (may be repeated)",
    )


def load_plugins(paths: Sequence[Path]) -> Registry:
    """Return the installed plugins and those in the given files.

    Raises:
        UsageError: A path does not exist, or a folder has no plugins.
        PluginError: A file is not a valid plugin; the message has the line.
    """
    return load_registry(single=find_plugin_files(paths))


def find_plugin_files(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return each file once, with the files of folders in their place.

    Raises:
        UsageError: A path does not exist, or a folder has no plugins.
    """
    return tuple(dict.fromkeys(file for path in paths for file in _list_files(path)))


def _list_files(path: Path) -> tuple[Path, ...]:
    if not path.exists():
        raise UsageError(f"--plugin must be a Python file or a folder of them; there is no {path}")
    if path.is_dir():
        files = list_plugin_files(path)
        if not files:
            raise UsageError(f"--plugin {path}: the folder has no file that ends in .py")
        return files
    return (path,)
