"""Files and folders by path or URL (`s3://bucket/folder`): listed, read, and written whole."""

import hashlib
import io
import posixpath
import re
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from metrics_plugins.readers import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_BYTES_AT_ONCE: Final = 1 << 20


class Storage(ABC):
    """A file or folder at an address, which is a path or URL; names are relative to a folder."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __str__(self) -> str:
        return self.address

    @property
    def local_folder(self) -> Path | None:
        """The folder on this machine's disk; None for a URL."""
        return None

    @abstractmethod
    def is_folder(self) -> bool:
        """Return whether the address is a folder."""

    @abstractmethod
    def list_names(self, ending: str) -> list[str]:
        """Return the names of the files in this folder and those below it with this ending, sorted; none hidden."""

    @abstractmethod
    def open(self, name: str = "") -> IO[bytes]:
        """Open a file of this folder, or this file itself, for reading; raises FileNotFoundError if it is missing."""

    @abstractmethod
    def read_bytes(self, name: str) -> bytes:
        """Return a file of this folder as it was at one time; raises FileNotFoundError if it is missing."""

    @abstractmethod
    def take(self, file: Path, name: str) -> None:
        """Move a local file into this folder, which is made if it is missing; a file of that name is replaced."""

    def locate(self, name: str) -> str:
        """Return the address of a file of this folder; of this file itself without a name."""
        return posixpath.join(self.address, name) if name else self.address

    def digest(self, name: str = "") -> str:
        """Return the SHA-256 of a file's content."""
        with self.open(name) as file:
            return digest_file(file)


class LocalStorage(Storage):
    """A file or folder on this machine's disk."""

    @property
    def path(self) -> Path:
        return Path(self.address)

    @property
    def local_folder(self) -> Path | None:
        return self.path

    def is_folder(self) -> bool:
        return self.path.is_dir()

    def list_names(self, ending: str) -> list[str]:
        names = (path.relative_to(self.path) for path in self.path.rglob(f"*{ending}") if path.is_file())
        return sorted(name.as_posix() for name in names if not _is_hidden(name.parts))

    def open(self, name: str = "") -> IO[bytes]:
        return (self.path / name if name else self.path).open("rb")

    def read_bytes(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def take(self, file: Path, name: str) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        file.replace(self.path / name)


class RemoteStorage(Storage):
    """A file or folder at a URL that fsspec knows."""

    def __init__(self, address: str) -> None:
        super().__init__(address.rstrip("/"))
        try:
            import fsspec
        except ImportError as error:
            raise InputError(f"{address}: URLs need the package fsspec: pip install 'accordance[tables]'") from error
        try:
            self._files, self._root = fsspec.core.url_to_fs(self.address)
        except (ImportError, ValueError) as error:
            raise InputError(f"{address}: cannot be opened: {error}") from error

    def is_folder(self) -> bool:
        self._files.invalidate_cache()
        with _explaining(self.address):
            return bool(self._files.isdir(self._root))

    def list_names(self, ending: str) -> list[str]:
        root = self._files._strip_protocol(self._root).rstrip("/") + "/"
        with _explaining(self.address):
            found = self._files.find(self._root)
        names = (path.removeprefix(root) for path in found if path.endswith(ending))
        return sorted(name for name in names if not _is_hidden(tuple(name.split("/"))))

    def open(self, name: str = "") -> IO[bytes]:
        path = posixpath.join(self._root, name) if name else self._root
        with _explaining(self.locate(name)):
            opened: Any = self._files.open(path, "rb")
            return io.BufferedReader(opened, _BYTES_AT_ONCE) if not hasattr(opened, "read1") else opened

    def read_bytes(self, name: str) -> bytes:
        # By one request, so that a file that is replaced meanwhile is the old or the new one.
        with _explaining(self.locate(name)):
            content: bytes = self._files.cat_file(posixpath.join(self._root, name))
            return content

    def take(self, file: Path, name: str) -> None:
        try:
            with _explaining(self.locate(name)):
                # Buckets have no folders to be made, and `makedirs` would make a bucket whose name is misspelt.
                if self._root.startswith("/"):
                    self._files.makedirs(self._root, exist_ok=True)
                # An object appears only when it is complete.
                self._files.put_file(str(file), posixpath.join(self._root, name))
        except FileNotFoundError as error:
            raise InputError(f"{self.locate(name)}: cannot be written, there is no such bucket or folder") from error
        file.unlink()


def find_storage(address: str) -> Storage:
    """Return the storage of a path or URL, which need not exist.

    Raises:
        InputError: The protocol of the URL is unknown, or its package is not installed.
    """
    if not address:
        raise InputError("an address of a file or folder must not be empty")
    return RemoteStorage(address) if _SCHEME.match(address) else LocalStorage(address)


def digest_file(file: IO[bytes]) -> str:
    """Return the SHA-256 of the rest of an open file."""
    digest = hashlib.sha256()
    while part := file.read(_BYTES_AT_ONCE):
        digest.update(part)
    return digest.hexdigest()


def _is_hidden(parts: tuple[str, ...]) -> bool:
    return any(part.startswith((".", "_")) for part in parts)


@contextmanager
def _explaining(address: str) -> "Iterator[None]":
    """Raise `InputError` for what a service answers, other than that a file is missing."""
    try:
        yield
    except (FileNotFoundError, InputError):
        raise
    except Exception as error:
        raise InputError(f"{address}: cannot be reached: {type(error).__name__}: {error}") from error
