"""Explain the exceptions of plugins: the lines of their author that were running, and the row that was scored."""

import sys
from collections.abc import Callable, Iterable
from time import perf_counter
from traceback import walk_tb
from types import FrameType
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, Input, Level
from metrics_plugins.api.errors import BadScores, MetricError, MissingInput, UndeclaredInput
from metrics_plugins.api.metric import Metric
from metrics_plugins.api.sources import show_line

_MOST_LINES: Final = 6
_MOST_CHARACTERS: Final = 120
_SEARCH_SECONDS: Final = 20.0
_OURS: Final = frozenset({"accordance", "captioning", "correlation", "execution", "jobs", "metrics_plugins", "studies"})
_PACKAGES: Final = ("site-packages", "dist-packages")
_LOCATED: Final = (BadScores, MissingInput, UndeclaredInput)
"""Errors of the contract that an author's line causes; the messages of others say what to do."""


class RowNote(str):
    """A note of an exception (PEP 678) that names the row that was scored."""

    row: int
    __slots__ = ("row",)

    @classmethod
    def make(cls, row: int, text: str) -> "RowNote":
        """Return a note with the number of the row in its batch, from 0."""
        note = cls(text)
        note.row = row
        return note


def explain_failure(error: BaseException, *, module: str) -> str:
    """Return the type and message of an exception, and on further lines where the author's code was.

    The message of an error of the contract stands for itself, without its type.

    Args:
        error: What the plugin raised.
        module: The module of the metric's class or of the plugin.
    """
    message = str(error) if isinstance(error, MetricError) else _name(error)
    if isinstance(error, MetricError) and not isinstance(error, _LOCATED):
        return message
    return add_places(message, list_own_lines(error, module=module))


def add_places(message: str, places: Iterable[str]) -> str:
    """Return a message with a further line for each place in the source."""
    return "\n".join([message, *(f"  at {place}" for place in places)])


def explain_import(error: BaseException, *, module: str) -> str:
    """Return why a module cannot be imported; for a syntax error, the line with it."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return f"{type(error).__name__}: {error.msg}\n  at {show_line(error.filename, error.lineno)}"
    return explain_failure(error, module=module)


def add_metric_name(reason: str, *, metric: str) -> str:
    """Return a reason that begins with the metric that failed, which errors of the contract name themselves."""
    first = reason.partition("\n")[0]
    return reason if repr(metric) in first else f"metric {metric!r} fails: {reason}"


def list_own_lines(error: BaseException, *, module: str) -> list[str]:
    """Return the lines of a plugin's own files that were running, the innermost first.

    Own files are those of the plugin's package, and all others that belong neither to Python nor to an installed
    package. For a bundled metric they are those of its folder.
    """
    places: dict[tuple[str, int], str] = {}
    for frame, line in walk_tb(error.__traceback__):
        if _is_own(frame, module=module):
            # A comprehension is a function of its own on the same line.
            places.setdefault((frame.f_code.co_filename, line), frame.f_code.co_name)
    lines = [show_line(path, line, function=function) for (path, line), function in places.items()]
    return lines[::-1][:_MOST_LINES]


def describe_row(batch: Batch, row: int, *, system: str = "") -> str:
    """Return `row 2 of 3: key 'beach', caption 'a cat sleeps'` for a row of a batch, with its system if it is known."""
    told = [f"key {batch.keys[row]!r}", *([f"system {system!r}"] if system else [])]
    available = batch.available_inputs
    if Input.IMAGE_KEY in available and batch.image_keys[row] != batch.keys[row]:
        told.append(f"image {batch.image_keys[row]!r}")
    if Input.CANDIDATE in available:
        told.append(f"caption {quote(batch.candidates[row])}")
    elif Input.CAPTION_SET in available:
        told.append(f"captions {quote('; '.join(batch.caption_sets[row]))}")
    return f"row {row + 1} of {len(batch)}: {', '.join(told)}"


class ToldOnce:
    """Replaces the message of a mistake that another check has found before by the name of that check.

    The same exception at the same place is one mistake, on whatever row it occurs.
    """

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def shorten(self, message: str, *, check: str) -> str:
        """Return the message, or `as NAME` if check NAME had it before."""
        earlier = self._told.setdefault(message.partition("\n  on ")[0], check)
        return message if not message or earlier == check else f"as {earlier}"


def quote(text: str) -> str:
    """Return a text in quotation marks on one line, shortened if it is long."""
    return repr(text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}...")


def note_row(error: Exception, metric: Metric, batch: Batch, *, score: Callable[[Batch], object]) -> None:
    """Add a note to an exception of `score` that names the row that caused it, if it can be found.

    Since the score of a row depends on no other row, halves of the batch are scored again until one row is left. This
    scores at most twice as many rows as the batch has, and no further half is scored after 20 s.
    """
    row = find_row(error)
    if row is None and metric.info.level is not Level.CORPUS and _may_have_row(error):
        row = _search_row(error, batch, score=score)
        if row is not None:
            error.add_note(RowNote.make(row, f"on {describe_row(batch, row)}"))


def find_row(error: BaseException) -> int | None:
    """Return the row that caused an exception, if it is known."""
    return next((note.row for note in getattr(error, "__notes__", ()) if isinstance(note, RowNote)), None)


def _may_have_row(error: Exception) -> bool:
    if isinstance(error, BadScores):
        return error.row is not None
    return not isinstance(error, MetricError | MemoryError | ImportError)


def _search_row(error: Exception, batch: Batch, *, score: Callable[[Batch], object]) -> int | None:
    if isinstance(error, BadScores):
        return error.row
    end = perf_counter() + _SEARCH_SECONDS
    rows = np.arange(len(batch))
    while len(rows) > 1:
        halves = np.array_split(rows, 2)
        if perf_counter() > end:
            return None
        # If the first half is scored, the second must fail; it is tried too, since a plugin may break the contract.
        failing = next((half for half in halves if _fails_alike(error, batch.select(half), score=score)), None)
        if failing is None:
            return None
        rows = failing
    return int(rows[0]) if len(rows) else None


def _fails_alike(error: Exception, batch: Batch, *, score: Callable[[Batch], object]) -> bool:
    try:
        score(batch)
    except Exception as other:
        return type(other) is type(error)
    return False


def _name(error: BaseException) -> str:
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _is_own(frame: FrameType, *, module: str) -> bool:
    name = str(frame.f_globals.get("__name__", ""))
    top, own_top = name.partition(".")[0], module.partition(".")[0]
    if own_top in _OURS:
        folder = module.rpartition(".")[0]
        return name == module or name.startswith(f"{folder}.")
    if top == own_top:
        return True
    is_installed = any(part in frame.f_code.co_filename for part in _PACKAGES)
    return not (top in _OURS or top in sys.stdlib_module_names or is_installed or _is_frozen(frame))


def _is_frozen(frame: FrameType) -> bool:
    # Code without a file, such as the import system or the `__init__` that `dataclass` makes.
    return frame.f_code.co_filename.startswith("<")
