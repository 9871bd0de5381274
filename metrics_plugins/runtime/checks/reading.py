"""Checks that a metric reads only the columns it declared and does not change them."""

import numpy as np

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.info import Input
from metrics_plugins.api.metric import Fittable
from metrics_plugins.runtime.checks.subject import Subject, require, require_equal, vary_texts
from metrics_plugins.runtime.running import get_fit_inputs


def check_declared_inputs(subject: Subject) -> None:
    """Scores do not depend on undeclared columns, which the restricted view also hides."""
    info = subject.info
    scores = subject.score(subject.make(), subject.sample)
    if not info.deterministic:
        return
    fit_sample = vary_texts(subject.fit_sample, keep=get_fit_inputs(info))
    again = subject.score(subject.make(fit_sample=fit_sample), vary_texts(subject.sample, keep=info.inputs))
    declared = ", ".join(sorted(info.inputs))
    require_equal(
        scores.values,
        again.values,
        keys=scores.keys,
        expected=f"the same scores when only columns change that are not declared (declared: {declared})",
    )


def check_batch_unchanged(subject: Subject) -> None:
    """Scoring and fitting do not modify any column."""
    batch = subject.sample.make_batch()
    before = _copy_columns(batch)
    subject.make().score(batch.restrict(subject.info))
    require(_copy_columns(batch) == before, expected="score to leave its batch unchanged", came="changed columns")
    metric = subject.build()
    if isinstance(metric, Fittable):
        fit_batch = subject.fit_sample.make_batch()
        before = _copy_columns(fit_batch)
        targets = np.linspace(1.0, 5.0, len(fit_batch))
        kept = targets.copy()
        metric.fit(subject.restrict_to_fit(fit_batch), targets, np.random.default_rng(0))
        unchanged = _copy_columns(fit_batch) == before and np.array_equal(targets, kept)
        require(unchanged, expected="fit to leave its batch and targets unchanged", came="changed columns")


def _copy_columns(batch: Batch) -> dict[str, object]:
    columns: dict[str, object] = {"keys": batch.keys, "texts": batch.derive_texts("checked texts", tuple)}
    rows = {
        Input.CANDIDATE: "candidate_rows",
        Input.REFERENCES: "reference_rows",
        Input.CAPTION_SET: "caption_set_rows",
        Input.IMAGE: "images",
        Input.IMAGE_KEY: "image_keys",
        Input.WORLD: "worlds",
    }
    for name in batch.available_inputs:
        value = getattr(batch, rows[name])
        if isinstance(value, Ragged):
            columns[name] = (value.offsets.tolist(), value.values.tolist())
        else:
            columns[name] = list(value)
    return columns
