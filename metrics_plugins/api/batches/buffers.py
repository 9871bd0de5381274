"""Batches as columnar buffers in Arrow's IPC format, for workers on other machines.

The buffers hold each distinct caption once and the rows as arrays of positions, as a batch does.
"""

import pickle
from pathlib import Path
from typing import Any

import numpy as np

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.info import Input

_PICKLED = "other"


def encode_batch(batch: Batch) -> bytes:
    """Return a batch, without its derived features, as one row of lists in Arrow's IPC format.

    Worlds are arbitrary objects, and are pickled within a column of their own.
    """
    import pyarrow as pa

    _, (columns, allowed, reader) = batch.__reduce__()
    keys, texts, candidate, references, caption_set, image, image_key, world = columns
    lists: dict[str, Any] = {"keys": _encode_texts(keys), "texts": _encode_texts(texts)}
    if candidate is not None:
        lists["candidate"] = pa.array(candidate)
    for name, ragged in (("references", references), ("caption_set", caption_set)):
        if ragged is not None:
            lists[f"{name}_offsets"], lists[f"{name}_values"] = pa.array(ragged.offsets), pa.array(ragged.values)
    if image is not None:
        lists["image"] = _encode_texts([str(path) for path in image])
    if image_key is not None:
        lists["image_key"] = _encode_texts(image_key)
    other = pickle.dumps((sorted(allowed), reader, world), protocol=pickle.HIGHEST_PROTOCOL)
    lists[_PICKLED] = pa.array([other], type=pa.large_binary())
    arrays = [pa.LargeListArray.from_arrays(pa.array([0, len(each)], type=pa.int64()), each) for each in lists.values()]
    table = pa.record_batch(arrays, names=list(lists))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_batch(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def decode_batch(content: bytes) -> Batch:
    """Return the batch that `encode_batch` encoded; the content must be from a trusted process."""
    import pyarrow as pa

    with pa.ipc.open_stream(content) as reader:
        table = reader.read_next_batch()
    lists = {name: table.column(name).values for name in table.schema.names}
    allowed, named, world = pickle.loads(lists[_PICKLED][0].as_py())  # noqa: S301 - from the process that asked
    image = _decode_texts(lists.get("image"))
    columns = (
        _decode_texts(lists["keys"]),
        _decode_texts(lists["texts"]),
        _copy(lists.get("candidate")),
        _decode_ragged(lists, "references"),
        _decode_ragged(lists, "caption_set"),
        None if image is None else tuple(map(Path, image)),
        _decode_texts(lists.get("image_key")),
        world,
    )
    return Batch.restore(columns, allowed=frozenset(map(Input, allowed)), reader=named)


def _encode_texts(texts: Any) -> Any:
    import pyarrow as pa

    # Not as Arrow's strings, which cannot hold the lone surrogates that a caption may contain.
    return pa.array([text.encode("utf-8", "surrogatepass") for text in texts], type=pa.large_binary())


def _decode_texts(column: Any) -> tuple[str, ...] | None:
    return None if column is None else tuple(each.decode("utf-8", "surrogatepass") for each in column.to_pylist())


def _decode_ragged(lists: dict[str, Any], name: str) -> Ragged | None:
    offsets, values = _copy(lists.get(f"{name}_offsets")), _copy(lists.get(f"{name}_values"))
    return None if offsets is None else Ragged(offsets=offsets, values=values)


def _copy(column: Any) -> Any:
    return None if column is None else np.array(column.to_numpy(zero_copy_only=False), dtype=np.int64)
