"""Reads entire files of an import, never from outside the given folder."""

import gzip
import hashlib
import zlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Protocol, Self

from correlation.errors import CorrelationInputError
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.limits import LIMITS, FileLimits, read_limited

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The content of a file, uncompressed, and its name for messages, without `.gz`."""

    name: str
    content: bytes

    def decode(self) -> str:
        """Return the content as text; raise ImportFailed with the line of a byte that is not UTF-8."""
        content = self.content.removeprefix(_BYTE_ORDER_MARK)
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            got = Unquoted(f"the byte 0x{content[error.start]:02x}")
            raise ImportFailed(SourceLocation(self.name, f"line {line}"), "must be valid UTF-8", got=got) from error


class Container(Protocol):
    """A container of files: a folder or an archive."""

    @property
    def name(self) -> str: ...

    def list_names(self, *patterns: str) -> list[str]: ...

    def read(self, names: Iterable[str]) -> list[SourceFile]: ...

    def read_one(self, name: str) -> SourceFile: ...

    def has(self, name: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """The folder given by `--from`."""

    path: Path

    @classmethod
    def open(cls, path: Path) -> Self:
        """Return the folder; raise ImportFailed if it does not exist."""
        if not path.is_dir():
            raise ImportFailed(str(path), "must be a folder", got=Unquoted("a file" if path.exists() else "nothing"))
        return cls(path.resolve())

    @property
    def name(self) -> str:
        return self.path.name

    def list_names(self, *patterns: str) -> list[str]:
        """Return the names of files that match a pattern, sorted; a compressed `x.gz` matches as `x`."""
        names = sorted(path.name for path in self.path.iterdir() if not path.is_dir())
        return [name for name in names if any(fnmatch(name.removesuffix(".gz"), pattern) for pattern in patterns)]

    def read(self, names: Iterable[str]) -> list[SourceFile]:
        """Read files of this folder."""
        return [read_file(self._find(name)) for name in names]

    def read_one(self, name: str) -> SourceFile:
        """Read the file of this name, or its compressed form `NAME.gz`."""
        present = [form for form in (name, f"{name}.gz") if (self.path / form).exists()]
        if not present:
            raise ImportFailed(name, f"is not in the folder {self.path}, nor is {name}.gz")
        return self.read(present[:1])[0]

    def has(self, name: str) -> bool:
        """Return whether the file of this name, or its compressed form, exists."""
        return any((self.path / form).exists() for form in (name, f"{name}.gz"))

    def _find(self, name: str) -> Path:
        target = (self.path / name).resolve()
        if not target.is_relative_to(self.path):
            raise ImportFailed(
                name, f"must be in the folder {self.path}", got=Unquoted(f"a link out of it to {target}")
            )
        return self.path / name


def read_file(path: Path, *, limits: FileLimits = LIMITS) -> SourceFile:
    """Read an entire file, uncompressed if its name ends in `.gz`.

    Raises ImportFailed if it is missing, not a regular file, damaged, truncated or too large.
    """
    name = path.name.removesuffix(".gz")
    if not path.is_file():
        raise ImportFailed(str(path), "must be a file", got=Unquoted("something else" if path.exists() else "nothing"))
    n_packed = path.stat().st_size
    try:
        with gzip.open(path) if path.name.endswith(".gz") else path.open("rb") as stream:
            return SourceFile(name, read_limited(stream, n_packed=n_packed, name=path.name, limits=limits))
    except EOFError as error:
        raise ImportFailed(path.name, "is truncated: its compressed data ends too early") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise ImportFailed(path.name, f"is damaged: {error}") from error
    except OSError as error:
        raise ImportFailed(path.name, f"cannot be read: {error.strerror}") from error


def digest_files(files: Iterable[SourceFile]) -> str:
    """Return the SHA-256 of the names and contents of files, in the given order."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.name}\0{len(file.content)}\0".encode())
        digest.update(file.content)
    return digest.hexdigest()


def check_output(path: Path | None, *, formats: Collection[str], what: str, of: str = "") -> None:
    """Raise CorrelationInputError if a path has none of these endings, or is in no folder."""
    if path is None:
        return
    if path.suffix not in formats:
        raise CorrelationInputError(f"{what} is written as {', '.join(formats)}, got {path.name!r}")
    if not path.parent.is_dir():
        raise CorrelationInputError(f"there is no folder {path.parent} for {of or path.name}")
