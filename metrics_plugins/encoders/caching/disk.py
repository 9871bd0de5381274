"""Persistent cache of embeddings: one SQLite file per encoder, safe for concurrent processes."""

import logging
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

FOLDER_VARIABLE: Final = "ACCORDANCE_EMBEDDINGS"
_SECONDS_TO_WAIT: Final = 60.0
_ASKED_AT_ONCE: Final = 500
_TABLE: Final = "CREATE TABLE IF NOT EXISTS embedding (key BLOB PRIMARY KEY, vector BLOB, crc INTEGER) WITHOUT ROWID"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DiskStore:
    """Vectors by key in a file. A damaged vector counts as missing, and a damaged file is moved aside.

    Each write is one transaction, so that it is visible to other processes completely or not at all, even if the
    writing process is killed. The cache is optional: a failed write is logged, and vectors are recomputed next time.

    Attributes:
        path: The file; it and its folder are created when something is stored.
        dimension: The length of a vector.
    """

    path: Path
    dimension: int

    def read(self, keys: Sequence[bytes]) -> dict[bytes, Floats]:
        """Return the vectors that are stored and undamaged."""
        found: dict[bytes, Floats] = {}
        if not self.path.is_file():
            return found
        with self._open() as connection:
            for start in range(0, len(keys), _ASKED_AT_ONCE):
                asked = keys[start : start + _ASKED_AT_ONCE]
                marks = ",".join("?" * len(asked))
                rows = connection.execute(
                    f"SELECT key, vector, crc FROM embedding WHERE key IN ({marks})",  # noqa: S608  only marks
                    list(asked),
                )
                found |= {
                    key: vector for key, content, crc in rows if (vector := self._check(content, crc)) is not None
                }
        return found

    def write(self, vectors: Mapping[bytes, Floats]) -> None:
        """Store vectors, replacing existing ones."""
        rows = []
        for key, vector in vectors.items():
            content = np.ascontiguousarray(vector, dtype="<f4").tobytes()
            rows.append((key, content, zlib.crc32(content)))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            _log.warning("embeddings are not kept: %s: %s", self.path.parent, error)
            return
        with self._open() as connection, connection:
            connection.execute(_TABLE)
            connection.executemany("INSERT OR REPLACE INTO embedding VALUES (?, ?, ?)", rows)

    def _check(self, content: object, crc: object) -> Floats | None:
        if not isinstance(content, bytes) or len(content) != 4 * self.dimension or zlib.crc32(content) != crc:
            return None
        return np.frombuffer(content, dtype="<f4").astype(np.float32)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        # A new connection for each call, since SQLite connections must not be used in a forked process.
        try:
            with closing(sqlite3.connect(self.path, timeout=_SECONDS_TO_WAIT)) as connection:
                yield connection
        except sqlite3.OperationalError as error:
            # The table does not exist yet, the disk is full, or the folder is not writable.
            if "no such table" not in str(error):
                _log.warning("embeddings are not kept: %s: %s", self.path, error)
        except sqlite3.DatabaseError as error:
            _log.warning("embeddings are computed again, %s is damaged: %s", self.path, error)
            self._set_aside()

    def _set_aside(self) -> None:
        # Another process may have moved it already.
        if self.path.is_file():
            self.path.replace(self.path.with_suffix(".damaged"))


def open_disk(digest: str, *, dimension: int) -> DiskStore | None:
    """Return the store of an encoder in the folder given by ACCORDANCE_EMBEDDINGS; None if it is not set."""
    folder = os.environ.get(FOLDER_VARIABLE, "")
    return DiskStore(path=Path(folder) / f"{digest}.sqlite3", dimension=dimension) if folder else None
