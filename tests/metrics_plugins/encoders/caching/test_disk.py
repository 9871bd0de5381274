"""Tests of the disk cache, which persists, is complete or absent, and never causes errors."""

import logging
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.encoders.caching.disk import DiskStore, open_disk

KEYS = [bytes([number]) * 16 for number in range(5)]
VECTORS = {key: np.arange(3, dtype=np.float32) + number for number, key in enumerate(KEYS)}


@pytest.fixture
def store(tmp_path: Path) -> DiskStore:
    return DiskStore(path=tmp_path / "new" / "x.sqlite3", dimension=3)


def _read(store: DiskStore) -> dict[bytes, list[float]]:
    return {key: vector.tolist() for key, vector in store.read(KEYS).items()}


def test_what_is_written_is_read(store: DiskStore) -> None:
    store.write({key: VECTORS[key] for key in KEYS[:2]})
    store.write({key: VECTORS[key] for key in KEYS[1:3]})

    assert _read(store) == {KEYS[0]: [0, 1, 2], KEYS[1]: [1, 2, 3], KEYS[2]: [2, 3, 4]}


def test_nothing_is_made_by_reading(store: DiskStore) -> None:
    assert store.read(KEYS) == {}
    assert not store.path.parent.exists()


def test_more_keys_than_one_question_takes(store: DiskStore) -> None:
    many = {number.to_bytes(16, "big"): np.full(3, number, np.float32) for number in range(1234)}
    store.write(many)

    assert sorted(store.read(list(many))) == sorted(many)


def test_a_damaged_vector_is_absent(store: DiskStore) -> None:
    store.write(VECTORS)
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE embedding SET vector = zeroblob(12) WHERE key = ?", [KEYS[0]])
        connection.execute("UPDATE embedding SET vector = zeroblob(8) WHERE key = ?", [KEYS[1]])
    connection.close()

    assert sorted(_read(store)) == KEYS[2:]


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_damaged_file_is_computed_again(store: DiskStore, content: bytes) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(content)

    assert store.read(KEYS) == {}
    store.write(VECTORS)
    store.write(VECTORS)
    assert sorted(_read(store)) == KEYS


def test_a_damaged_file_is_told_and_set_aside(store: DiskStore, caplog: pytest.LogCaptureFixture) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(b"not a database")

    with caplog.at_level(logging.WARNING):
        store.read(KEYS)

    assert [record.getMessage() for record in caplog.records] == [
        f"embeddings are computed again, {store.path} is damaged: file is not a database"
    ]
    assert [path.name for path in store.path.parent.iterdir()] == ["x.damaged"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    store = DiskStore(path=tmp_path / "file" / "x.sqlite3", dimension=3)

    with caplog.at_level(logging.WARNING):
        store.write(VECTORS)

    assert [record.getMessage().split(":")[0] for record in caplog.records] == ["embeddings are not kept"]
    assert store.read(KEYS) == {}


def test_processes_write_at_once(store: DiskStore) -> None:
    program = (
        "import sys, numpy as np; from pathlib import Path\n"
        "from metrics_plugins.encoders.caching.disk import DiskStore\n"
        "store = DiskStore(path=Path(sys.argv[1]), dimension=3); first = int(sys.argv[2])\n"
        "for number in range(first, first + 40):\n"
        "    store.write({number.to_bytes(16, 'big'): np.full(3, number, np.float32)})\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(store.path), str(first)]) for first in (0, 20, 1000)
    ]
    assert [process.wait() for process in running] == [0, 0, 0]

    keys = [number.to_bytes(16, "big") for number in (*range(60), *range(1000, 1040))]
    assert {key: vector[0] for key, vector in store.read(keys).items()} == {
        key: float(int.from_bytes(key, "big")) for key in keys
    }


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_disk("abc", dimension=3) is None

    monkeypatch.setenv("ACCORDANCE_EMBEDDINGS", str(tmp_path))
    assert open_disk("abc", dimension=3) == DiskStore(path=tmp_path / "abc.sqlite3", dimension=3)
