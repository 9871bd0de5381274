"""Scores of the captions of one system by named metrics, computed in memory."""

from collections.abc import Sequence

import numpy as np

from captioning.api import CaptionedImages
from metrics_plugins.api import Batch, Fittable
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.running import run_metric


def measure_captions(
    captions: Sequence[str], data: CaptionedImages, *, metrics: Sequence[str], fit_data: CaptionedImages | None = None
) -> dict[str, float]:
    """Return the score of all captions together, by metric.

    Args:
        captions: `(n_images,)`.
        data: The images; their captions are the references.
        metrics: The ids of metrics of single captions or of whole systems.
        fit_data: The captions in which document frequencies are counted; `data` if None.
    """
    registry = load_registry()
    batch = Batch.make(data.images.keys, references=data.captions, worlds=data.worlds, candidates=captions)
    fit_batch = None if fit_data is None else Batch.make(fit_data.images.keys, references=fit_data.captions)
    scores: dict[str, float] = {}
    for name in metrics:
        metric = registry.build(name)
        fits = isinstance(metric, Fittable)
        run = run_metric(metric, batch, rng=np.random.default_rng(0), fit_batch=fit_batch if fits else None)
        scores[name] = run.corpus
    return scores
