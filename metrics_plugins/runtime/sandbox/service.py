"""The program of the service that starts plugins as another user, with one service process per connection.

systemd accepts the connection and passes it as standard input (`deploy/accordance-plugins@.service`). The client sends
two file descriptors and one line; the sandboxed process is started with them, and ends when the connection is closed.
"""

import json
import os
import selectors
import socket
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from metrics_plugins.runtime.sandbox.starting import REPORT, LocalChild

_LOOK_SECONDS: Final = 0.1
_LONGEST: Final = 1 << 20
_OWN: Final = ("HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "ACCORDANCE_CACHE")
"""Variables that name folders of a user; those of the calling user are not usable here."""


def main() -> None:
    with socket.socket(fileno=os.dup(0)) as connection:
        os.set_inheritable(connection.fileno(), False)
        _, descriptors, _, _ = socket.recv_fds(connection, 1, 2)
        if len(descriptors) == 2:
            line, output = descriptors
            _serve(connection, _read_wanted(connection), line=line, output=output)


def choose_environment(told: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a plugin's process: the variables received, with the folders of the service's user."""
    return {
        **{name: value for name, value in told.items() if name not in _OWN},
        **{name: own[name] for name in _OWN if name in own},
    }


def _read_wanted(connection: socket.socket) -> dict[str, Any]:
    received = bytearray()
    while not received.endswith(b"\n"):
        part = connection.recv(65536)
        received += part
        if not part or len(received) > _LONGEST:
            raise ValueError(f"no line that says what to start, but {len(received)} bytes")
    wanted: dict[str, Any] = json.loads(received)
    return wanted


def _serve(connection: socket.socket, wanted: Mapping[str, Any], *, line: int, output: int) -> None:
    child = LocalChild(
        memory=int(wanted["memory"]),
        network=bool(wanted["network"]),
        line=line,
        output=output,
        environment=choose_environment(wanted["environment"], os.environ),
    )
    # The child has its own copies. The client sees the end of the child only if no other process holds them.
    os.close(line)
    os.close(output)
    try:
        connection.sendall(REPORT.pack(b"p", child.pid))
        _watch(connection, child)
    except OSError:
        pass  # the client has disconnected
    finally:
        child.kill()
        with suppress(OSError):
            connection.sendall(REPORT.pack(b"x", child.wait()))


def _watch(connection: socket.socket, child: LocalChild) -> None:
    """Report the memory of the child until it ends or the client disconnects."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        # The client sends nothing more, so the connection becomes readable only when it is closed.
        while not selector.select(timeout=_LOOK_SECONDS):
            try:
                child.wait(timeout=0)
                return
            except subprocess.TimeoutExpired:
                # The client does not read between requests: reports that do not fit into the buffer are dropped.
                with suppress(BlockingIOError):
                    connection.send(REPORT.pack(b"h", child.measure_memory()), socket.MSG_DONTWAIT)


if __name__ == "__main__":
    main()
