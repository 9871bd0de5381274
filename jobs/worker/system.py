"""Operating-system support for child processes: ending them with their parent, and limiting their memory."""

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
    """Return a function that makes a child receive this signal when its parent ends (Linux); None elsewhere."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)

    def end_with_parent() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os._exit(1)

    return end_with_parent


def limit_memory(mib: int) -> Callable[[], None]:
    """Limit this process to `mib` MiB above its current size; return a function that lifts the limit. 0 sets none."""
    if not mib or sys.platform != "linux":
        return lambda: None
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    most = _read_size(os.getpid(), field=0) + mib * _MIB
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_AS, before)


def measure_memory(pid: int) -> int:
    """Return the resident memory of a process in MiB; 0 where it is not available."""
    return _read_size(pid, field=1) // _MIB


def _read_size(pid: int, *, field: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[field])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
