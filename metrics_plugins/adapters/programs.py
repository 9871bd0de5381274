"""Long-running programs that answer each line with a line within a time limit."""

import os
import selectors
import signal
import subprocess
import weakref
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import IO, Final, cast

from execution.process_groups import start_guard

_LONGEST_ANSWER: Final = 1 << 20
_KEPT_ERRORS: Final = 2000
_CHUNK: Final = 1 << 16
# The time for a program to exit after it has closed its output or its input has ended.
_GRACE_SECONDS: Final = 1.0


class ProgramFailed(Exception):
    """A program failed to answer; the message continues a sentence that begins with its name."""


class Program:
    """A running program in a new process group.

    The program and its group are killed by `kill`, when this object is garbage-collected, and when Python ends, even if
    it is killed. A forked process that inherits the object neither uses nor kills the program.

    Raises:
        OSError: The program cannot be started.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = tuple(arguments)
        self.has_answered = False
        self._owner = os.getpid()
        self._guard = start_guard(group=0)
        try:
            self._process = subprocess.Popen(  # noqa: S603  (the author of the plugin names the program)
                self.arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=self._guard.pid,
                bufsize=0,
            )
        except BaseException:
            _kill_group(self._guard)
            raise
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._input, self._output, self._errors = (cast("IO[bytes]", pipe) for pipe in pipes)
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe.fileno(), False)
        self._answer = bytearray()
        self._said = bytearray()
        self._end = weakref.finalize(self, _end_group, self._process, self._guard, self._owner)

    @property
    def is_usable(self) -> bool:
        """Whether the program was started by this process and not killed since; it may have exited by itself."""
        return self._end.alive and self._owner == os.getpid()

    def ask(self, line: str, *, end: float) -> str:
        """Send a line and return the line of the answer.

        Args:
            line: ASCII, without a line break.
            end: The end of the time limit, on the clock of `time.monotonic`.

        Raises:
            ProgramFailed: There was no answer in time, the program has exited, or it did not write exactly one line.
        """
        unsent = memoryview(f"{line}\n".encode("ascii"))
        start = monotonic()
        self._refuse_unasked()
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._errors, selectors.EVENT_READ)
            selector.register(self._input, selectors.EVENT_WRITE)
            while b"\n" not in self._answer:
                events = selector.select(max(end - monotonic(), 0.0))
                ready = [key.fileobj for key, _ in events]
                if not ready:
                    raise ProgramFailed(
                        f"wrote no complete line within {monotonic() - start:.1f} s{self._quote_part()}"
                    )
                if self._input in ready:
                    unsent = unsent[self._write(unsent) :]
                    if not unsent:
                        selector.unregister(self._input)
                if self._errors in ready and not self._keep_errors():
                    selector.unregister(self._errors)
                if self._output in ready:
                    self._read_output()
        answer, _, rest = self._answer.partition(b"\n")
        if rest or unsent:
            raise ProgramFailed(f"answered more than one line: {bytes(self._answer[:200])!r}")
        self._answer.clear()
        self.has_answered = True
        try:
            return answer.decode()
        except UnicodeDecodeError as error:
            raise ProgramFailed(f"answered what is not UTF-8: {bytes(answer[:200])!r}") from error

    def kill(self) -> str:
        """Kill the program and its group immediately; return the end of its output to standard error."""
        if self.is_usable:
            self._end.detach()
            _kill_group(self._guard)
            _kill_program(self._process)
            while self._keep_errors():
                pass
            _close_pipes(self._process)
        return " ".join(self._said.decode(errors="replace").split())

    def _refuse_unasked(self) -> None:
        with suppress(BlockingIOError):
            self._answer += self._output.read(_CHUNK) or b""
        if self._answer:
            raise ProgramFailed(f"wrote before it was asked: {bytes(self._answer[:200])!r}")

    def _write(self, unsent: memoryview) -> int:
        try:
            return self._input.write(unsent) or 0
        except BrokenPipeError:
            # The program has exited, which reading detects after its standard error has been read.
            return len(unsent)

    def _read_output(self) -> None:
        came = self._output.read(_CHUNK)
        if came == b"":
            raise ProgramFailed(f"ended{self._describe_exit()} before it answered{self._quote_part()}")
        self._answer += came or b""
        if len(self._answer) > _LONGEST_ANSWER:
            raise ProgramFailed(f"answered more than {_LONGEST_ANSWER:,} bytes without end{self._quote_part()}")

    def _keep_errors(self) -> bool:
        """Store the end of the current output to standard error; return whether there may be more."""
        came = self._errors.read(_CHUNK)
        self._said += came or b""
        del self._said[:-_KEPT_ERRORS]
        return bool(came)

    def _quote_part(self) -> str:
        return f" (only {bytes(self._answer[:200])!r})" if self._answer else ""

    def _describe_exit(self) -> str:
        # Without reaping: while it is a zombie, its number is not reused, so no other process can be killed by mistake.
        state = _wait_unreaped(self._process, seconds=_GRACE_SECONDS)
        if state is None:
            return " its output"
        is_exit = state.si_code == os.CLD_EXITED
        return f" with exit code {state.si_status}" if is_exit else f" by signal {state.si_status}"


def _end_group(process: "subprocess.Popen[bytes]", guard: "subprocess.Popen[bytes]", owner: int) -> None:
    """End a program: close its input, wait a moment, and kill its group in any case."""
    if owner == os.getpid():
        if process.stdin:
            process.stdin.close()
        _wait_unreaped(process, seconds=_GRACE_SECONDS)
        _kill_group(guard)
        _kill_program(process)
    _close_pipes(process)


def _kill_group(guard: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(guard.pid, signal.SIGKILL)
    guard.wait()
    _close_pipes(guard)


def _kill_program(process: "subprocess.Popen[bytes]") -> None:
    # It may have left its group.
    process.kill()
    process.wait()


def _close_pipes(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()


def _wait_unreaped(process: "subprocess.Popen[bytes]", *, seconds: float) -> os.waitid_result | None:
    """Wait for a process to exit without reaping it; return how it exited, None if it has not."""
    end = monotonic() + seconds
    # Other code in this Python process may have reaped it.
    with suppress(ChildProcessError):
        while process.returncode is None:
            state = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
            if state or monotonic() > end:
                return state
            sleep(0.002)
    return None
