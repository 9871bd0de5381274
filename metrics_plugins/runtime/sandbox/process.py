"""A process that runs plugins, and the enforcement of its limits."""

import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from metrics_plugins.runtime.sandbox.environment import make_environment
from metrics_plugins.runtime.sandbox.errors import ChildFailed, ChildStopped
from metrics_plugins.runtime.sandbox.frames import Message, split_message
from metrics_plugins.runtime.sandbox.limits import MEBIBYTE, SandboxLimits
from metrics_plugins.runtime.sandbox.starting import start_child

_LOOK_SECONDS = 0.1
_KEPT = 1500
"""The number of bytes kept of the beginning and of the end of printed output."""
_LONGEST_ERROR = 5000


def _go_on() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of the process.

    Attributes:
        fields: Values by name; `error` is present, with the reason, if the plugin raised an exception.
        blob: The bytes sent with the fields.
        seconds: The time between request and answer.
    """

    fields: Mapping[str, Any]
    blob: bytes
    seconds: float

    @property
    def error(self) -> str:
        return str(self.fields.get("error", ""))[:_LONGEST_ERROR]


class SandboxProcess:
    """A process that loads plugins and handles requests one at a time.

    It is a new interpreter that shares no memory with this one, and its environment contains no secrets
    (`make_environment`); with `SandboxLimits.service` it runs as another user. Only the beginning and the end of its
    output are kept. It ends when the process that created it ends, and takes its own subprocesses with it. This
    requires a POSIX system.
    """

    def __init__(self, limits: SandboxLimits) -> None:
        self.limits = limits
        self._printed = _Printed()
        ours, theirs = socket.socketpair()
        read_end, write_end = os.pipe()
        search_path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
        environment = make_environment(os.environ, search_path=search_path)
        try:
            self._child = start_child(limits, line=theirs.fileno(), output=write_end, environment=environment)
        except BaseException:
            ours.close()
            os.close(read_end)
            raise
        finally:
            theirs.close()
            os.close(write_end)
        ours.setblocking(False)
        os.set_blocking(read_end, False)
        self._socket, self._output = ours, read_end
        self._received = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def pid(self) -> int:
        return self._child.pid

    def ask(
        self,
        question: str,
        /,
        *,
        blob: bytes = b"",
        seconds: float | None = None,
        stop: Callable[[], bool] = _go_on,
        **fields: Any,
    ) -> Reply:
        """Return the answer to a request.

        Args:
            question: The name of the request; `metrics_plugins.runtime.sandbox.answers` has a method for each.
            blob: Bytes to send with the fields.
            seconds: A different time limit for this answer.
            stop: Called several times per second; if it returns True, the process is killed at once.

        Raises:
            ChildFailed: The process ended or exceeded a limit; it no longer exists.
            ChildStopped: `stop` returned True; the process no longer exists.
        """
        started = time.monotonic()
        limit = self.limits.seconds if seconds is None else seconds
        self._printed.start_anew()
        try:
            message = self._exchange(
                memoryview(Message({"ask": question, **fields}, blob).encode()),
                deadline=started + limit,
                limit=limit,
                stop=stop,
            )
        except BaseException:
            self.end()
            raise
        return Reply(message.fields, message.blob, time.monotonic() - started)

    def end(self) -> None:
        """Kill the process and its subprocesses; does nothing if it has already ended."""
        if self._socket.fileno() >= 0:
            self._socket.close()
            os.close(self._output)
        self._child.kill()
        self._child.wait()

    def _exchange(self, sending: memoryview, *, deadline: float, limit: float, stop: Callable[[], bool]) -> Message:
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ | selectors.EVENT_WRITE)
            selector.register(self._output, selectors.EVENT_READ)
            next_look = time.monotonic() + _LOOK_SECONDS
            while True:
                for key, events in selector.select(timeout=_LOOK_SECONDS):
                    if key.fileobj is self._socket:
                        if events & selectors.EVENT_WRITE and sending:
                            sending = self._send(sending)
                            if not sending:
                                selector.modify(self._socket, selectors.EVENT_READ)
                        if events & selectors.EVENT_READ:
                            self._receive()
                    else:
                        self._drain(selector)
                try:
                    message = split_message(self._received)
                except ValueError as error:
                    raise self._fail(f"its process answered with {error}, which is no answer") from error
                if message is not None:
                    return message
                if time.monotonic() >= next_look:
                    next_look = time.monotonic() + _LOOK_SECONDS
                    self._look(deadline=deadline, limit=limit, stop=stop)

    def _send(self, sending: memoryview) -> memoryview:
        try:
            return sending[self._socket.send(sending[:262144]) :]
        except BlockingIOError:
            return sending
        except (BrokenPipeError, ConnectionResetError):
            raise self._explain_end() from None

    def _receive(self) -> None:
        try:
            received = self._socket.recv(262144)
        except BlockingIOError:
            return
        except ConnectionResetError:
            received = b""
        if not received:
            raise self._explain_end()
        self._received += received

    def _drain(self, selector: selectors.BaseSelector) -> None:
        try:
            printed = os.read(self._output, 65536)
        except BlockingIOError:
            return
        if not printed:
            selector.unregister(self._output)
        self._printed.add(printed)
        if self._printed.since_question > self.limits.printed:
            raise self._fail(f"it printed more than {_print_size(self.limits.printed)} and was ended")

    def _look(self, *, deadline: float, limit: float, stop: Callable[[], bool]) -> None:
        if time.monotonic() > deadline:
            raise self._fail(f"it took longer than the {limit:g} s allowed and was ended")
        held = self._child.measure_memory()
        if self.limits.memory and held > self.limits.memory:
            raise self._fail(
                f"it held {_print_size(held)} of memory, more than the {_print_size(self.limits.memory)} allowed, "
                "and was ended"
            )
        if stop():
            raise ChildStopped("stopped")

    def _explain_end(self) -> ChildFailed:
        with suppress(OSError):
            while printed := os.read(self._output, 65536):
                self._printed.add(printed)
        try:
            code = self._child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return self._fail("its process closed the line to us")
        if code >= 0:
            return self._fail(f"its process ended itself with exit code {code}")
        name = signal.Signals(-code).name
        described = signal.strsignal(-code)
        return self._fail(f"its process was ended by {name} ({described})")

    def _fail(self, reason: str) -> ChildFailed:
        return ChildFailed(reason, output=self._printed.text)


class _Printed:
    """The beginning and end of the output of a process, and the number of bytes since the last request."""

    def __init__(self) -> None:
        self.start_anew()

    def start_anew(self) -> None:
        self.since_question = 0
        self._first = b""
        self._last = b""

    def add(self, printed: bytes) -> None:
        self.since_question += len(printed)
        room = _KEPT - len(self._first)
        self._first += printed[:room]
        self._last = (self._last + printed[room:])[-_KEPT:]

    @property
    def text(self) -> str:
        left_out = self.since_question - len(self._first) - len(self._last)
        between = f" [... {left_out} bytes ...] " if left_out > 0 else ""
        shown = self._first.decode(errors="replace") + between + self._last.decode(errors="replace")
        # Databases cannot store NUL, and pages should not contain other control characters.
        return "".join(
            each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in shown
        ).strip()


def _print_size(size: int) -> str:
    return f"{size / MEBIBYTE:,.0f} MiB" if size >= MEBIBYTE else f"{size:,d} bytes"
