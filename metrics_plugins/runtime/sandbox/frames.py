"""Messages exchanged with a sandboxed process: JSON fields and a block of bytes.

Data from a plugin's process is never unpickled, since unpickling can run code.
"""

import json
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_HEADER = struct.Struct(">II")
# NUL and lone surrogates cannot be stored in a database; a metric's message must not make the whole run fail.
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")
LONGEST = 256 * 1024 * 1024
"""The maximal size of a message in bytes; a longer one is invalid."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: JSON fields and bytes."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    blob: bytes = b""

    def encode(self) -> bytes:
        text = json.dumps(dict(self.fields), default=str).encode()
        return _HEADER.pack(len(text), len(self.blob)) + text + self.blob


def split_message(buffer: bytearray) -> Message | None:
    """Remove and return the first message in a buffer, or None if it is incomplete.

    Characters that cannot be stored in a database are replaced.

    Raises:
        ValueError: The bytes are not a valid message.
    """
    if len(buffer) < _HEADER.size:
        return None
    n_text, n_blob = _HEADER.unpack_from(buffer)
    if n_text + n_blob > LONGEST:
        raise ValueError(f"a message of {n_text + n_blob} bytes")
    end = _HEADER.size + n_text + n_blob
    if len(buffer) < end:
        return None
    try:
        fields = _clean(json.loads(buffer[_HEADER.size : _HEADER.size + n_text]))
    except RecursionError:
        raise ValueError("a message that is too deep") from None
    if not isinstance(fields, dict):
        raise ValueError(f"a message that is {type(fields).__name__}")
    blob = bytes(buffer[_HEADER.size + n_text : end])
    del buffer[:end]
    return Message(fields, blob)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _UNKEEPABLE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if isinstance(value, dict):
        return {_clean(name): _clean(each) for name, each in value.items()}
    return value
