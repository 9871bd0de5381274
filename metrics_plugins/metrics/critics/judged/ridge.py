"""Ridge regression (Hoerl and Kennard 1970) on features or their products, selected by cross-validation over images."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.batches.judged import assign_folds

Values = npt.NDArray[np.float64]
Choice = tuple[int, float]
"""Degree and alpha."""

ALPHAS: Final = (100.0, 10.0, 1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001)
DEGREES: Final = (1, 2)
_FARTHEST: Final = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Ridge:
    """A fitted regression.

    Attributes:
        degree: 1, or 2 to include products of two features.
        alpha: The penalty, per row and for features of standard deviation 1.
        center: `(n_features,)`, subtracted first.
        scale: `(n_features,)`, by which the centred features are divided.
        coefficients: `(n_terms,)`.
        intercept: The prediction where all terms are 0.
    """

    degree: int
    alpha: float
    center: Values
    scale: Values
    coefficients: Values
    intercept: float

    def predict(self, features: Values) -> Values:
        """Return `(n_rows,)` for features `(n_rows, n_features)`; NaN is replaced by the mean of the feature.

        Values are clipped at four standard deviations from the mean.
        """
        terms = _expand(_standardize(features, self.center, self.scale), self.degree)
        # Not a matrix product, whose rounding depends on the number of rows.
        predicted: Values = (terms * self.coefficients).sum(axis=1) + self.intercept
        return predicted


def fit_ridge(
    features: Values, targets: Values, images: Sequence[str], *, degree: int, alpha: float, n_folds: int
) -> Ridge:
    """Return the regression of targets on features.

    Args:
        features: `(n_rows, n_features)`; a row with only NaN affects only the mean.
        targets: `(n_rows,)`, finite; at least one.
        images: `(n_rows,)`: the image of each row.
        degree: 1 or 2; 0 to select.
        alpha: Above 0; 0 to select from `ALPHAS`.
        n_folds: Number of folds of images for the selection by squared error; the simplest of equally good choices is
            taken. With a single image nothing can be held out, and the simplest choice is taken.
    """
    choices = [(each, held) for each in ([degree] if degree else DEGREES) for held in ([alpha] if alpha else ALPHAS)]
    folds = assign_folds(images, n_folds=n_folds)
    fold_of_row = np.array([folds[image] for image in images], dtype=np.int64)
    chosen = choices[0]
    if len(choices) > 1 and len(folds) > 1:
        errors = sum(
            _measure_errors(features, targets, fold_of_row == fold, choices) for fold in np.unique(fold_of_row).tolist()
        )
        chosen = choices[int(np.argmin(errors))]
    return _fit_all(features, targets, [chosen])[0]


def _measure_errors(
    features: Values, targets: Values, is_held: npt.NDArray[np.bool_], choices: Sequence[Choice]
) -> Values:
    """Return `(n_choices,)`: the squared errors on the held-out rows."""
    fitted = _fit_all(features[~is_held], targets[~is_held], choices)
    return np.array([((each.predict(features[is_held]) - targets[is_held]) ** 2).sum() for each in fitted])


def _fit_all(features: Values, targets: Values, choices: Sequence[Choice]) -> list[Ridge]:
    known = np.isfinite(features)
    counts = np.maximum(known.sum(axis=0), 1)
    center = np.where(known, features, 0.0).sum(axis=0) / counts
    spread = np.sqrt(np.where(known, (features - center) ** 2, 0.0).sum(axis=0) / counts)
    scale = np.where(spread > 0, spread, 1.0)
    standard = _standardize(features, center, scale)
    fitted = {}
    for degree in {degree for degree, _ in choices}:
        alphas = [alpha for each, alpha in choices if each == degree]
        for alpha, (coefficients, intercept) in zip(
            alphas, _solve(_expand(standard, degree), targets, alphas), strict=True
        ):
            fitted[degree, alpha] = Ridge(degree, alpha, center, scale, coefficients, intercept)
    return [fitted[choice] for choice in choices]


def _solve(terms: Values, targets: Values, alphas: Sequence[float]) -> list[tuple[Values, float]]:
    """Return coefficients and intercept for each alpha; terms are standardised."""
    n_rows = len(terms)
    means = terms.mean(axis=0)
    deviations = terms.std(axis=0)
    scale = np.where(deviations > 0, deviations, 1.0)
    standard = (terms - means) / scale
    middle = float(targets.mean())
    values, vectors = np.linalg.eigh(standard.T @ standard / n_rows)
    turned = vectors.T @ (standard.T @ (targets - middle) / n_rows)
    solved = []
    for alpha in alphas:
        coefficients = vectors @ (turned / (np.maximum(values, 0.0) + alpha)) / scale
        solved.append((coefficients, middle - float((means * coefficients).sum())))
    return solved


def _standardize(features: Values, center: Values, scale: Values) -> Values:
    standard = np.clip((features - center) / scale, -_FARTHEST, _FARTHEST)
    return np.where(np.isfinite(standard), standard, 0.0)


def _expand(standard: Values, degree: int) -> Values:
    if degree == 1:
        return standard
    first, second = np.triu_indices(standard.shape[1])
    return np.concatenate([standard, standard[:, first] * standard[:, second]], axis=1)
