"""Readers of the user's own word vectors: text files as written by word2vec and GloVe, and NumPy's `.npz`."""

import hashlib
import re
import zipfile
from pathlib import Path
from typing import Final

import numpy as np

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.word_movers.vectors import Floats, Table, WordVectors, number_words
from metrics_plugins.readers import InputError
from metrics_plugins.readers.text import read_bytes, read_text

_PREFIX: Final = re.compile(r"[a-z]{2,}:")
_ENDINGS: Final = (".txt", ".vec", ".txt.gz", ".vec.gz", ".npz")


def is_vector_file(name: str) -> bool:
    """Return whether a name is that of a file of word vectors: `.txt` or `.vec` (also compressed), or `.npz`.

    Names with a prefix, such as `features:FILE.npz`, belong to other kinds of encoders.
    """
    return name.endswith(_ENDINGS) and not _PREFIX.match(name)


def read_vector_file(name: str) -> WordVectors:
    """Return the vectors of a file.

    A text file has a word and its numbers on each line, separated by spaces; a first line of two whole numbers (of
    words and of dimensions) is skipped. An `.npz` file has the arrays `words` and `vectors`.

    Raises:
        MetricError: The file cannot be read or is invalid; the message names the line.
    """
    path = Path(name)
    load = _read_npz if name.endswith(".npz") else _read_text
    _, vectors = load(path)
    return WordVectors(
        name=path.name.translate({ord(mark): "-" for mark in "|:"}),
        digest=hashlib.sha256(read_bytes(path)).hexdigest()[:12],
        dimension=vectors.shape[1],
        load=load,
        paths=(path,),
    )


def _read_text(path: Path) -> Table:
    try:
        text = read_text(path)
    except InputError as error:
        raise MetricError(str(error)) from error
    rows: dict[str, Floats] = {}
    dimension = 0
    for number, line in enumerate(text.split("\n"), start=1):
        word, _, numbers = line.rstrip().partition(" ")
        values = numbers.split(" ")
        if not word or (number == 1 and len(values) == 1 and word.isdigit()):
            continue
        dimension = dimension or len(values)
        try:
            vector = np.array(values, dtype=np.float32)
        except ValueError as error:
            raise MetricError(f"{path}: line {number}: must be a word and its numbers, got: {error}") from error
        if len(vector) != dimension:
            raise MetricError(
                f"{path}: line {number}: must have {dimension} numbers like the lines before, got {len(vector)}"
            )
        rows.setdefault(word, vector)
    if not rows:
        raise MetricError(f"{path}: must hold word vectors, got none")
    return number_words(rows), np.stack(list(rows.values()))


def _read_npz(path: Path) -> Table:
    try:
        with np.load(path, allow_pickle=False) as content:
            words, vectors = content["words"], content["vectors"].astype(np.float32)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise MetricError(
            f"{path}: must be an .npz file with the arrays 'words' and 'vectors', got: {error}"
        ) from error
    if vectors.ndim != 2 or words.shape != vectors.shape[:1] or not len(words):
        raise MetricError(
            f"{path}: 'words' must have shape (n,) and 'vectors' (n, dimension), got {words.shape} and {vectors.shape}"
        )
    # As in text files, the first vector of a duplicate word counts.
    firsts = np.sort(np.unique(words, return_index=True)[1])
    return number_words(map(str, words[firsts])), vectors[firsts]
