"""Tiles: texts of one length, always as many together, so that a text's numbers do not depend on its neighbours.

Matrix products of another shape are added up in another order, and padding is yet another shape: the last bits of a
vector would depend on which texts it happened to be encoded with. So nothing is padded: the texts of one tile have
the same number of tokens, and a tile has the same number of texts whenever that length comes up. What is left over is
filled up with repeats of its first text, whose results are thrown away.
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

# What a plain RuntimeError says where memory is short: of torch's own allocator and of C++ on the processor, of MPS and
# CUDA, and of the libraries of CUDA.
_OUT_OF_MEMORY: Final = ("allocate memory", "std::bad_alloc", "out of memory", "ALLOC_FAILED")
# oneDNN says no more than this. What it cannot do at all it refuses earlier and in other words: "could not create a
# primitive descriptor for ...".
_ONEDNN_OUT_OF_MEMORY: Final = frozenset(
    {"could not create a memory object", "could not create a primitive", "could not execute a primitive"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """Inputs that are computed together.

    Attributes:
        rows: `(n_rows,)`: which inputs, the repeats at the end included.
        n_kept: How many of them count.
    """

    rows: Int64
    n_kept: int


def count_rows(length: int, *, budget: int) -> int:
    """Return how many inputs of a length make a tile of about `budget` tokens; at least one."""
    return max(1, -(-budget // length))


def plan_tiles(rows: Int64, *, n_rows: int) -> Iterator[Tile]:
    """Cut inputs of one length into tiles of `n_rows`; the last is filled up."""
    for start in range(0, len(rows), n_rows):
        kept = rows[start : start + n_rows]
        yield Tile(rows=np.append(kept, np.full(n_rows - len(kept), kept[0])), n_kept=len(kept))


def run_tiles(
    lengths: Int64, *, budget: int, compute: Callable[[Tile], None], what: str, executor: Executor | None = None
) -> int:
    """Compute every input once, in tiles, with half as many tokens in each whenever memory is short.

    Args:
        lengths: `(n_inputs,)`, at least 1 each.
        budget: About how many tokens a tile has.
        compute: Computes a tile and stores what counts of it.
        what: What is named when not even one input fits.
        executor: Computes tiles beside one another; by default one after the other.

    Returns:
        The budget that fitted: what to begin with the next time.

    Raises:
        MetricError: The memory does not hold a single input.
    """
    order = np.argsort(lengths, kind="stable")
    starts = np.flatnonzero(np.diff(lengths[order], prepend=-1))
    # The longest first: if memory is short, it is short at once.
    for group in reversed(np.split(order, starts[1:])):
        length = int(lengths[group[0]])
        budget = _run_group(group, length=length, budget=budget, compute=compute, what=what, executor=executor)
    return budget


@contextmanager
def open_threads() -> Iterator[Executor | None]:
    """Yield an executor of as many threads as torch has here, each of which computes alone; None where it has one.

    Within one tile the threads of torch change bits: which of them gets a text depends on its place in the tile, and
    the scratch memory of one is aligned otherwise than that of another. Tiles beside one another change none, and
    are faster than threads within a small tile.
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
        # A part of what a thread sets is set for the whole process.
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
                raise MetricError(f"{what}: memory does not hold one input of {length} tokens: {error}") from error
            budget = max(1, (n_rows // 2) * length)
            _free_memory()
    return budget


def _run_each(tiles: Iterator[Tile], *, compute: Callable[[Tile], None], executor: Executor | None) -> Iterator[Tile]:
    """Yield tiles in their order, each when it was computed; none is being computed when an error is raised."""
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
    """Tell whether an error of torch says that memory is short, on any device."""
    import torch

    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    reason = str(error)
    return reason in _ONEDNN_OUT_OF_MEMORY or any(told in reason for told in _OUT_OF_MEMORY)


def _free_memory() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
