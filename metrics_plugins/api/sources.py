"""Where the code of a plugin is: file, line and source line, for messages to its author."""

import inspect
import linecache
from pathlib import Path
from typing import Final

_STARTS: Final = ("def ", "async def ", "class ")


def show_line(path: str, line: int, *, function: str = "") -> str:
    """Return `metric.py, line 7, in score: return ...`; without what is not known or cannot be read."""
    source = linecache.getline(path, line).strip()
    where = f", in {function}" if function and function != "<module>" else ""
    return f"{Path(path).name}, line {line}{where}" + (f": {source}" if source else "")


def locate_object(found: object) -> str:
    """Return where a function or a class is defined, "" if it is neither or its source is not known."""
    if inspect.isfunction(found):
        code = found.__code__
        return show_line(code.co_filename, _skip_decorators(code.co_filename, code.co_firstlineno))
    if not inspect.isclass(found):
        return ""
    try:
        path = inspect.getfile(found)
        return show_line(path, _skip_decorators(path, inspect.getsourcelines(found)[1]))
    except (OSError, TypeError):
        return ""


def _skip_decorators(path: str, first: int) -> int:
    """Return the line of `def` or `class`; the first line of a decorated function is that of its decorators."""
    if not linecache.getline(path, first).lstrip().startswith("@"):
        return first
    lines = linecache.getlines(path)[first:]
    return next(
        (first + 1 + skipped for skipped, line in enumerate(lines) if line.lstrip().startswith(_STARTS)),
        first,
    )
