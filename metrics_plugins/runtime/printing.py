"""Keeps what plugins print out of the output of commands."""

import sys
from contextlib import ContextDecorator
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
print at the same time are redirected, too. The output of programs that a plugin starts is not redirected.
"""
