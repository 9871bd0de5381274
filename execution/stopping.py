"""SIGTERM as another Ctrl-C, so that a command that is told to end stops its workers and removes unfinished files."""

import signal
from types import FrameType
from typing import Final

INTERRUPTED_EXIT: Final = 130
TERMINATED_EXIT: Final = 143


class Terminated(KeyboardInterrupt):
    """SIGTERM was received."""


def raise_at_sigterm() -> None:
    """Make this process raise `Terminated` at the first SIGTERM, and go on at others; for the main thread only."""
    is_received = False

    def receive(_: int, __: FrameType | None) -> None:
        # `timeout` sends it twice, and the second one must not interrupt what the first one began.
        nonlocal is_received
        if not is_received:
            is_received = True
            raise Terminated

    signal.signal(signal.SIGTERM, receive)


def choose_exit(stopped: KeyboardInterrupt) -> int:
    """Return the exit code of a command that was stopped: 128 and the number of the signal, as shells have it."""
    return TERMINATED_EXIT if isinstance(stopped, Terminated) else INTERRUPTED_EXIT
