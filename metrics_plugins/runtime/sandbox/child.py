"""The main program of a sandboxed process: apply the limits, then answer requests until the connection closes."""

import ctypes
import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from typing import Final

from execution.process_groups import guard_own_group

_PR_SET_PDEATHSIG: Final = 1
_MOST_READ: Final = 262144


def main() -> None:
    line = socket.socket(fileno=int(sys.argv[1]))
    # Processes started by the plugin must not keep the connection open.
    os.set_inheritable(line.fileno(), False)
    _end_with_parent()
    guard_own_group()
    _limit_memory(int(sys.argv[2]))

    from metrics_plugins.runtime.sandbox.answers import Answering
    from metrics_plugins.runtime.sandbox.frames import split_message

    answering = Answering()
    buffer = bytearray()
    while received := line.recv(_MOST_READ):
        buffer += received
        while (message := split_message(buffer)) is not None:
            reply = answering.answer(message)
            # Flush now, so that printed output arrives before the answer and is attributed to the right request.
            for stream in (sys.stdout, sys.stderr):
                # A plugin may have closed or replaced the streams.
                with suppress(Exception):
                    stream.flush()
            line.sendall(reply.encode())


def _end_with_parent() -> None:
    if sys.platform == "linux":
        # Needed while the process is busy, when it would not notice for hours that the connection is closed.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_memory(memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        # Limits data, not address space: libraries and virtual machines reserve many addresses that they never use.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


if __name__ == "__main__":
    main()
