"""Blocks of rows: all of them, in their order, few captions at a time."""

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.embedding.blocks import measure_in_blocks


def make_batch(n_references: list[int]) -> Batch:
    return Batch.make(
        [str(row) for row in range(len(n_references))],
        candidates=[f"caption {row}" for row in range(len(n_references))],
        references=[[f"reference {row} {number}" for number in range(n)] for row, n in enumerate(n_references)],
    )


@pytest.mark.parametrize(
    ("n_references", "expected"),
    [([], [0]), ([5], [1]), ([4095, 0, 5000, 1, 2], [1, 1, 1, 2]), ([4] * 2000, [819, 819, 362])],
)
def test_blocks(n_references: list[int], expected: list[int]) -> None:
    sizes = []

    def measure(batch: Batch) -> np.ndarray:
        sizes.append(len(batch))
        return np.array([[int(key), len(own)] for key, own in zip(batch.keys, batch.references, strict=True)])

    found = measure_in_blocks(make_batch(n_references), measure)

    assert sizes == expected
    assert found.tolist() == [[row, n] for row, n in enumerate(n_references)]
