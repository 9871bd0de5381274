"""Tests of files of word vectors in every format, and of invalid ones."""

import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.word_movers.vector_files import is_vector_file, read_vector_file

LINES = "dog 1 2.5\ncat -1 0\n"


def test_all_formats_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text(LINES)
    (tmp_path / "word2vec.vec").write_text(f"2 2\n{LINES}")
    (tmp_path / "packed.txt.gz").write_bytes(gzip.compress(LINES.encode()))
    np.savez(tmp_path / "a.npz", words=np.array(["dog", "cat"]), vectors=np.array([[1, 2.5], [-1, 0]]))

    for name in ("glove.txt", "word2vec.vec", "packed.txt.gz", "a.npz"):
        assert is_vector_file(name)
        vectors = read_vector_file(str(tmp_path / name))
        assert (vectors.name, vectors.dimension) == (name, 2)
        assert vectors.encode(["cat", "dog"]).tolist() == [[-1, 0], [1, 2.5]]
        assert np.isnan(vectors.encode(["Dog"])).all()
    assert not is_vector_file("glove")
    assert not is_vector_file("features:images.npz")


def test_a_word_that_stands_twice_has_its_first_vector(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{LINES}dog 7 7\n")
    np.savez(tmp_path / "a.npz", words=np.array(["dog", "cat", "dog"]), vectors=np.array([[1, 2.5], [-1, 0], [7, 7]]))

    for name in ("a.txt", "a.npz"):
        assert read_vector_file(str(tmp_path / name)).encode(["dog", "cat"]).tolist() == [[1, 2.5], [-1, 0]]


def test_the_digest_is_that_of_the_content_however_it_is_packed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LINES)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(LINES.encode(), mtime=1))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("vectors/a.txt", LINES)

    plain, packed, member = (read_vector_file(str(tmp_path / name)) for name in ("a.txt", "b.txt.gz", "c.zip!a.txt"))

    assert plain.digest == packed.digest == member.digest
    assert member.encode(["cat"]).tolist() == [[-1, 0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dog 1 2\ncat 1\n", r"a\.txt: line 2: must have 2 numbers like the lines before, got 1"),
        ("dog 1 x\n", r"a\.txt: line 1: must be a word and its numbers, got: could not convert string"),
        ("dog\n", r"a\.txt: line 1: must be a word and its numbers"),
        ("2 2\n", r"a\.txt: must hold word vectors, got none"),
    ],
)
def test_a_broken_line_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)

    with pytest.raises(MetricError, match=message):
        read_vector_file(str(tmp_path / "a.txt"))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"no archive")
    np.savez(tmp_path / "b.npz", words=np.array(["dog"]), vectors=np.zeros((2, 3)))
    np.savez(tmp_path / "c.npz", words=np.array(["dog"], dtype=object), vectors=np.zeros((1, 3)))

    with pytest.raises(MetricError, match=r"a\.npz: must be an \.npz file"):
        read_vector_file(str(tmp_path / "a.npz"))
    with pytest.raises(MetricError, match=r"b\.npz: 'words' must have shape .* got \(1,\) and \(2, 3\)"):
        read_vector_file(str(tmp_path / "b.npz"))
    # An array of objects is a pickle, which could run anything.
    with pytest.raises(MetricError, match=r"c\.npz: must be an \.npz file .* allow_pickle=False"):
        read_vector_file(str(tmp_path / "c.npz"))
    with pytest.raises(MetricError, match=r"d\.txt: cannot be read"):
        read_vector_file(str(tmp_path / "d.txt"))
