"""How much a guarded process may take."""

from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """What ends a guarded process.

    Attributes:
        seconds: For one answer.
        memory: Bytes of private memory, 0 for no limit. More is refused by the system (a `MemoryError` in Python);
            a process that holds more in spite of it is ended.
        network: Whether it may use the network; else it has none but the loopback, where the system can take it away.
        service: The socket of the service that starts the process as another user (docs/deploy.md); None: it is
            started by this process, as its user.
        printed: Bytes on standard output and standard error until one answer; all but the ends is thrown away.

    Raises:
        ValueError: One of them is out of range.
    """

    seconds: float = 600.0
    memory: int = 4096 * MEBIBYTE
    printed: int = 16 * MEBIBYTE
    network: bool = False
    service: Path | None = None

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.printed <= 0:
            raise ValueError(f"`seconds` and `printed` must be above 0, got {self.seconds} and {self.printed}")
        if self.memory < 0:
            raise ValueError(f"`memory` must be 0 (no limit) or more, got {self.memory}")
