"""The check that parameters naming files are declared as paths."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from metrics_plugins.api.paths import list_path_kinds
from metrics_plugins.runtime.checks.subject import Subject, require

_EVENTS = frozenset({"open", "os.listdir", "os.scandir", "sqlite3.connect"})
_watched: list[tuple[str, list[str]]] = []
"""The folders being watched, each with the list of paths opened in it."""


def check_declared_files(subject: Subject) -> None:
    """`build` does not open a file through a parameter typed as plain text; such a parameter is declared as a path."""
    build = subject.metric_class.build
    paths = list_path_kinds(build)
    plain = [name for name, hint in get_type_hints(build).items() if name not in paths and _takes_text(hint)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "file.json"
        file.write_text("{}", encoding="utf-8")
        for name in (name for name in plain if name != "return"):
            for value in (str(file), folder):
                with _watch(folder) as opened, suppress(Exception):
                    # The file is not valid input for the metric, so an error is expected and ignored.
                    subject.build(**{name: value})
                came = "str, and `build` opens the file or folder that it names"
                require(not opened, expected=f"parameter {name!r} to be declared as FilePath or the like", came=came)


def _takes_text(hint: Any) -> bool:
    return hint is str or str in getattr(hint, "__args__", ())


@contextmanager
def _watch(folder: str) -> Iterator[list[str]]:
    _listen()
    entry: tuple[str, list[str]] = (folder, [])
    _watched.append(entry)
    try:
        yield entry[1]
    finally:
        _watched.remove(entry)


@cache
def _listen() -> None:
    # Audit hooks cannot be removed. This one does nothing while no folder is watched.
    sys.addaudithook(_note)


def _note(event: str, args: tuple[Any, ...]) -> None:
    if not _watched or event not in _EVENTS or not args or not isinstance(args[0], str | bytes):
        return
    opened = args[0].decode(errors="replace") if isinstance(args[0], bytes) else args[0]
    for folder, found in _watched:
        if opened.startswith(folder):
            found.append(opened)
