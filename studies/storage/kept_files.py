"""Files that one process writes and another reads: in a local folder, or in the object store if there is one.

Names are relative, with slashes: the first part is the folder of one upload or the name of one file.
"""

import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import storages

if TYPE_CHECKING:
    from studies.storage.object_store import ObjectStore, StoredObject

REPLACING: Final = "replacing"
"""The alias of the storage in which a name can be written again; only if there is an object store."""


class KeptFiles(Protocol):
    """A place for files."""

    def open(self, name: str) -> IO[bytes]:
        """Return an open file. Raises FileNotFoundError."""
        ...

    def write(self, name: str, chunks: Iterable[bytes]) -> None:
        """Write a file; readers see the old content or the new one."""
        ...

    def delete(self, name: str) -> None:
        """Delete a file, or a folder with its content, if it is there."""
        ...

    def list_names(self) -> list[str]:
        """Return the names of folders and files that are not in a folder."""
        ...

    def measure(self, folder: str) -> int:
        """Return the number of bytes in a folder."""
        ...

    def find_time(self, name: str) -> datetime:
        """Return when a file was written, or something in a folder was last. Raises FileNotFoundError."""
        ...

    @contextmanager
    def share(self, folder: str) -> Iterator[Path]:
        """Yield a local folder with the content of a folder, for reading."""
        ...


def find_kept_files(folder: Path) -> KeptFiles:
    """Return the files of a folder in `ACCORDANCE_VAR`, which is a prefix of that name if there is an object store."""
    return StoredFiles(folder.name) if REPLACING in settings.STORAGES else LocalFiles(folder)


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """Files in a folder that only this user can read."""

    root: Path

    def open(self, name: str) -> IO[bytes]:
        return (self.root / name).open("rb")

    def write(self, name: str, chunks: Iterable[bytes]) -> None:
        path = self.root / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = path.with_name(f".{secrets.token_hex(8)}")
        try:
            with new.open("wb") as file:
                for chunk in chunks:
                    file.write(chunk)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        path = self.root / name
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)

    def list_names(self) -> list[str]:
        return sorted(path.name for path in self.root.iterdir()) if self.root.is_dir() else []

    def measure(self, folder: str) -> int:
        n_bytes = 0
        for path in (self.root / folder).rglob("*"):
            # Another process may be deleting it.
            with suppress(FileNotFoundError):
                n_bytes += path.stat().st_size if path.is_file() else 0
        return n_bytes

    def find_time(self, name: str) -> datetime:
        return datetime.fromtimestamp((self.root / name).stat().st_mtime, tz=UTC)

    @contextmanager
    def share(self, folder: str) -> Iterator[Path]:
        yield self.root / folder


@dataclass(frozen=True, slots=True)
class StoredFiles:
    """Files in the object store, under a prefix."""

    prefix: str

    @property
    def _store(self) -> "ObjectStore":
        store: ObjectStore = storages[REPLACING]
        return store

    def open(self, name: str) -> IO[bytes]:
        return self._store.fetch(f"{self.prefix}/{name}")

    def write(self, name: str, chunks: Iterable[bytes]) -> None:
        with tempfile.TemporaryFile() as file:
            for chunk in chunks:
                file.write(chunk)
            self._store.save(f"{self.prefix}/{name}", File(file, name=name))

    def delete(self, name: str) -> None:
        self._store.delete(f"{self.prefix}/{name}")
        self._store.delete_objects(f"{self.prefix}/{name}/")

    def list_names(self) -> list[str]:
        folders, files = self._store.listdir(self.prefix)
        return sorted([*folders, *files])

    def measure(self, folder: str) -> int:
        return sum(found.size for found in self._list(folder))

    def find_time(self, name: str) -> datetime:
        found = [each.changed_at for each in self._list(name)]
        return max(found) if found else self._store.get_modified_time(f"{self.prefix}/{name}")

    @contextmanager
    def share(self, folder: str) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="shared-") as copy:
            for found in self._list(folder):
                path = Path(copy) / found.name.removeprefix(f"{self.prefix}/{folder}/")
                path.parent.mkdir(parents=True, exist_ok=True)
                # Otherwise an upload that was deleted in between would look damaged.
                with suppress(FileNotFoundError), self._store.fetch(found.name) as source, path.open("wb") as target:
                    shutil.copyfileobj(source, target)
            yield Path(copy)

    def _list(self, folder: str) -> "Iterable[StoredObject]":
        return self._store.list_objects(f"{self.prefix}/{folder}/")
