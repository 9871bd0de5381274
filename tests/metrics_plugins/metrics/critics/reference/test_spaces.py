"""Tests of spaces against closed forms, and against scikit-learn's discriminant analysis where both are equal."""

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
