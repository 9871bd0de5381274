"""Start a sandboxed process, directly or through a service that runs it as another user."""

import json
import os
import selectors
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from metrics_plugins.runtime.sandbox.errors import NotStarted
from metrics_plugins.runtime.sandbox.limits import SandboxLimits

_PAGE: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_CONNECT_SECONDS: Final = 30.0
_END_SECONDS: Final = 10.0
REPORT: Final = struct.Struct(">cq")
"""A report of the service: a kind (`p` process id, `h` bytes of memory in use, `x` exit code) and a number."""


class SandboxChild(Protocol):
    """A started process."""

    @property
    def pid(self) -> int:
        """The process id."""
        ...

    def measure_memory(self) -> int:
        """Return the memory in use in bytes, 0 if unknown."""
        ...

    def kill(self) -> None:
        """Kill the process and its subprocesses; does nothing if it has already ended."""
        ...

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, negative for a signal; raise `subprocess.TimeoutExpired` if it is still running."""
        ...


def start_child(limits: SandboxLimits, *, line: int, output: int, environment: Mapping[str, str]) -> SandboxChild:
    """Start a sandboxed process that answers on the file descriptor `line` and prints to `output`.

    Raises:
        NotStarted: The service that starts the process cannot be reached.
    """
    if limits.service is not None:
        return ServedChild(limits, line=line, output=output, environment=environment)
    return LocalChild(memory=limits.memory, network=limits.network, line=line, output=output, environment=environment)


class LocalChild:
    """A child of this process, run by the same user."""

    def __init__(self, *, memory: int, network: bool, line: int, output: int, environment: Mapping[str, str]) -> None:
        told = [str(line), str(memory), "network" if network else "alone"]
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", str(Path(__file__).with_name("isolation.py")), *told],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=[line],
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def measure_memory(self) -> int:
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE
        except (OSError, IndexError, ValueError):
            return 0

    def kill(self) -> None:
        # Kill the process group, which includes processes started by the plugin.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        return self._process.wait(timeout)


class ServedChild:
    """A process started by the service behind a socket, as the user of the service (see `sandbox.service`).

    It ends when the connection is closed.
    """

    def __init__(self, limits: SandboxLimits, *, line: int, output: int, environment: Mapping[str, str]) -> None:
        self._received = bytearray()
        self._told: dict[bytes, int] = {}
        self._is_gone = False
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._connection.settimeout(_CONNECT_SECONDS)
        wanted = {"memory": limits.memory, "network": limits.network, "environment": dict(environment)}
        try:
            self._connection.connect(str(limits.service))
            # Ancillary data needs at least one byte of payload.
            socket.send_fds(self._connection, [b" "], [line, output])
            self._connection.sendall(json.dumps(wanted).encode() + b"\n")
        except OSError as error:
            self._connection.close()
            reason = error.strerror or str(error)
            raise NotStarted(f"the service that starts plugins cannot be reached: {reason}") from error
        self._read_until(b"p", seconds=_CONNECT_SECONDS)
        if b"p" not in self._told:
            self._connection.close()
            raise NotStarted("the service that starts plugins has started none: its log says why")

    @property
    def pid(self) -> int:
        return self._told.get(b"p", 0)

    def measure_memory(self) -> int:
        self._read(seconds=0)
        return self._told.get(b"h", 0)

    def kill(self) -> None:
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
        self._read_until(b"x", seconds=_END_SECONDS)
        self._connection.close()
        self._is_gone = True

    def wait(self, timeout: float | None = None) -> int:
        self._read_until(b"x", seconds=_END_SECONDS if timeout is None else timeout)
        if b"x" not in self._told and timeout is not None and not self._is_gone:
            raise subprocess.TimeoutExpired("plugin", timeout)
        # If the service disconnected without a report, it was killed together with its processes.
        return self._told.get(b"x", -signal.SIGKILL)

    def _read_until(self, kind: bytes, *, seconds: float) -> None:
        """Wait until a report of this kind has arrived or the service has disconnected."""
        deadline = time.monotonic() + seconds
        while kind not in self._told and self._read(seconds=deadline - time.monotonic()):
            pass

    def _read(self, *, seconds: float) -> bool:
        """Read reports that have arrived; return False if there was none within this time or the service is gone."""
        if self._is_gone:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ)
            if not selector.select(timeout=max(seconds, 0)):
                return False
        try:
            received = self._connection.recv(65536)
        except OSError:
            received = b""
        self._is_gone = not received
        self._received += received
        while len(self._received) >= REPORT.size:
            kind, number = REPORT.unpack_from(self._received)
            self._told[kind] = number
            del self._received[: REPORT.size]
        return not self._is_gone
