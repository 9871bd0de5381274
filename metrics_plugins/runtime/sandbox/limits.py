"""Resource limits of a sandboxed process."""

from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """The limits of a sandboxed process, which is killed when it exceeds one.

    Attributes:
        seconds: The maximal time for one answer.
        memory: The maximal private memory in bytes, 0 for no limit. The system refuses further allocations (a
            `MemoryError` in Python); a process that exceeds the limit nevertheless is killed.
        network: Whether network access is allowed; otherwise only the loopback interface is available, where the
            system supports this.
        service: The socket of the service that starts the process as another user (docs/deploy.md); None to start it
            from this process as the same user.
        printed: The maximal number of bytes printed per answer; only the beginning and the end are kept.

    Raises:
        ValueError: A limit is out of range.
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
