"""Metrics that learn from judgments: fitted on judged rows so that no row meets a model that saw its image judged."""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from metrics_plugins.api.batch import Batch
from metrics_plugins.api.errors import MetricError
from metrics_plugins.api.info import Input, Level, MetricInfo
from metrics_plugins.api.metric import Fittable, Metric
from metrics_plugins.api.running import (
    check_fitted,
    check_keys,
    check_not_fitted_on,
    check_targets,
    fit_metric,
    get_fit_inputs,
)
from metrics_plugins.api.scores import Scores, Values
from metrics_plugins.api.signature import Signature, SignatureValue


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRows:
    """Rows that people judged.

    Attributes:
        batch: Captions, with the references and the key of the image of each.
        targets: `(n_rows,)`: the mean judgment of each row; more is better.

    Raises:
        MetricError: There is no row, not one number for each, or one that is not finite.
    """

    batch: Batch
    targets: Values = field(repr=False)

    def __post_init__(self) -> None:
        if self.targets.shape != (len(self.batch),) or not len(self.batch):
            raise MetricError(f"there must be one judgment for each row, got {self.targets.shape} for {self.batch!r}")
        if not np.isfinite(self.targets).all():
            raise MetricError("judgments must be finite numbers")

    @property
    def digest(self) -> str:
        """Identifies rows and judgments, whatever the order of rows."""
        batch = self.batch
        references = batch.references if Input.REFERENCES in batch.available_inputs else [()] * len(batch)
        captions = batch.candidates if Input.CANDIDATE in batch.available_inputs else batch.caption_sets
        rows = zip(batch.keys, batch.image_keys, captions, references, self.targets.tolist(), strict=True)
        return hashlib.sha256("\n".join(sorted(map(repr, rows))).encode("utf-8", "backslashreplace")).hexdigest()[:12]

    def shares_images(self, image_keys: Iterable[str]) -> bool:
        """Tell whether one of these images was judged."""
        return not frozenset(self.batch.image_keys).isdisjoint(image_keys)


@dataclass(frozen=True, eq=False)
class CrossFitted(Metric):
    """One metric fitted several times, each time without a part of the images; what missed its image scores a row.

    So it says nothing of a row that it learned from a judgment of the row's image, though it learned from judgments of
    these very images: `fitted_on` is empty, and each of the fitted metrics keeps its own guard. An image that was never
    judged meets one of them by its name.

    Attributes:
        info: That of the fitted metrics, with the image's key among the inputs.
        models: `(n_folds,)`: each fitted without the images of its fold.
        folds: The fold of each judged image.
    """

    info: MetricInfo  # type: ignore[misc]  # that of the metric which was fitted
    models: tuple[Metric, ...]
    folds: Mapping[str, int] = field(repr=False)

    def describe(self) -> Mapping[str, SignatureValue]:
        return self.models[0].describe()

    def score(self, batch: Batch) -> Scores:
        """Return the score of each row.

        Raises:
            FittedOnEvaluation: A model is about to score what it learned from.
        """
        fold_of_row = np.array([self._find_fold(image) for image in batch.image_keys], dtype=np.int64)
        values = np.full(len(batch), np.nan)
        for fold, model in enumerate(self.models):
            rows = np.flatnonzero(fold_of_row == fold)
            if len(rows):
                part = batch.select(rows)
                check_not_fitted_on(model, part)
                values[rows] = check_keys(model, model.score(part.restrict(model.info)), batch=part).values
        return Scores(keys=batch.keys, values=values)

    def summarize(self, scores: Scores) -> float:
        return self.models[0].summarize(scores)

    def _find_fold(self, image: str) -> int:
        fold = self.folds.get(image)
        return int(_digest(image), 16) % len(self.models) if fold is None else fold


def assign_folds(images: Iterable[str], *, n_folds: int) -> dict[str, int]:
    """Return the fold of each image, from 0: of as equal sizes as can be, and by the images' names alone.

    In the order of the SHA-256 of their names they are dealt out in turn: nobody draws, and nobody can draw again.
    """
    return {image: place % n_folds for place, image in enumerate(sorted(set(images), key=_digest))}


def cross_fit_metric(metric: Fittable, judged: JudgedRows, *, rng: np.random.Generator) -> CrossFitted:
    """Return a metric that scores judged rows fairly: its folds are of whole images, `metric.n_folds` of them.

    With fewer images there are as many folds as images.

    Raises:
        MissingInput: The rows lack a column.
        MetricError: Fewer than two images were judged, or the metric cannot be fitted or gives no score of its own to
            each row.
    """
    name = metric.info.id
    if metric.info.level is Level.CORPUS:
        raise MetricError(f"metric {name!r} gives one score to all rows together: it cannot be cross-fitted")
    check_targets(metric, judged.batch, judged.targets)
    images = judged.batch.image_keys
    n_folds = min(metric.n_folds, len(set(images)))
    if n_folds < 2:
        raise MetricError(f"metric {name!r} can only be cross-fitted on judgments of two images or more, got {n_folds}")
    folds = assign_folds(images, n_folds=n_folds)
    fold_of_row = np.array([folds[image] for image in images])
    parts = [np.flatnonzero(fold_of_row != fold) for fold in range(n_folds)]
    view = judged.batch.restrict_to(get_fit_inputs(metric.info), reader=f"metric {name!r} while fitting")
    models = metric.fit_parts(view, judged.targets, rng, parts=parts)
    for model, rows in zip(models, parts, strict=True):
        check_fitted(metric, model, judged.batch.select(rows))
    info = replace(metric.info, inputs=metric.info.inputs | {Input.IMAGE_KEY})
    return CrossFitted(info=info, models=models, folds=folds)


def fit_on_judgments(
    metric: Fittable, judged: JudgedRows, *, scored: Collection[str], rng: np.random.Generator
) -> Metric:
    """Return the metric that shall score rows: cross-fitted if one of their images was judged, else fitted on all.

    Args:
        metric: Learns from judgments.
        judged: What it learns from.
        scored: The keys of the images of the rows that it shall score.
        rng: The only source of randomness.

    Raises:
        MetricError: As for `cross_fit_metric` and `fit_metric`.
    """
    if judged.shares_images(scored):
        return cross_fit_metric(metric, judged, rng=rng)
    return fit_metric(metric, judged.batch, rng=rng, targets=judged.targets)


def name_judgments(signature: Signature, judged: JudgedRows, *, scored: Collection[str]) -> Signature:
    """Return the signature of what `fit_on_judgments` gives."""
    return signature.name_judgments(judged.digest, cross_fitted=judged.shares_images(scored))


def _digest(image: str) -> str:
    return hashlib.sha256(image.encode("utf-8", "surrogatepass")).hexdigest()
