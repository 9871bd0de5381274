"""Tests of ridge regression against closed forms, and of its choices on held-out images."""

import numpy as np
import pytest

from metrics_plugins.metrics.critics.judged.ridge import ALPHAS, fit_ridge


def make_data(n_rows: int = 300, *, noise: float = 0.1) -> tuple[np.ndarray, np.ndarray, list[str]]:
    rng = np.random.default_rng(0)
    features = rng.uniform(-1.7, 1.7, size=(n_rows, 3)) * [1.0, 10.0, 0.1] + [0.0, 5.0, -2.0]
    targets = 2.0 + features[:, 0] - 0.3 * features[:, 1] + noise * rng.normal(size=n_rows)
    return features, targets, [f"image {row // 3}" for row in range(n_rows)]


def test_coefficients_are_those_of_the_closed_form() -> None:
    features, targets, images = make_data()

    fitted = fit_ridge(features, targets, images, degree=1, alpha=0.1, n_folds=5)

    standard = (features - features.mean(axis=0)) / features.std(axis=0)
    gram = standard.T @ standard + 0.1 * len(targets) * np.eye(3)
    expected = np.linalg.solve(gram, standard.T @ (targets - targets.mean()))
    np.testing.assert_allclose(fitted.coefficients, expected, rtol=1e-4)
    np.testing.assert_allclose(fitted.predict(features), targets.mean() + standard @ expected, rtol=1e-6)


def test_products_are_learned_where_they_help() -> None:
    features, targets, images = make_data()
    curved = targets + features[:, 0] * (features[:, 1] - 5) * 0.5

    plain = fit_ridge(features, targets, images, degree=0, alpha=0.0, n_folds=5)
    bent = fit_ridge(features, curved, images, degree=0, alpha=0.0, n_folds=5)

    assert (bent.degree, bent.alpha) == (2, ALPHAS[-1])
    assert np.corrcoef(bent.predict(features), curved)[0, 1] > 0.99
    assert plain.alpha in ALPHAS
    assert np.corrcoef(plain.predict(features), targets)[0, 1] > 0.99


def test_noise_is_strongly_regularised() -> None:
    features, _, images = make_data()
    noise = np.random.default_rng(1).normal(size=len(features))

    fitted = fit_ridge(features, noise, images, degree=0, alpha=0.0, n_folds=5)

    free = fit_ridge(features, noise, images, degree=fitted.degree, alpha=1e-5, n_folds=5)
    assert fitted.alpha >= 1.0
    assert fitted.predict(features).std() < free.predict(features).std() / 2


def test_images_are_held_out_whole() -> None:
    rng = np.random.default_rng(0)
    # What tells images apart says nothing of other images: it helps only where an image's other rows were seen.
    images = [f"image {row // 10}" for row in range(200)]
    offsets = np.repeat(rng.normal(size=20), 10)
    features = np.column_stack([np.repeat(rng.normal(size=(20, 8)), 10, axis=0), rng.normal(size=200)])
    targets = 3 * offsets + 0.1 * rng.normal(size=200)

    whole = fit_ridge(features, targets, images, degree=1, alpha=0.0, n_folds=5)
    torn = fit_ridge(features, targets, [str(row) for row in range(200)], degree=1, alpha=0.0, n_folds=5)

    assert whole.alpha > torn.alpha


def test_rows_without_features_and_one_row() -> None:
    features, targets, images = make_data()
    features[::7] = np.nan

    fitted = fit_ridge(features, targets, images, degree=1, alpha=0.01, n_folds=5)
    alone = fit_ridge(features[1:2], targets[1:2], images[:1], degree=0, alpha=0.0, n_folds=5)

    assert np.isfinite(fitted.predict(features)).all()
    assert alone.predict(features[1:5]).tolist() == pytest.approx([targets[1]] * 4, rel=1e-12)
    assert (alone.degree, alone.alpha) == (1, ALPHAS[0])
    nothing = fit_ridge(
        np.full((3, 2), np.nan), np.array([1.0, 2.0, 6.0]), ["a", "b", "c"], degree=2, alpha=1, n_folds=2
    )
    assert nothing.predict(np.ones((2, 2))).tolist() == [3.0, 3.0]


def test_a_row_alone_has_the_same_bits_and_far_rows_are_cut() -> None:
    features, targets, images = make_data()
    fitted = fit_ridge(features, targets, images, degree=2, alpha=0.01, n_folds=5)

    together = fitted.predict(features)

    np.testing.assert_array_equal([fitted.predict(features[[row]])[0] for row in range(len(features))], together)
    far = features[:1] + np.array([[1e9, 0, 0]])
    assert fitted.predict(far) == fitted.predict(far * 2 - features[:1])
