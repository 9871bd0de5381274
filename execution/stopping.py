"""SIGTERM as another Ctrl-C, so that a command that is told to end stops its workers and removes unfinished files."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from types import FrameType
from typing import Final

INTERRUPTED_EXIT: Final = 130
TERMINATED_EXIT: Final = 143
_REPEATED_SECONDS: Final = 1.0


class Terminated(KeyboardInterrupt):
    """SIGTERM was received."""


def raise_at_sigterm() -> None:
    """Make this process raise `Terminated` at SIGTERM; for the main thread only.

    Another one within a second is ignored: `timeout` sends it twice, and the second must not interrupt what the first
    began.
    """
    raised_at = -inf

    def receive(_: int, __: FrameType | None) -> None:
        nonlocal raised_at
        now = monotonic()
        if now - raised_at > _REPEATED_SECONDS:
            raised_at = now
            raise Terminated

    signal.signal(signal.SIGTERM, receive)


@contextmanager
def exiting_when_stopped(*, kept: str = "nothing was written") -> Iterator[None]:
    """If Ctrl-C or SIGTERM stops what runs inside, print a line and exit with the code of the signal.

    For the main thread only.

    Args:
        kept: As for `report_stop`. A command that knows better what it keeps calls that itself.

    Raises:
        SystemExit: The command was stopped; the code is that of `report_stop`.
    """
    try:
        raise_at_sigterm()
        yield
    except KeyboardInterrupt as stopped:
        sys.exit(report_stop(stopped, kept=kept))


def report_stop(stopped: KeyboardInterrupt, *, kept: str) -> int:
    """Write to standard error that a command was stopped, and what it keeps; return its exit code.

    The code is 128 and the number of the signal, as shells have it. Also lets `python -m` exit with this code.
    """
    sys.stderr.write(f"\nstopped: {kept}\n")
    # Python notes that Ctrl-C came while a string was executed, as dataclasses do when they are defined, and then ends
    # itself by the signal although it was handled. Executing another string takes the note back.
    exec("")  # noqa: S102
    return TERMINATED_EXIT if isinstance(stopped, Terminated) else INTERRUPTED_EXIT
