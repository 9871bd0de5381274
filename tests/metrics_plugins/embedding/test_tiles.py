"""Inputs of one length are computed together, always as many, and each once."""

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.embedding.tiles import Tile, count_rows, is_out_of_memory, run_tiles

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

    def run(self, budget: int) -> int:
        return run_tiles(self.lengths, budget=budget, compute=self, what="encoder 'x'")


def test_every_input_is_computed_once() -> None:
    work = Work([3, 5, 3, 3, 5, 1])

    assert work.run(6) == 6
    assert sorted(work.kept) == list(range(6))


def test_shape_depends_on_length_alone() -> None:
    work = Work([3] * 5 + [5] * 3 + [100])
    work.run(6)

    assert work.shapes == [(1, 100), (2, 5), (2, 5), (2, 3), (2, 3), (2, 3)]


@pytest.mark.parametrize(("length", "rows"), [(1, 256), (12, 22), (256, 1), (300, 1)])
def test_a_tile_has_about_the_budget(length: int, rows: int) -> None:
    assert count_rows(length, budget=256) == rows


def test_half_as_many_are_tried_while_memory_is_short() -> None:
    work = Work([4] * 40, limit=20)

    assert work.run(64) == 16
    assert (sorted(work.kept), set(work.shapes)) == (list(range(40)), {(4, 4)})


def test_an_input_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(MetricError, match=r"^encoder 'x': memory does not hold one input of 50 tokens: Default"):
        Work([4, 50], limit=20).run(64)


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
