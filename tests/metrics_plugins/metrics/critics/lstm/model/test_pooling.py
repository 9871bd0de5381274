"""Tests of compact bilinear pooling against its definition, and of its gradients."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from metrics_plugins.metrics.critics.lstm.model.pooling import SEEDS, BilinearPooling, convolve, draw_sketch, sketch


@pytest.fixture(scope="module")
def case(golden_folder: Path) -> dict:
    """Computed from the definition with NumPy's legacy seeds; see the README beside it."""
    return json.loads((golden_folder / "count_sketch_case.json").read_text())


def test_drawn_numbers_are_the_golden_ones(case: dict) -> None:
    drawn = [
        draw_sketch(len(case[name]), size=case["output_dim"], seeds=seeds)
        for name, seeds in zip("xy", SEEDS, strict=True)
    ]

    assert [values.tolist() for pair in drawn for values in pair] == [case[name] for name in ("h1", "s1", "h2", "s2")]


def test_sketches_and_pooled_numbers_are_the_golden_ones(case: dict) -> None:
    vectors = [torch.tensor([case[name]], dtype=torch.float64) for name in "xy"]
    size = case["output_dim"]

    sketches = [
        sketch(values, *draw_sketch(values.shape[1], size=size, seeds=seeds), size=size)
        for values, seeds in zip(vectors, SEEDS, strict=True)
    ]
    pooled = BilinearPooling(6, 4, size=size)(*vectors)

    np.testing.assert_allclose(sketches[0][0], case["sketch_x"], atol=1e-15)
    np.testing.assert_allclose(sketches[1][0], case["sketch_y"], atol=1e-15)
    np.testing.assert_allclose(pooled[0], case["pooled"], atol=1e-12)


def test_convolution_is_circular() -> None:
    first, second = torch.tensor([[1.0, 2.0, 0.0]]), torch.tensor([[0.0, 1.0, 3.0]])

    # Written out: sum over i of first[i] * second[(k - i) mod 3].
    np.testing.assert_allclose(convolve(first, second), [[0 + 6, 1 + 0, 3 + 2]], atol=1e-6)


def test_gradients_are_those_of_small_differences() -> None:
    generator = torch.Generator().manual_seed(0)
    first, second = (
        torch.randn(3, dimension, dtype=torch.float64, generator=generator, requires_grad=True) for dimension in (5, 7)
    )

    assert torch.autograd.gradcheck(BilinearPooling(5, 7, size=16), (first, second))


def test_pooling_has_no_weights_to_keep() -> None:
    assert dict(BilinearPooling(5, 7, size=16).state_dict()) == {}
