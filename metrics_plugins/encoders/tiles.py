"""Tiles: batches of texts of the same length and of fixed size, so that results do not depend on other texts.

The shape of a matrix product determines the order of summation, and padding changes the shape: the last bits of a
vector would depend on the texts it is encoded with. Therefore nothing is padded. The texts of a tile have the same
number of tokens, and tiles of that length always have the same number of texts; an incomplete tile is filled up with
copies of its first text, whose results are discarded.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import MetricError

Int64 = npt.NDArray[np.int64]

# Parts of the messages of out-of-memory errors that are plain RuntimeErrors: of torch's allocator and C++ on the CPU,
# of MPS and CUDA, and of the CUDA libraries.
_OUT_OF_MEMORY: Final = ("allocate memory", "std::bad_alloc", "out of memory", "ALLOC_FAILED")
# The complete message of oneDNN. Operations that it does not support are refused earlier with another message: "could
# not create a primitive descriptor for ...".
_ONEDNN_OUT_OF_MEMORY: Final = frozenset(
    {"could not create a memory object", "could not create a primitive", "could not execute a primitive"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """Inputs that are computed together.

    Attributes:
        rows: `(n_rows,)`: the inputs, including the copies at the end.
        n_kept: The number of inputs without the copies.
    """

    rows: Int64
    n_kept: int


def count_rows(length: int, *, budget: int) -> int:
    """Return the number of inputs of a length in a tile of about `budget` tokens; at least one."""
    return max(1, -(-budget // length))


def plan_tiles(rows: Int64, *, n_rows: int) -> Iterator[Tile]:
    """Divide inputs of one length into tiles of `n_rows`; the last one is filled up."""
    for start in range(0, len(rows), n_rows):
        kept = rows[start : start + n_rows]
        yield Tile(rows=np.append(kept, np.full(n_rows - len(kept), kept[0])), n_kept=len(kept))


def run_tiles(
    lengths: Int64, *, budget: int, compute: Callable[[Tile], None], what: str, executor: Executor | None = None
) -> int:
    """Compute every input once, in tiles, halving the number of tokens per tile whenever memory runs out.

    Args:
        lengths: `(n_inputs,)`, at least 1 each.
        budget: The approximate number of tokens per tile.
        compute: Computes a tile and stores the results of its inputs.
        what: The name of the computation in the error if not even one input fits.
        executor: Computes tiles in parallel; by default they are computed one after the other.

    Returns:
        The budget that fitted, to be used in the next call.

    Raises:
        MetricError: Memory does not suffice for a single input.
    """
    order = np.argsort(lengths, kind="stable")
    starts = np.flatnonzero(np.diff(lengths[order], prepend=-1))
    # The longest first, so that a lack of memory shows at once.
    for group in reversed(np.split(order, starts[1:])):
        length = int(lengths[group[0]])
        budget = _run_group(group, length=length, budget=budget, compute=compute, what=what, executor=executor)
    return budget


@contextmanager
def open_threads() -> Iterator[Executor | None]:
    """Yield an executor with as many threads as torch uses, for single-threaded tiles; None if it uses one.

    Multithreading within a tile would affect rounding: the thread that processes a text depends on its position in the
    tile, and the scratch memory of threads is aligned differently. Computing several tiles in parallel does not affect
    rounding, and is faster than multithreading within a small tile.
    """
    import torch

    n_threads = torch.get_num_threads()
    if n_threads == 1:
        yield None
        return
    try:
        with ThreadPoolExecutor(n_threads, initializer=torch.set_num_threads, initargs=(1,)) as executor:
            yield executor
    finally:
        # Some of torch's thread settings are per process rather than per thread.
        torch.set_num_threads(n_threads)


def _run_group(
    group: Int64, *, length: int, budget: int, compute: Callable[[Tile], None], what: str, executor: Executor | None
) -> int:
    done = 0
    while done < len(group):
        n_rows = count_rows(length, budget=budget)
        try:
            for tile in _run_each(plan_tiles(group[done:], n_rows=n_rows), compute=compute, executor=executor):
                done += tile.n_kept
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            if n_rows == 1:
                raise MetricError(
                    f"{what}: memory does not suffice for one input of {length} tokens: {error}"
                ) from error
            budget = max(1, (n_rows // 2) * length)
            _free_memory()
    return budget


def _run_each(tiles: Iterator[Tile], *, compute: Callable[[Tile], None], executor: Executor | None) -> Iterator[Tile]:
    """Yield tiles in order once they are computed; when an error is raised, no computation is still running."""
    if executor is None:
        for tile in tiles:
            compute(tile)
            yield tile
        return
    futures = [(tile, executor.submit(compute, tile)) for tile in tiles]
    try:
        for tile, future in futures:
            future.result()
            yield tile
    finally:
        for _, future in futures:
            future.cancel()
        wait([future for _, future in futures])


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error of torch means that memory ran out, on any device."""
    import torch

    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    reason = str(error)
    return reason in _ONEDNN_OUT_OF_MEMORY or any(told in reason for told in _OUT_OF_MEMORY)


def _free_memory() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
