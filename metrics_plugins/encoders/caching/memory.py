"""In-memory cache of embeddings with bounded size."""

from collections import OrderedDict
from collections.abc import Hashable
from functools import cache
from threading import Lock
from typing import Final, Generic, Protocol, TypeVar

_MOST_BYTES: Final = 256 * 2**20
_BYTES_OF_AN_ENTRY: Final = 400


class Sized(Protocol):
    """A value that knows its size in bytes."""

    @property
    def nbytes(self) -> int: ...


T = TypeVar("T", bound=Sized)


class Memory(Generic[T]):
    """Values by key; the least recently used are dropped when they exceed `max_bytes` in total."""

    def __init__(self, *, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.n_bytes = 0
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> T | None:
        """Return the value of a key, or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: T) -> None:
        """Store a value, which must not be a view of a larger array."""
        with self._lock:
            old = self._values.pop(key, None)
            if old is not None:
                self.n_bytes -= old.nbytes + _BYTES_OF_AN_ENTRY
            self._values[key] = value
            self.n_bytes += value.nbytes + _BYTES_OF_AN_ENTRY
            while self.n_bytes > self.max_bytes:
                _, forgotten = self._values.popitem(last=False)
                self.n_bytes -= forgotten.nbytes + _BYTES_OF_AN_ENTRY


@cache
def open_memory() -> Memory[Sized]:
    """Return the cache of this process, which is useful because the batches of a run share references."""
    return Memory(max_bytes=_MOST_BYTES)
