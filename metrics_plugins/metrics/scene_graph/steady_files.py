"""Files that a metric reads later, possibly in another process, and that must not have changed by then."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from metrics_plugins.readers import InputError
from metrics_plugins.readers.text import read_bytes, read_text


@dataclass(frozen=True, slots=True)
class SteadyFile:
    """A file, compressed or not, that is identified by its content.

    Attributes:
        path: The file.
        digest: The digest of its uncompressed content.
    """

    path: Path
    digest: str

    @classmethod
    def open(cls, path: str) -> Self:
        """Return the file with its digest.

        Raises:
            InputError: It cannot be read.
        """
        return cls(Path(path), _digest(Path(path)))

    def read(self) -> str:
        """Return its text.

        Raises:
            InputError: It cannot be read, or has changed since it was opened.
        """
        if _digest(self.path) != self.digest:
            raise InputError(f"{self.path}: must stay as it is while metrics use it, but its content has changed")
        return read_text(self.path)


def _digest(path: Path) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()[:12]
