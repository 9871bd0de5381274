"""How much an import may read: a small file can unpack to more than the machine holds."""

from dataclasses import dataclass
from typing import Final, Protocol

from studies.shared.errors import ImportFailed, Unquoted

_STEP: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class FileLimits:
    """What one file, or the members read from one archive, may hold.

    Attributes:
        n_bytes: The most bytes, unpacked.
        ratio: The most unpacked bytes for a packed one; real captions stay below 30.
        ratio_floor: Below this many unpacked bytes the ratio does not matter.
        n_members: The most members of an archive.
        n_rows: The most rows of a table.
        advice: What is said after that number.
    """

    n_bytes: int = 512 << 20
    ratio: int = 100
    ratio_floor: int = 16 << 20
    n_members: int = 10_000
    n_rows: int = 10_000_000
    advice: str = ""


LIMITS: Final = FileLimits()


class Readable(Protocol):
    """A stream that gives at most so many bytes at a time."""

    def read(self, size: int, /) -> bytes: ...


def check_size(n_bytes: int, *, n_packed: int, name: str, limits: FileLimits = LIMITS) -> None:
    """Raise ImportFailed where so many unpacked bytes are too many, by themselves or for the packed ones."""
    if n_bytes > limits.n_bytes:
        rule = f"may hold at most {limits.n_bytes:,} bytes unpacked"
        raise ImportFailed(name, rule, got=Unquoted(f"{n_bytes:,} or more"))
    if n_bytes > limits.ratio_floor and n_bytes > limits.ratio * n_packed:
        rule = f"may unpack to at most {limits.ratio} times its size ({n_packed:,} bytes)"
        raise ImportFailed(name, rule, got=Unquoted(f"{n_bytes:,} bytes or more"))


def check_rows(n_rows: int, *, name: str, limits: FileLimits = LIMITS) -> None:
    """Raise ImportFailed where a table has too many rows."""
    if n_rows > limits.n_rows:
        rule = f"may hold at most {limits.n_rows:,} rows{limits.advice}"
        raise ImportFailed(name, rule, got=Unquoted(f"{n_rows:,} or more"))


def read_limited(stream: Readable, *, n_packed: int, name: str, limits: FileLimits = LIMITS) -> bytes:
    """Read a stream to its end, giving up as soon as it holds too much."""
    content = bytearray()
    while step := stream.read(_STEP):
        content += step
        check_size(len(content), n_packed=n_packed, name=name, limits=limits)
    return bytes(content)
