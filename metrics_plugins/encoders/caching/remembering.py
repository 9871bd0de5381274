"""Encode each input once: use cached vectors from memory and disk, and compute only the rest."""

from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from metrics_plugins.encoders.caching.disk import open_disk
from metrics_plugins.encoders.caching.memory import open_memory

Floats = npt.NDArray[np.float32]

_COMPUTED_AT_ONCE = 8192


def encode_remembered(
    keys: Sequence[str], *, digest: str, dimension: int, compute: Callable[[Sequence[str]], Floats]
) -> Floats:
    """Return `(n_keys, dimension)`: the vector of each key.

    Args:
        keys: The key of each input: the text itself, or the digest of an image. Equal keys are computed once.
        digest: Identifies what vectors depend on besides the keys.
        dimension: The length of a vector.
        compute: Called with distinct keys; returns `(n_keys, dimension)`. The result is stored before the next call,
            so that an interrupted run can continue from there.
    """
    place_of: dict[str, int] = {}
    places = np.fromiter((place_of.setdefault(key, len(place_of)) for key in keys), np.int64, len(keys))
    distinct = list(place_of)
    found = np.empty((len(distinct), dimension), dtype=np.float32)
    absent = _recall(distinct, found, digest=digest)
    for start in range(0, len(absent), _COMPUTED_AT_ONCE):
        chosen = absent[start : start + _COMPUTED_AT_ONCE]
        wanted = [distinct[place] for place in chosen]
        found[chosen] = compute(wanted)
        _keep(wanted, found[chosen], digest=digest)
    return found[places]


def remember(keys: Sequence[str], vectors: Floats, *, digest: str) -> None:
    """Store vectors that were computed in another way, for use by `encode_remembered`.

    Args:
        keys: As for `encode_remembered`, without duplicates.
        vectors: `(n_keys, dimension)`: exactly the vectors that it would compute.
        digest: As for `encode_remembered`.
    """
    absent = _recall(keys, np.empty_like(vectors), digest=digest)
    if absent:
        _keep([keys[place] for place in absent], vectors[absent], digest=digest)


def _recall(keys: Sequence[str], found: Floats, *, digest: str) -> list[int]:
    """Fill in cached vectors and return the positions of the rest."""
    memory = open_memory()
    absent = []
    for place, key in enumerate(keys):
        vector = memory.get((digest, key))
        if isinstance(vector, np.ndarray):
            found[place] = vector
        else:
            absent.append(place)
    disk = open_disk(digest, dimension=found.shape[1])
    if disk is None or not absent:
        return absent
    hashes = [hash_key(keys[place]) for place in absent]
    stored = disk.read(hashes)
    still_absent = []
    for place, hashed in zip(absent, hashes, strict=True):
        if hashed in stored:
            found[place] = stored[hashed]
            memory.put((digest, keys[place]), stored[hashed])
        else:
            still_absent.append(place)
    return still_absent


def _keep(keys: Sequence[str], vectors: Floats, *, digest: str) -> None:
    memory = open_memory()
    for key, vector in zip(keys, vectors, strict=True):
        memory.put((digest, key), vector.copy())
    disk = open_disk(digest, dimension=vectors.shape[1])
    if disk is not None:
        disk.write({hash_key(key): vector for key, vector in zip(keys, vectors, strict=True)})


def hash_key(key: str) -> bytes:
    """Return the 16-byte key of a vector on disk."""
    # Captions may contain lone surrogates, which UTF-8 cannot encode.
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()
