"""Tests of blocks of rows: complete, limited in size, and grouped by references."""

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.metrics.embedding.blocks import measure_in_blocks


def make_batch(n_references: list[int]) -> Batch:
    return Batch.make(
        [str(row) for row in range(len(n_references))],
        candidates=[f"caption {row}" for row in range(len(n_references))],
        references=[[f"reference {row} {number}" for number in range(n)] for row, n in enumerate(n_references)],
    )


@pytest.mark.parametrize(
    ("n_references", "expected"),
    [([], [0]), ([5], [1]), ([4095, 0, 5000, 1, 2], [1, 1, 3]), ([4] * 2000, [819, 819, 362])],
)
def test_blocks(n_references: list[int], expected: list[int]) -> None:
    sizes = []

    def measure(batch: Batch) -> np.ndarray:
        sizes.append(len(batch))
        return np.array([[int(key), len(own)] for key, own in zip(batch.keys, batch.references, strict=True)])

    found = measure_in_blocks(make_batch(n_references), measure)

    assert sizes == expected
    assert found.tolist() == [[row, n] for row, n in enumerate(n_references)]


def test_rows_beside_the_same_references_come_together() -> None:
    images = np.random.default_rng(0).permutation(np.repeat(np.arange(20), 100)).tolist()
    batch = Batch.make(
        [str(row) for row in range(len(images))],
        candidates=[f"caption {row}" for row in range(len(images))],
        references=[[f"reference {image} {number}" for number in range(4)] for image in images],
    )
    seen = []

    def measure(block: Batch) -> np.ndarray:
        seen.append({own[0] for own in block.references})
        return np.array([[int(key)] for key in block.keys])

    found = measure_in_blocks(batch, measure)

    assert found.ravel().tolist() == list(range(2000))
    # One image at most goes on in the next of the three blocks.
    assert sum(map(len, seen)) <= 22
