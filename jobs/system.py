"""What the operating system does for child processes: ends them with their parent, and bounds their memory."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_MIB: Final = 1 << 20


def make_end_with(parent: int, number: signal.Signals) -> Callable[[], None] | None:
    """Return what a child calls first so that this signal ends it when its parent ends (Linux); None elsewhere."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)

    def end_with_parent() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os._exit(1)

    return end_with_parent


def limit_memory(mib: int) -> Callable[[], None]:
    """Let this process map so many MiB more than it has by now; return what lifts the limit. 0 sets none."""
    if not mib or sys.platform != "linux":
        return lambda: None
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    most = _read_size(os.getpid(), field=0) + mib * _MIB
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_AS, before)


def measure_memory(pid: int) -> int:
    """Return the MiB that a process holds in memory; 0 where that cannot be told."""
    return _read_size(pid, field=1) // _MIB


def _read_size(pid: int, *, field: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[field])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
