"""SIGTERM as another Ctrl-C, so that a command that is told to end stops its workers and removes unfinished files."""

import signal
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


def choose_exit(stopped: KeyboardInterrupt) -> int:
    """Return the exit code of a command that was stopped: 128 and the number of the signal, as shells have it.

    Called once the command has been stopped; also lets `python -m` exit with this code.
    """
    # Python notes that Ctrl-C came while a string was executed, as dataclasses do when they are defined, and then ends
    # itself by the signal although it was handled. Executing another string takes the note back.
    exec("")  # noqa: S102
    return TERMINATED_EXIT if isinstance(stopped, Terminated) else INTERRUPTED_EXIT
