"""Cross-fitting of metrics that learn from judgments: no row is scored by a model trained on its image."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.batches.judged import JudgedRows, assign_folds, digest_image
from metrics_plugins.api.errors import MetricError
from metrics_plugins.api.info import Input, Level, MetricInfo
from metrics_plugins.api.metric import Fittable, Metric
from metrics_plugins.api.scores import Scores
from metrics_plugins.api.signature import Signature, SignatureValue
from metrics_plugins.runtime.printing import printing_to_stderr
from metrics_plugins.runtime.running import (
    check_fitted,
    check_keys,
    check_not_fitted_on,
    check_targets,
    fit_metric,
    get_fit_inputs,
)


@dataclass(frozen=True, eq=False)
class CrossFitted(Metric):
    """A metric fitted once per fold; each row is scored by the model fitted without the row's image.

    `fitted_on` is empty, since no score comes from a model that learned from judgments of the same image. Each fitted
    model still checks the rows it scores. An image without judgments is assigned to a model by the hash of its key.

    Attributes:
        info: The info of the fitted metrics, with the image key among the inputs.
        models: `(n_folds,)`: the models, each fitted without the images of its fold.
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
            FittedOnEvaluation: A model would score rows that it learned from.
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
        return int(digest_image(image), 16) % len(self.models) if fold is None else fold


def cross_fit_metric(metric: Fittable, judged: JudgedRows, *, rng: np.random.Generator) -> CrossFitted:
    """Return a metric cross-fitted on judged rows, with `metric.n_folds` folds of whole images.

    With fewer images than folds, each image is a fold of its own.

    Raises:
        MissingInput: The rows lack a column.
        MetricError: Fewer than two images were judged, the metric cannot be fitted, or it does not give one score for
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


@printing_to_stderr
def fit_on_judgments(
    metric: Fittable, judged: JudgedRows, *, scored: Collection[str], rng: np.random.Generator
) -> Metric:
    """Return a fitted metric for scoring rows: cross-fitted if any of their images was judged, else fitted on all.

    Args:
        metric: A metric that learns from judgments.
        judged: The rows to learn from.
        scored: The image keys of the rows to score.
        rng: The only source of randomness.

    Raises:
        MetricError: As for `cross_fit_metric` and `fit_metric`.
    """
    if judged.shares_images(scored):
        return cross_fit_metric(metric, judged, rng=rng)
    return fit_metric(metric, judged.batch, rng=rng, targets=judged.targets)


def name_judgments(signature: Signature, judged: JudgedRows, *, scored: Collection[str]) -> Signature:
    """Return the signature of the metric that `fit_on_judgments` returns."""
    return signature.name_judgments(judged.digest, cross_fitted=judged.shares_images(scored))
