"""The entry program of a sandboxed process: drop network access if the system allows it, then run `child`.

Leaving the network namespace requires a process with a single thread, so no other module of this project is imported
first: NumPy starts threads.
"""

import ctypes
import fcntl
import os
import runpy
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

_CLONE_NEWUSER: Final = 0x10000000
_CLONE_NEWNET: Final = 0x40000000
_SIOCSIFFLAGS: Final = 0x8914
_IFF_UP: Final = 0x1


def main() -> None:
    if sys.argv[3] == "alone":
        # If the system does not allow this, plugins have the network access of the server: docs/deploy.md.
        leave_network()
    runpy.run_module("metrics_plugins.runtime.sandbox.child", run_name="__main__")


def leave_network() -> bool:
    """Move this process into a new network namespace with only the loopback interface; return whether it succeeded.

    This needs Linux with unprivileged user namespaces, and a process with a single thread. A process in its own user
    namespace also cannot read the memory or environment of processes outside it.
    """
    if sys.platform != "linux":
        return False
    user, group = os.geteuid(), os.getegid()
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER | _CLONE_NEWNET):
        return False
    # Without this mapping the process would run as `nobody` and not own its files.
    with suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    with suppress(OSError):
        _start_loopback()
    return True


def _start_loopback() -> None:
    # Some programs use the loopback interface between their own processes.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _IFF_UP))


if __name__ == "__main__":
    main()
