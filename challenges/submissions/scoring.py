"""Scores results of a phase against its private references, in the same way as `score` does files."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import isfinite, isnan
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from django.db.models import QuerySet

from challenges.board.image_statistics import pack_statistics
from challenges.models import Phase, PhaseReferences, Submission, SubmissionScore
from metrics_plugins.api import Batch, DecomposableMetric, Input, Level, Metric
from metrics_plugins.readers.results import ResultsFile
from metrics_plugins.runtime import Registry, load_registry
from metrics_plugins.runtime.chunks import Chunk, cut_chunks, join_results
from metrics_plugins.runtime.preparing import Learning
from metrics_plugins.runtime.running import find_slack
from metrics_plugins.runtime.sandbox.catalog import describe_registration
from metrics_plugins.runtime.sessions import AskedMetric, SessionWatch, TrustedBackend
from studies.models import Image, Reference

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of a phase with one of its sets of references."""

    metric: str
    params: dict[str, Any]
    references: str
    texts: dict[str, tuple[str, ...]]

    @property
    def key(self) -> tuple[str, str]:
        """The names of references and metric."""
        return self.references, self.metric


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """A score of a submission, with what it is computed from.

    `is_mean` says whether the value is the mean of `per_row`, the scores of rows (NaN where undefined). That of BLEU,
    for example, is computed from sums of `per_row`, statistics of shape (n_rows, n_statistics). None for other scores.
    """

    measure: Measure
    signature: str
    value: float
    per_row: npt.NDArray[np.float64] | None
    is_mean: bool


class OutOfBounds(Exception):
    """A metric gave a score that it declares impossible; the message has numbers only."""


@cache
def load_metrics() -> Registry:
    """Return the bundled metrics: no other program reads private references."""
    return load_registry(outside=False)


def find_images(phase: Phase) -> QuerySet[Image]:
    """Return the images of a phase: those chosen, or all of the dataset."""
    chosen = phase.images.order_by("pk")
    return chosen if chosen.exists() else Image.objects.filter(dataset=phase.challenge.dataset_id).order_by("pk")


def list_measures(phase: Phase) -> Iterator[Measure]:
    """Yield all metrics with all sets of references, in the order of the phase."""
    for references in phase.references.all():
        texts = select_references(references)
        for each in phase.metrics.all():
            yield Measure(metric=each.metric, params=each.params, references=references.name, texts=texts)


def select_references(references: PhaseReferences) -> dict[str, tuple[str, ...]]:
    """Return the references by key of the image, without images that have too few of them."""
    return {key: tuple(text for _, text in rows) for key, rows in select_numbered(references).items()}


def select_numbered(references: PhaseReferences) -> dict[str, list[tuple[int, str]]]:
    """Return the references with their positions by key of the image, without images that have too few of them."""
    found: dict[str, list[tuple[int, str]]] = {}
    rows = Reference.objects.filter(image__in=find_images(references.phase), position__gte=references.start)
    for key, *numbered in rows.order_by("image_id", "position").values_list("image__key", "position", "text"):
        found.setdefault(key, []).append((numbered[0], numbered[1]))
    if references.count is None:
        return found
    return {key: rows[: references.count] for key, rows in found.items() if len(rows) >= references.count}


def score_measure(measure: Measure, *, results: ResultsFile) -> Score | None:
    """Return the score of results; None if the metric fails, which is logged without its message.

    A message may quote a reference, and so it is neither stored nor shown.
    """
    try:
        return compute_score(measure, results=results)
    except OutOfBounds as error:
        _LOG.error("metric %s of a challenge failed: %s", measure.metric, error)
        return None
    except Exception as error:
        _LOG.error("metric %s of a challenge failed: %s", measure.metric, type(error).__name__)
        return None


def compute_score(measure: Measure, *, results: ResultsFile) -> Score:
    """Return the score of results by one metric; metrics count the references of an image once.

    Raises:
        MetricError: The metric is unknown, cannot be built or fails.
        OutOfBounds: Its score of the whole file leaves the declared bounds, from which the leak bound is computed.
    """
    registry = load_metrics()
    asked = AskedMetric(describe_registration(registry.get(measure.metric)), measure.params)
    level, reads_sets = asked.entry.info.level, Input.CAPTION_SET in asked.entry.info.inputs
    documents = _make_batch(measure, results, reads_sets=reads_sets, most=1)
    batch = documents if reads_sets else _make_batch(measure, results, reads_sets=reads_sets)
    learning = Learning(lambda: documents, scored_images=frozenset(batch.image_keys))
    with TrustedBackend(registry=registry).open([asked], learning=learning, watch=SessionWatch()) as session:
        session.prepare(asked)
        session.fit(asked.id)
        chunks = [Chunk(0, batch, (asked.id,))] if level is Level.CORPUS else cut_chunks(batch, (asked.id,))
        found = list(session.score(chunks, metrics=(asked.id,), n_chunks=len(chunks)))
        if problems := [each.error for each in found if each.error]:
            raise RuntimeError(problems[0])
        prepared = session.prepared[asked.id]
        run = join_results(prepared.ready, found, keys=batch.keys)
        signature = str(prepared.name_learned(run.signature))
    is_mean = _has_mean(prepared.ready)
    return Score(
        measure,
        signature=signature,
        value=limit_value(float(run.corpus), bounds=asked.entry.info.bounds),
        per_row=run.scores.values if is_mean else run.statistics,
        is_mean=is_mean,
    )


def limit_value(value: float, *, bounds: tuple[float, float]) -> float:
    """Return a score of a whole file, which may leave its bounds only by rounding and is then set to the bound.

    Raises:
        OutOfBounds: It leaves them by more.
    """
    if isnan(value):
        return value
    low, high = bounds
    limited = min(max(value, low), high)
    if abs(value - limited) > find_slack(bounds):
        raise OutOfBounds(f"the score of all rows is {value!r}, outside of the declared bounds [{low}, {high}]")
    return limited


def keep_score(submission: Submission, score: Score) -> None:
    """Store a score, in place of an earlier one."""
    n_images, by_row = len(score.measure.texts), score.per_row
    packed = None if by_row is None else pack_statistics(by_row, n_images=n_images, is_mean=score.is_mean)
    row = SubmissionScore(
        submission=submission,
        references=score.measure.references,
        metric=score.measure.metric,
        signature=score.signature,
        value=score.value if isfinite(score.value) else None,
        n_images=n_images,
        is_mean=score.is_mean,
        per_image=packed,
    )
    # One statement, where `update_or_create` takes six.
    SubmissionScore.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["submission", "references", "metric"],
        update_fields=["signature", "value", "n_images", "is_mean", "per_image"],
    )


def _has_mean(metric: Metric) -> bool:
    """Return whether the score of a system is the mean of the scores of its captions or caption sets."""
    return (
        metric.info.level is not Level.CORPUS
        and not isinstance(metric, DecomposableMetric)
        and type(metric).summarize is Metric.summarize
    )


def _make_batch(measure: Measure, results: ResultsFile, *, reads_sets: bool, most: int | None = None) -> Batch:
    """Return a row for each caption set if the metric reads these, else for each of at most `most` captions."""
    if reads_sets:
        keys = list(measure.texts)
        return Batch.make(
            keys,
            caption_sets=[results.captions[key] for key in keys],
            references=[measure.texts[key] for key in keys],
            image_keys=keys,
        )
    rows = [
        (key, number, caption) for key in measure.texts for number, caption in enumerate(results.captions[key][:most])
    ]
    return Batch.make(
        [f"{key}-{number}" for key, number, _ in rows],
        candidates=[caption for _, _, caption in rows],
        references=[measure.texts[key] for key, _, _ in rows],
        image_keys=[key for key, _, _ in rows],
    )
