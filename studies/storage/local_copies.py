"""Paths of stored files for programs that read only files of this machine."""

import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.storage import Storage

FindPath = Callable[[str], Path]
"""Returns the path of a stored file by its name.

Raises FileNotFoundError if the object store has no such file, and ServiceUnreachable if it cannot be reached.
"""


@contextmanager
def make_local_copies(storage: Storage) -> Iterator[FindPath]:
    """Yield what finds paths: of the files themselves, or of copies of files in an object store.

    Each file is copied once, when it is first asked for; the copies are deleted at the end.
    """
    with TemporaryDirectory(prefix="copies-") as folder:

        def find(name: str) -> Path:
            try:
                return Path(storage.path(name))
            except NotImplementedError:
                return _copy(storage, name, folder=Path(folder))

        yield find


def _copy(storage: Storage, name: str, *, folder: Path) -> Path:
    # Names in the store are not valid names of files everywhere; readers of images look at the ending.
    path = folder / (hashlib.sha256(name.encode()).hexdigest() + Path(name).suffix)
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        with storage.open(name) as source, unfinished.open("wb") as target:
            shutil.copyfileobj(source, target)
        unfinished.replace(path)
    return path
