"""Process groups that end with the process that leads them, so that the programs it starts do not survive it."""

import os
import subprocess
import weakref
from typing import Final

_SHELL: Final = "/bin/sh"
_END_AT_END_OF_INPUT: Final = "read -r _; kill -9 0"
_guards: Final["weakref.WeakSet[subprocess.Popen[bytes]]"] = weakref.WeakSet()
_of_this_process: Final["list[subprocess.Popen[bytes]]"] = []
_inputs: Final[list[int]] = []
"""Open until the process has ended: `Popen` closes its own end before, when Python finalises what is left."""


def guard_own_group(*, watched: int | None = None) -> None:
    """Make the programs that this process starts, in its process group, end with it; it must be the group's leader.

    Args:
        watched: As for `start_guard`: this process ends, too, with the other one.

    Raises:
        OSError: The process that guards the group cannot be started.
    """
    guard = start_guard(watched=watched)
    _of_this_process.append(guard)
    if guard.stdin:
        _inputs.append(os.dup(guard.stdin.fileno()))


def start_guard(*, group: int | None = None, watched: int | None = None) -> "subprocess.Popen[bytes]":
    """Start a process that kills its process group when this process ends, for whatever reason.

    This holds also where this process is killed by SIGKILL, on every POSIX system: the guard waits for the end of its
    input, of which only this process has the other end. The group is killed, too, when `stdin` of the guard is closed,
    and when the guard is garbage-collected.

    Args:
        group: The process group, of the session of this process; 0 is a new one, whose id is the `pid` of the guard;
            None is the group of this process.
        watched: The end of a pipe to read from, whose other end belongs to the process to wait for; None waits for this
            process.

    Raises:
        OSError: The guard cannot be started.
    """
    guard = subprocess.Popen(  # noqa: S603
        [_SHELL, "-c", _END_AT_END_OF_INPUT],
        stdin=subprocess.PIPE if watched is None else watched,
        # Whoever reads what this process prints would otherwise wait for the guard as well.
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=group,
    )
    _guards.add(guard)
    return guard


def _close_inherited() -> None:
    # A forked process would keep the input of the guards open.
    for guard in list(_guards):
        if guard.stdin:
            guard.stdin.close()
    for each in _inputs:
        os.close(each)
    _inputs.clear()


os.register_at_fork(after_in_child=_close_inherited)
