"""Peak memory of this process, in main memory and on the accelerator."""

import resource
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class PeakMemory:
    """The peak memory of a process.

    Attributes:
        process: Peak resident memory in bytes since the process started; 0 if unknown.
        accelerator: Peak bytes that torch allocated on a CUDA device since the last call; 0 without such a device.
    """

    process: int = 0
    accelerator: int = 0


UNKNOWN_PEAK: Final = PeakMemory()


def take_peak_memory() -> PeakMemory:
    """Return the current peaks and reset that of the accelerator. Does not import torch."""
    process = read_resident_peak()
    torch: Any = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return PeakMemory(process=process)
    accelerator = max(torch.cuda.max_memory_allocated(device) for device in range(torch.cuda.device_count()))
    for device in range(torch.cuda.device_count()):
        torch.cuda.reset_peak_memory_stats(device)
    return PeakMemory(process=process, accelerator=int(accelerator))


def read_resident_peak() -> int:
    """Return the peak resident memory in bytes since this program was started."""
    # On Linux, `getrusage` of a started program includes the peak of its parent; /proc does not.
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # macOS reports bytes, other systems units of 1,024 bytes.
        return peak if sys.platform == "darwin" else peak * 1024
