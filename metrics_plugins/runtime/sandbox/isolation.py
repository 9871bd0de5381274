"""The program that a guarded process begins with: it gives up the network, where the system lets it, and is the child.

A process can do so only while it has one thread, so nothing of ours is imported before: NumPy starts threads.
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
        # Where the system does not allow it, plugins have the network that the server has: docs/deploy.md.
        leave_network()
    runpy.run_module("metrics_plugins.runtime.sandbox.child", run_name="__main__")


def leave_network() -> bool:
    """Move this process into a network of its own, which holds but the loopback; return whether that could be done.

    It needs Linux with user namespaces for everybody, and a process with one thread. A process in a user namespace of
    its own cannot look into those outside either: not into their memory, and not into their environment.
    """
    if sys.platform != "linux":
        return False
    user, group = os.geteuid(), os.getegid()
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER | _CLONE_NEWNET):
        return False
    # Without a map it would be nobody, and own none of its files.
    with suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    with suppress(OSError):
        _start_loopback()
    return True


def _start_loopback() -> None:
    # Programs talk to their own parts over it.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _IFF_UP))


if __name__ == "__main__":
    main()
