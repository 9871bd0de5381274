"""Inputs of one length are computed together, always as many, and each once."""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from time import sleep

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.embedding.tiles import Tile, count_rows, is_out_of_memory, open_threads, run_tiles

NO_MEMORY = "DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes"


class Work:
    """Notes the tiles that it is given; those of more than `limit` tokens do not fit."""

    def __init__(self, lengths: list[int], *, limit: int = 10**9) -> None:
        self.lengths = np.array(lengths)
        self.limit = limit
        self.shapes: list[tuple[int, int]] = []
        self.kept: list[int] = []

    def __call__(self, tile: Tile) -> None:
        (length,) = set(self.lengths[tile.rows].tolist())
        if len(tile.rows) * length > self.limit:
            raise RuntimeError(NO_MEMORY)
        self.shapes.append((len(tile.rows), length))
        self.kept += tile.rows[: tile.n_kept].tolist()

    def run(self, budget: int, executor: Executor | None = None) -> int:
        return run_tiles(self.lengths, budget=budget, compute=self, what="encoder 'x'", executor=executor)


@pytest.fixture(params=[None, 3])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor | None]:
    """No executor, and one of three threads."""
    if request.param is None:
        yield None
        return
    with ThreadPoolExecutor(request.param) as threads:
        yield threads


def test_every_input_is_computed_once(executor: Executor | None) -> None:
    work = Work([3, 5, 3, 3, 5, 1])

    assert work.run(6, executor) == 6
    assert sorted(work.kept) == list(range(6))


def test_shape_depends_on_length_alone() -> None:
    work = Work([3] * 5 + [5] * 3 + [100])
    work.run(6)

    assert work.shapes == [(1, 100), (2, 5), (2, 5), (2, 3), (2, 3), (2, 3)]


@pytest.mark.parametrize(("length", "rows"), [(1, 256), (12, 22), (256, 1), (300, 1)])
def test_a_tile_has_about_the_budget(length: int, rows: int) -> None:
    assert count_rows(length, budget=256) == rows


def test_half_as_many_are_tried_while_memory_is_short(executor: Executor | None) -> None:
    work = Work([4] * 40, limit=20)

    assert work.run(64, executor) == 16
    assert (sorted(work.kept), set(work.shapes)) == (list(range(40)), {(4, 4)})


def test_an_input_that_does_not_fit_is_an_error(executor: Executor | None) -> None:
    with pytest.raises(MetricError, match=r"^encoder 'x': memory does not hold one input of 50 tokens: Default"):
        Work([4, 50], limit=20).run(64, executor)


def test_nothing_is_computed_any_more_when_an_error_comes() -> None:
    finished: list[int] = []

    def compute(tile: Tile) -> None:
        if tile.rows[0] == 0:
            raise RuntimeError("shapes do not match")
        sleep(0.2)
        finished.append(int(tile.rows[0]))

    with ThreadPoolExecutor(2) as executor:
        with pytest.raises(RuntimeError, match="shapes do not match"):
            run_tiles(np.ones(100, np.int64), budget=1, compute=compute, what="x", executor=executor)
        at_error = list(finished)
        sleep(0.5)

    assert finished == at_error
    assert len(finished) < 10


def test_threads_are_given_back() -> None:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        with open_threads() as executor:
            assert executor is not None
            assert executor.submit(torch.get_num_threads).result() == 1
        assert torch.get_num_threads() == 3

        torch.set_num_threads(1)
        with open_threads() as executor:
            assert executor is None
    finally:
        torch.set_num_threads(before)


def test_other_errors_are_not_taken_for_short_memory() -> None:
    def fail(tile: Tile) -> None:
        raise RuntimeError("shapes do not match")

    with pytest.raises(RuntimeError, match="shapes do not match"):
        run_tiles(np.array([1]), budget=8, compute=fail, what="x")


def test_torch_says_that_memory_is_short() -> None:
    import torch

    with pytest.raises(RuntimeError) as caught:
        torch.empty(2**60)

    assert is_out_of_memory(caught.value)
    assert is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory"))
    assert not is_out_of_memory(RuntimeError("shapes do not match"))
