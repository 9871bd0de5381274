"""The program of a guarded process: limits itself, then answers questions until nobody asks any more."""

import ctypes
import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_MOST_READ: Final = 262144


def main() -> None:
    line = socket.socket(fileno=int(sys.argv[1]))
    # What the plugin starts must not hold the line open.
    os.set_inheritable(line.fileno(), False)
    _end_with_parent()
    _limit_memory(int(sys.argv[2]))

    from metrics_plugins.runtime.sandbox.answers import Answering
    from metrics_plugins.runtime.sandbox.frames import split_message

    answering = Answering()
    buffer = bytearray()
    while received := line.recv(_MOST_READ):
        buffer += received
        while (message := split_message(buffer)) is not None:
            reply = answering.answer(message)
            # What Python has printed so far comes before the answer, or it would be told with the next one.
            for stream in (sys.stdout, sys.stderr):
                # A plugin may have closed them, or put something else in their place.
                with suppress(Exception):
                    stream.flush()
            line.sendall(reply.encode())


def _end_with_parent() -> None:
    if sys.platform == "linux":
        # Also one that is busy, and would not see for hours that nobody is at the other end.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_memory(memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        # Of data and not of addresses: libraries and virtual machines reserve many addresses that they never fill.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


if __name__ == "__main__":
    main()
