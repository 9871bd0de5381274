"""Files in an S3-compatible object store, for several servers; loaded only if `ACCORDANCE_STORAGE` names one."""

import os
import shutil
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage
from storages.utils import clean_name

from studies.storage.outages import ServiceUnreachable

_IN_MEMORY: Final = 8 * 2**20
_MISSING: Final = ("404", "NoSuchKey", "NotFound")
_SECONDS_TO_CONNECT, _SECONDS_TO_READ = 5, 20


@dataclass(frozen=True, slots=True)
class StoredObject:
    """One object: its name in the storage, its size in bytes, and when it was written."""

    name: str
    size: int
    changed_at: datetime


class ObjectStore(S3Storage):
    """The objects of a bucket, or of a folder in it.

    An object is written completely or not at all. Every method raises `ServiceUnreachable` if the store does not answer
    or refuses.
    """

    def __init__(self, **options: Any) -> None:
        is_of_amazon = not options.get("endpoint_url")
        options.setdefault(
            "client_config",
            Config(
                connect_timeout=_SECONDS_TO_CONNECT,
                read_timeout=_SECONDS_TO_READ,
                retries={"total_max_attempts": 3, "mode": "standard"},
                signature_version="s3v4",
                # Other servers need not have a host name for each bucket, nor know the newest checksums.
                s3={"addressing_style": "auto" if is_of_amazon else "path"},
                request_checksum_calculation="when_supported" if is_of_amazon else "when_required",
                response_checksum_validation="when_supported" if is_of_amazon else "when_required",
            ),
        )
        # Most files are small, and a pool of threads for each of them costs more than it saves.
        options.setdefault("transfer_config", TransferConfig(use_threads=False))
        super().__init__(**options)
        _STORES.add(self)

    def forget_connections(self) -> None:
        """Open new connections from now on: two processes must not read from the same one."""
        self._connections, self._bucket = threading.local(), None

    def list_objects(self, prefix: str) -> Iterator[StoredObject]:
        """Yield all objects whose name begins with a prefix, such as a folder with a final slash."""
        root = f"{self.location.strip('/')}/" if self.location.strip("/") else ""
        with _telling():
            for found in self.bucket.objects.filter(Prefix=root + prefix):
                yield StoredObject(found.key.removeprefix(root), found.size, found.last_modified)

    def delete_objects(self, prefix: str) -> None:
        """Delete all objects whose name begins with a prefix."""
        for found in list(self.list_objects(prefix)):
            self.delete(found.name)

    def delete(self, name: str) -> None:
        with _telling():
            super().delete(name)

    def exists(self, name: str) -> bool:
        with _telling():
            return bool(super().exists(name))

    def size(self, name: str) -> int:
        with _telling():
            return int(super().size(name))

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with _telling():
            folders, files = super().listdir(name)
            return folders, files

    def get_modified_time(self, name: str) -> datetime:
        with _telling():
            changed_at: datetime = super().get_modified_time(name)
            return changed_at

    def fetch(self, name: str) -> IO[bytes]:
        """Return the whole content of an object as an open temporary file, on disk if it is large.

        Raises:
            FileNotFoundError: There is no such object.
        """
        key = self._normalize_name(clean_name(name))
        with _telling():
            try:
                answer = self.connection.meta.client.get_object(Bucket=self.bucket_name, Key=key)
            except ClientError as error:
                if error.response["Error"]["Code"] in _MISSING:
                    raise FileNotFoundError(f"the store has no file {name!r}") from error
                raise
            content: IO[bytes] = SpooledTemporaryFile(max_size=_IN_MEMORY)  # type: ignore[assignment]  # noqa: SIM115
            shutil.copyfileobj(answer["Body"], content)
        content.seek(0)
        return content

    def _open(self, name: str, mode: str = "rb") -> File:
        if mode != "rb":
            raise ValueError(f"files in the store can only be read, got mode {mode!r}")
        # In one request, and before a response begins, so that a failure still becomes an error page.
        return _StoredFile(self, name)

    def _save(self, name: str, content: Any) -> str:
        with _telling():
            return str(super()._save(name, content))


class _StoredFile(File):
    """A fetched file, which can be opened again after it was closed."""

    def __init__(self, store: ObjectStore, name: str) -> None:
        super().__init__(store.fetch(name), name)
        self._store = store

    def open(self, mode: str | None = None, *_: Any, **__: Any) -> "_StoredFile":
        if mode not in (None, "rb"):
            raise ValueError(f"files in the store can only be read, got mode {mode!r}")
        if self.closed:
            self.file = self._store.fetch(self.name)
        self.seek(0)
        return self


_STORES: Final[weakref.WeakSet[ObjectStore]] = weakref.WeakSet()


def _forget_all() -> None:
    for store in _STORES:
        store.forget_connections()


os.register_at_fork(after_in_child=_forget_all)


@contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, Boto3Error, ClientError) as error:
        raise ServiceUnreachable(f"the object store of ACCORDANCE_STORAGE cannot be used: {error}") from error
