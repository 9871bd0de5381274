"""Values that all calls of an executor use, and that each worker process receives once."""

import pickle
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

_MOST_KEPT: Final = 4
"""The workers of a cluster may serve several callers in turn."""


class Shared(Protocol):
    """The form in which a value travels to worker processes."""

    def get(self) -> Any:
        """Return the value; a worker process unpickles it at the first call only."""


@dataclass(frozen=True, slots=True)
class Present:
    """A value for calls in this process."""

    value: Any

    def get(self) -> Any:
        return self.value


@dataclass(frozen=True, slots=True)
class InFile:
    """A pickled value in a file, for processes of this machine."""

    path: Path

    def get(self) -> Any:
        return _receive(str(self.path), self.path.read_bytes)


@dataclass(frozen=True, slots=True)
class Pickled:
    """A pickled value that a cluster takes to its workers."""

    content: bytes
    token: str = field(default_factory=lambda: secrets.token_hex(16))

    def get(self) -> Any:
        return _receive(self.token, lambda: self.content)


_received: Final[OrderedDict[str, Any]] = OrderedDict()
"""The values most recently used by this worker process."""


def _receive(token: str, read: Any) -> Any:
    if token not in _received:
        _received[token] = pickle.loads(read())  # noqa: S301 - from the process that asked
        while len(_received) > _MOST_KEPT:
            _received.popitem(last=False)
    _received.move_to_end(token)
    return _received[token]
