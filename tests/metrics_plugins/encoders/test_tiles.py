"""Tests that inputs of equal length are computed together in tiles of fixed size, and each once."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from time import sleep

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.tiles import Tile, count_rows, is_out_of_memory, open_threads, run_tiles

ROOT = Path(__file__).resolve().parents[3]
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
    with pytest.raises(MetricError, match=r"^encoder 'x': memory does not suffice for one input of 50 tokens: Default"):
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


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("MPS backend out of memory (MPS allocated: 1 GB)", True),
        ("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", True),
        ("cuFFT error: CUFFT_ALLOC_FAILED", True),
        ("could not create a memory object", True),
        ("could not create a primitive descriptor for the matmul primitive. Run workload with", False),
        ("shapes do not match", False),
    ],
)
def test_other_reasons_are_told_apart(reason: str, expected: bool) -> None:
    assert is_out_of_memory(RuntimeError(reason)) is expected


# Work is done in a child for each limit, from a parent in which nothing was computed, and which has one thread. A child
# may also die: some libraries do not look whether they got memory.
WORK_WITHIN_LIMITS = """
import json, os, resource, sys
from pathlib import Path
import torch
from metrics_plugins.encoders.tiles import is_out_of_memory
torch.set_num_threads(1)
numbers = torch.zeros(20_000_000)
images, kernel = torch.zeros(16, 3, 64, 64), torch.zeros(64, 3, 3, 3)
work = {
    "sort": lambda: numbers.topk(2),
    "convolve": lambda: torch.nn.functional.conv2d(images, kernel, padding=1),
}[sys.argv[1]]
for kibibytes in map(int, sys.argv[2:]):
    reading, writing = os.pipe()
    if not os.fork():
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + kibibytes * 1024
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        try:
            work()
        except Exception as error:
            found = [str(error), is_out_of_memory(error)]
            os.write(writing, json.dumps(found).encode())
        os._exit(0)
    os.close(writing)
    with open(reading) as file:
        print(file.read() or "null")
    os.wait()
"""


def work_within(limits: range, work: str) -> dict[str, bool]:
    """Return what was said where memory was too short, and whether it was taken for that."""
    command = [sys.executable, "-c", WORK_WITHIN_LIMITS, work, *map(str, limits)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return dict(filter(None, map(json.loads, result.stdout.splitlines())))


def test_short_memory_within_a_sort_is_known() -> None:
    # It wants 16 bytes for each of the 20 million numbers, from C++ itself.
    assert work_within(range(65_536, 65_537), "sort") == {"std::bad_alloc": True}


def test_short_memory_within_a_convolution_is_known() -> None:
    said = work_within(range(0, 24_576, 512), "convolve")

    assert any("DefaultCPUAllocator" in reason for reason in said)
    assert [reason for reason, is_known in said.items() if not is_known] == []
