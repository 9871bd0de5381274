"""Limits of what an import may read, since a small file can unpack to more than the memory."""

from dataclasses import dataclass
from typing import Final, Protocol

from studies.shared.errors import ImportFailed, Unquoted

_STEP: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class FileLimits:
    """The limits of one file, or of the members read from one archive.

    Attributes:
        n_bytes: The maximum number of unpacked bytes.
        ratio: The maximum ratio of unpacked to packed bytes; real captions stay below 30.
        ratio_floor: The number of unpacked bytes below which the ratio is not checked.
        n_members: The maximum number of members of an archive.
        n_rows: The maximum number of rows of a table.
        advice: Text for messages, after the number of rows.
    """

    n_bytes: int = 512 << 20
    ratio: int = 100
    ratio_floor: int = 16 << 20
    n_members: int = 10_000
    n_rows: int = 10_000_000
    advice: str = ""


LIMITS: Final = FileLimits()


class Readable(Protocol):
    """A stream whose `read` returns at most the given number of bytes."""

    def read(self, size: int, /) -> bytes: ...


def check_size(n_bytes: int, *, n_packed: int, name: str, limits: FileLimits = LIMITS) -> None:
    """Raise ImportFailed if there are too many unpacked bytes, absolutely or relative to the packed ones."""
    if n_bytes > limits.n_bytes:
        rule = f"may hold at most {limits.n_bytes:,} bytes decompressed"
        raise ImportFailed(name, rule, got=Unquoted(f"{n_bytes:,} or more"))
    if n_bytes > limits.ratio_floor and n_bytes > limits.ratio * n_packed:
        rule = f"may decompress to at most {limits.ratio} times its size ({n_packed:,} bytes)"
        raise ImportFailed(name, rule, got=Unquoted(f"{n_bytes:,} bytes or more"))


def check_rows(n_rows: int, *, name: str, limits: FileLimits = LIMITS) -> None:
    """Raise ImportFailed if a table has too many rows."""
    if n_rows > limits.n_rows:
        rule = f"may hold at most {limits.n_rows:,} rows{limits.advice}"
        raise ImportFailed(name, rule, got=Unquoted(f"{n_rows:,} or more"))


def read_limited(stream: Readable, *, n_packed: int, name: str, limits: FileLimits = LIMITS) -> bytes:
    """Read an entire stream; raise ImportFailed as soon as it exceeds the limits."""
    content = bytearray()
    while step := stream.read(_STEP):
        content += step
        check_size(len(content), n_packed=n_packed, name=name, limits=limits)
    return bytes(content)
