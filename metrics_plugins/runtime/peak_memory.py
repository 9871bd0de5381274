"""How much memory this process took at most, on the processor's side and on the accelerator's."""

import resource
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class PeakMemory:
    """The most memory that a process held at one time.

    Attributes:
        process: Bytes of resident memory, since the process began; 0 if unknown.
        accelerator: Bytes that torch allocated on a CUDA device since the last call; 0 without one.
    """

    process: int = 0
    accelerator: int = 0


UNKNOWN_PEAK: Final = PeakMemory()


def take_peak_memory() -> PeakMemory:
    """Return the peaks up to now; that of the accelerator begins anew. Nothing is imported for it."""
    process = read_resident_peak()
    torch: Any = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return PeakMemory(process=process)
    accelerator = max(torch.cuda.max_memory_allocated(device) for device in range(torch.cuda.device_count()))
    for device in range(torch.cuda.device_count()):
        torch.cuda.reset_peak_memory_stats(device)
    return PeakMemory(process=process, accelerator=int(accelerator))


def read_resident_peak() -> int:
    """Return the most bytes of resident memory that this program held since it was started."""
    # On Linux a program that is started has the peak of whoever started it in its resource usage, but not here.
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # macOS counts in bytes, others in units of 1,024.
        return peak if sys.platform == "darwin" else peak * 1024
