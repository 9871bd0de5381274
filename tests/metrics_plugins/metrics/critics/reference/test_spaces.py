"""Tests of spaces against closed forms, and against scikit-learn's discriminant analysis where both are equal."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from metrics_plugins.metrics.critics.reference.spaces import (
    Space,
    SpaceSource,
    make_space,
    measure_sentence_scatter,
    measure_token_scatter,
)

ROOT: Final = Path(__file__).resolve().parents[5]
DIMENSION: Final = 384


@pytest.fixture
def groups() -> np.ndarray:
    return np.repeat(np.arange(12), 5)


@pytest.fixture
def vectors(groups: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng(0)
    means = rng.normal(size=(12, 6)) * np.array([3.0, 2.0, 1.5, 1.0, 0.8, 0.5])
    return (means[groups] + rng.normal(size=(60, 6))).astype(np.float32)


def test_scatter_of_sentences(vectors: np.ndarray, groups: np.ndarray) -> None:
    scatter = measure_sentence_scatter(vectors, groups)

    wide = vectors.astype(np.float64).reshape(12, 5, 6)
    # Analysis of variance by hand: pooled covariance, and the covariance of means less what chance gives them.
    within = sum(np.cov(group.T) for group in wide) / 12
    between = np.cov(wide.mean(axis=1).T, bias=True) - within / 5
    np.testing.assert_allclose(scatter.center, wide.mean(axis=(0, 1)), rtol=1e-12)
    np.testing.assert_allclose(scatter.within, within, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(scatter.between, between, rtol=1e-10, atol=1e-12)


def test_scatter_of_tokens() -> None:
    tokens = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], np.float32)
    differences = np.array([[0.2, 0.0], [-0.2, 0.0]], np.float32)

    scatter = measure_token_scatter(tokens, differences)

    # All scatter is 1/2 a direction; differences have 0.04 in the first, twice the scatter of one token.
    np.testing.assert_allclose(scatter.within, [[0.02, 0.0], [0.0, 0.0]], atol=1e-8)
    np.testing.assert_allclose(scatter.between, [[0.48, 0.0], [0.0, 0.5]], atol=1e-8)
    assert scatter.center.tolist() == [0.0, 0.0]


def test_directions_are_those_of_discriminant_analysis(vectors: np.ndarray, groups: np.ndarray) -> None:
    oracle = LinearDiscriminantAnalysis(solver="eigen").fit(vectors.astype(np.float64), groups)

    space = make_space(measure_sentence_scatter(vectors, groups), shrinkage=1e-12, power=0.0)

    found = space.directions[:, ::-1] / np.linalg.norm(space.directions[:, ::-1], axis=0)
    expected = oracle.scalings_ / np.linalg.norm(oracle.scalings_, axis=0)
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found * signs, expected, atol=1e-5)


def test_damping_in_closed_form() -> None:
    scatter = SpaceSource(center=np.zeros(3), within=np.eye(3), between=np.diag([3.0, 1.0, -0.5]))

    space = make_space(scatter, shrinkage=0.5, power=1.0)

    # Ratios 3, 1 and none: damped by 3/4, 1/2 and 0, then scaled to the size of the identity.
    expected = np.array([0.0, 0.5, 0.75]) * np.sqrt(3 / (0.75**2 + 0.5**2))
    np.testing.assert_allclose(np.linalg.norm(space.directions, axis=0), expected, atol=1e-6)
    np.testing.assert_allclose(np.abs(space.directions[0]), [0.0, 0.0, expected[2]], atol=1e-6)


def test_full_shrinkage_looks_at_the_scatter_between_alone() -> None:
    scatter = SpaceSource(center=np.zeros(2), within=np.diag([9.0, 1.0]), between=np.diag([5.0, 10.0]))

    space = make_space(scatter, shrinkage=1.0, power=0.0)

    assert np.abs(space.directions).argmax(axis=0).tolist() == [0, 1]


def test_direction_has_its_sign_from_its_largest_number(vectors: np.ndarray, groups: np.ndarray) -> None:
    directions = make_space(measure_sentence_scatter(vectors, groups), shrinkage=0.5, power=0.5).directions

    assert (directions[np.abs(directions).argmax(axis=0), np.arange(6)] >= 0).all()


def test_projection_of_vectors_of_any_length() -> None:
    space = Space(np.array([0.5, 0.0], np.float32), np.array([[2.0, 0.0], [0.0, 1.0]], np.float32))

    projected = space.project(np.array([[3.0, 0.0], [0.0, 0.1], [np.nan, 1.0]], np.float32))

    np.testing.assert_allclose(projected[:2], [[1.0, 0.0], [-1.0, 1.0]], atol=1e-6)
    assert np.isnan(projected[2]).all()


@pytest.mark.parametrize("size", [1e-30, 1.0, 1e6])
def test_projection_is_exact(size: float) -> None:
    space = _draw_space(size)
    vectors = _draw_vectors(300)

    projected = space.project(vectors)

    # The same in integers, of which each holds the whole sum whatever its order; and in plain float64.
    unit = vectors / np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    left = np.rint((unit - space.center).astype(np.float64) * 2.0**24)
    bits = space.count_bits()
    right = np.rint(space.directions.astype(np.float64) * 2.0**bits)
    assert np.abs(left).astype(object).sum(axis=1).max() < 2**53
    assert (np.abs(left) @ np.abs(right)).max() < 2.0**53
    # One bit more would no longer be sure to be exact.
    assert (np.linalg.norm(right, axis=0) * 2**24).max() > 2.0**51
    whole = left.astype(np.int64) @ right.astype(np.int64)
    np.testing.assert_array_equal(projected, (whole * 2.0 ** -(bits + 24)).astype(np.float32))
    plain = (unit - space.center).astype(np.float64) @ space.directions.astype(np.float64)
    np.testing.assert_allclose(projected, plain, atol=2e-7 * size * np.sqrt(DIMENSION))


def test_projection_does_not_depend_on_neighbours() -> None:
    space = _draw_space(1.0)
    vectors = _draw_vectors(300)
    order = np.random.default_rng(2).permutation(len(vectors))

    projected = space.project(vectors)

    np.testing.assert_array_equal(space.project(vectors[order]), projected[order])
    alone = np.concatenate([space.project(vectors[row : row + 1]) for row in range(len(vectors))])
    np.testing.assert_array_equal(alone, projected)
    same = space.project(np.repeat(vectors[:1], 200, axis=0))
    np.testing.assert_array_equal(same, np.repeat(projected[:1], 200, axis=0))


@pytest.mark.parametrize("kernel", ["Haswell", "SkylakeX", "Nehalem"])
def test_projection_does_not_depend_on_the_kernel(kernel: str, tmp_path: Path) -> None:
    """OpenBLAS takes the kernels that the variable names, if the processor has their instructions."""
    program = (
        "import sys; import numpy as np; from tests.metrics_plugins.metrics.critics.reference import test_spaces as t; "
        "np.save(sys.argv[1], t._draw_space(1.0).project(t._draw_vectors(300)))"
    )
    file = tmp_path / "projected.npy"
    environment = {**os.environ, "OPENBLAS_CORETYPE": kernel}
    subprocess.run([sys.executable, "-c", program, str(file)], cwd=ROOT, env=environment, check=True)

    np.testing.assert_array_equal(np.load(file), _draw_space(1.0).project(_draw_vectors(300)))


def _draw_space(size: float) -> Space:
    rng = np.random.default_rng(0)
    center = rng.normal(size=DIMENSION) * 0.02
    return Space(center.astype(np.float32), (rng.normal(size=(DIMENSION, DIMENSION)) * 0.1 * size).astype(np.float32))


def _draw_vectors(n: int) -> np.ndarray:
    return np.random.default_rng(1).normal(size=(n, DIMENSION)).astype(np.float32)
