"""The references of images with a candidate, in a file on disk, by image."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from metrics_plugins.api import Batch
from metrics_plugins.large_tables.captions import CAPTION, IMAGE, CaptionTable

_ROWS_AT_ONCE: Final = 65_536
_IMAGES_AT_ONCE: Final = 10_000
_NAMES_PER_STATEMENT: Final = 900
_TABLES: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -65536;
PRAGMA temp_store = FILE;
CREATE TABLE candidate (image TEXT PRIMARY KEY, file INTEGER, row INTEGER) WITHOUT ROWID;
CREATE TABLE reference (image TEXT, caption TEXT);
CREATE TABLE image (image TEXT PRIMARY KEY, captions TEXT) WITHOUT ROWID;
"""


class ReferenceIndex:
    """The references by image, which are found in time that does not depend on their number.

    SQLite holds them: its pages in memory are limited to 64 MiB, and it sorts in files.
    """

    def __init__(self, path: Path) -> None:
        # Where SQLite sorts; by default in a folder that may be in memory.
        os.environ["SQLITE_TMPDIR"] = str(path.parent)
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.executescript(_TABLES)

    def close(self) -> None:
        self._connection.close()

    def fill(self, candidates: CaptionTable, references: CaptionTable | None) -> None:
        """Store the images of all candidates, and the references of these in the order of their table.

        Raises:
            InputError: A cell is invalid, or the image of a candidate has no references; names the first candidate.
        """
        self._connection.execute("BEGIN")
        for number, file in enumerate(candidates.files):
            row = 0
            for part in candidates.read_batches(file, size=_ROWS_AT_ONCE):
                self._add_images(part, number, row)
                row += len(part)
        if references is not None:
            for file in references.files:
                for part in references.read_batches(file, size=_ROWS_AT_ONCE):
                    pairs = zip(part[IMAGE].to_pylist(), part[CAPTION].to_pylist(), strict=True)
                    self._connection.executemany("INSERT INTO reference VALUES (?, ?)", pairs)
            self._connection.executemany("INSERT INTO image VALUES (?, ?)", self._group())
            self._connection.execute("DROP TABLE reference")
        self._connection.execute("COMMIT")
        if references is not None:
            self._refuse_missing(candidates, references)

    def _add_images(self, part: pa.Table, number: int, first_row: int) -> None:
        encoded = pc.dictionary_encode(part[IMAGE].combine_chunks())
        firsts: dict[int, int] = {}
        for row, code in enumerate(encoded.indices.to_pylist()):
            firsts.setdefault(code, first_row + row)
        named = zip(encoded.dictionary.to_pylist(), firsts.values(), strict=True)
        self._connection.executemany(
            "INSERT OR IGNORE INTO candidate VALUES (?, ?, ?)", ((image, number, row) for image, row in named)
        )

    def _group(self) -> Iterator[tuple[str, str]]:
        with closing(self._connection.cursor()) as cursor:
            rows = cursor.execute(
                "SELECT image, caption FROM reference WHERE image IN (SELECT image FROM candidate) "
                "ORDER BY image, rowid"
            )
            for image, found in groupby(rows, key=lambda row: row[0]):
                yield image, json.dumps([caption for _, caption in found], ensure_ascii=False)

    def _refuse_missing(self, candidates: CaptionTable, references: CaptionTable) -> None:
        missing = self._connection.execute(
            "SELECT file, row, image FROM candidate WHERE image NOT IN (SELECT image FROM image) "
            "ORDER BY file, row LIMIT 1"
        ).fetchone()
        if missing is not None:
            number, row, image = missing
            rule = f"image {image} has no references in {references.storage}"
            raise candidates.files[number].refuse(row, column=IMAGE, rule=rule)

    @property
    def n_images(self) -> int:
        """The number of images with a candidate."""
        return int(self._connection.execute("SELECT count(*) FROM candidate").fetchone()[0])

    def find(self, images: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the references of images, each in the order of the table."""
        names = list(dict.fromkeys(images))
        found: dict[str, tuple[str, ...]] = {}
        for start in range(0, len(names), _NAMES_PER_STATEMENT):
            found.update(self._find_few(names[start : start + _NAMES_PER_STATEMENT]))
        return found

    def _find_few(self, names: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        marks = ", ".join("?" * len(names))
        statement = f"SELECT image, captions FROM image WHERE image IN ({marks})"  # noqa: S608 - only question marks
        for image, captions in self._connection.execute(statement, names):
            yield image, tuple(json.loads(captions))

    def make_documents(self) -> Iterator[Batch]:
        """Yield the references of all images, one row for each, by ascending image id, in batches."""
        with closing(self._connection.cursor()) as cursor:
            cursor.execute("SELECT image, captions FROM image ORDER BY image")
            while rows := cursor.fetchmany(_IMAGES_AT_ONCE):
                yield Batch.make([image for image, _ in rows], references=[json.loads(texts) for _, texts in rows])
