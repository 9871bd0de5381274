"""Keeps what plugins print out of the output of commands."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import ContextDecorator, contextmanager, suppress
from threading import Lock
from typing import Any, Self


class _PrintingToStderr(ContextDecorator):
    """Counts who is inside, since threads enter and leave in any order, and `sys.stdout` is one for all of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_inside = 0
        self._stdout: Any = None
        self._stderr: Any = None

    def __enter__(self) -> Self:
        with self._lock:
            if not self._n_inside:
                self._stdout, self._stderr = sys.stdout, sys.stderr
                sys.stdout = self._stderr
            self._n_inside += 1
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside:
                return
            # Other code may have replaced it meanwhile, in this thread or another, and closed what was there before.
            if sys.stdout is self._stderr:
                sys.stdout = self._stdout
            self._stdout = self._stderr = None


printing_to_stderr = _PrintingToStderr()
"""A context manager and decorator: what Python code prints inside goes to standard error.

All code of plugins runs inside, so that standard output has only what a command prints, such as JSON. Threads that
print at the same time are redirected, too. What programs print that a plugin starts, `keeping_stdout` redirects.
"""

_STDOUT, _STDERR = 1, 2


@contextmanager
def keeping_stdout() -> Iterator[None]:
    """Keep standard output for what this process itself writes to `sys.stdout`.

    Programs that are started inside, by a plugin for example, inherit standard error in its place. It is for a whole
    command: the descriptor is one for all threads, so that it must not change while some of them start programs. Does
    nothing if `sys.stdout` has been replaced by something else than standard output, as tests do.
    """
    before = sys.stdout
    if not isinstance(before, io.TextIOWrapper) or _find_descriptor(before) != _STDOUT:
        yield
        return
    before.flush()
    # Copies are not inherited by programs that are started.
    kept = os.dup(_STDOUT)
    try:
        ours = os.fdopen(os.dup(_STDOUT), "w", encoding=before.encoding, errors=before.errors)
        ours.reconfigure(line_buffering=before.line_buffering)
        os.dup2(_STDERR, _STDOUT)
        sys.stdout = ours
        try:
            yield
        finally:
            sys.stdout = before
            # Whoever read a pipe may have closed it.
            with suppress(BrokenPipeError):
                ours.close()
    finally:
        os.dup2(kept, _STDOUT)
        os.close(kept)


def _find_descriptor(stream: io.TextIOWrapper) -> int | None:
    try:
        return stream.fileno()
    except (OSError, ValueError):
        return None
