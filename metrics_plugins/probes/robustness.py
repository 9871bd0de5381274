"""The robustness of metrics, measured by how fast their scores fall when human captions are distorted.

Cui et al. (2018), "Learning to Evaluate Image Captioning", Figure 6: the area under the curve of the score over the
strength of a distortion, divided by the score of unchanged captions; the lower the area, the more robust the metric.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from math import nan
from typing import Final, Literal, get_args

import numpy as np

from execution.factory import InlineExecutor
from metrics_plugins.api import Metric, MetricError
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.holding_out import HeldOut, hold_out
from metrics_plugins.probes.scoring import AnyMetric, check_metrics, fit_on_references
from metrics_plugins.runtime import MetricRun
from metrics_plugins.runtime.chunks import Chunk, join_results
from metrics_plugins.runtime.executors import score_chunks
from metrics_plugins.runtime.failures import add_metric_name
from metrics_plugins.runtime.running import check_not_fitted_on
from metrics_plugins.runtime.sessions import TrustedBackend
from metrics_plugins.text.distortions import (
    Distorted,
    Distortion,
    draw_permuted_words,
    draw_random_captions,
    draw_replaced_words,
)
from metrics_plugins.text.ptb.tokenizer import tokenize_captions

Summary = Literal["mean", "system"]
"""How scores are summarised: the mean of the captions' scores, or the system score of the metric."""

VOCABULARY_SIZE: Final = 10_000


def divide_strengths(n_steps: int) -> tuple[float, ...]:
    """Return `(n_steps + 1,)`: strengths from 0 to 1 in equal steps."""
    return tuple(step / n_steps for step in range(n_steps + 1))


STRENGTHS: Final = divide_strengths(10)


@dataclass(frozen=True, slots=True)
class RobustnessCurve:
    """The score of one metric over the strength of one distortion.

    Attributes:
        metric, signature, higher_is_better: The metric.
        distortion: The kind of distortion.
        strengths: `(n_strengths,)`: ascending from 0 to 1.
        scores: `(n_strengths,)`: NaN if no caption has a score.
        n_missing: `(n_strengths,)`: the number of captions with undefined scores, which are left out of means.
    """

    metric: str
    signature: str
    higher_is_better: bool
    distortion: Distortion
    strengths: tuple[float, ...]
    scores: tuple[float, ...]
    n_missing: tuple[int, ...]

    @property
    def normalised(self) -> tuple[float, ...]:
        """`(n_strengths,)`: the scores divided by that of unchanged captions; NaN if that is not above 0."""
        untouched = self.scores[0]
        return tuple(score / untouched if untouched > 0 else nan for score in self.scores)

    @property
    def auc(self) -> float:
        """The area under the normalised curve by the trapezoid rule.

        It is 1 for a metric whose score does not change. The lower the area, the more robust is the metric; if lower
        scores are better, the higher the area. NaN if a point of the curve is NaN.
        """
        points = list(zip(self.strengths, self.normalised, strict=True))
        return sum((right - left) * (first + second) / 2 for (left, first), (right, second) in pairwise(points))


@dataclass(frozen=True, slots=True)
class RobustnessReport:
    """The curves of several metrics for the same distorted captions.

    Attributes:
        position: The position of the reference that was distorted; it is scored against the other references.
        n_images, n_dropped: The numbers of images used, and of those left out because they have no second reference.
        summary: How scores are summarised.
        curves: The curves by metric and distortion, in the orders given.
    """

    position: int
    n_images: int
    n_dropped: int
    summary: Summary
    curves: tuple[RobustnessCurve, ...]


def measure_robustness(
    metrics: Iterable[AnyMetric],
    references: Mapping[str, Sequence[str]],
    *,
    rng: np.random.Generator,
    distortions: Sequence[Distortion] = tuple(Distortion),
    strengths: Sequence[float] = STRENGTHS,
    position: int = 0,
    summary: Summary = "mean",
    vocabulary: Sequence[str] | None = None,
    backend: TrustedBackend | None = None,
    track: Track = pass_on,
) -> RobustnessReport:
    """Distort one human caption of each image with increasing strength, and score it against the other references.

    Captions are the tokens of the COCO caption evaluation joined by spaces, at strength 0 too. All metrics score the
    same distorted captions. A metric that is fitted on references is fitted once, on the other references.

    Args:
        metrics: Metrics at segment level that read captions and references.
        references: The references of each image, by its id; images with one only are left out and counted.
        rng: The only source of randomness. Each distortion has a generator of its own, so that leaving one out does
            not change the others.
        distortions: The distortions to measure.
        strengths: The strengths, ascending from 0 to 1.
        position: The position of the reference to distort, from 0.
        summary: How scores are summarised; the paper uses the mean.
        vocabulary: Distinct words as replacements; by default the 10,000 most frequent words of all references, the
            size of the paper's vocabulary.
        backend: Its executor scores the captions of one strength at a time, with the same results; by default they
            are scored in this process.
        track: Reports progress.

    Raises:
        ProbeError: An argument is invalid, or there are too few images or references.
        MetricError: A metric fails, or learned from judgments of these images.
        BrokenExecutor: The processes or the cluster ended.
    """
    checked = check_metrics(metrics)
    _check_strengths(strengths)
    if summary not in get_args(Summary):
        raise ProbeError(f"the summary must be one of {', '.join(get_args(Summary))}, got {summary!r}")
    held_out = hold_out(references, position=position)
    pools = [
        tokenize_captions((caption, *others))
        for caption, others in zip(held_out.captions, held_out.references, strict=True)
    ]
    if vocabulary is None:
        vocabulary = find_vocabulary([text for pool in pools for text in pool])
    seeds = dict(zip(Distortion, rng.spawn(len(Distortion)), strict=True))
    fitted = fit_on_references(checked, held_out.make_batch(), rng=rng)
    drawn = {kind: _draw(kind, pools, vocabulary, rng=seeds[kind]) for kind in dict.fromkeys(distortions)}
    for metric in fitted:
        check_not_fitted_on(metric, held_out.make_batch())
    runs = _score_all(fitted, held_out, drawn, strengths, backend=backend, track=track)
    return RobustnessReport(
        position=position,
        n_images=len(held_out.image_ids),
        n_dropped=held_out.n_dropped,
        summary=summary,
        curves=tuple(
            _make_curve(metric, kind, tuple(strengths), runs[metric.info.id, kind], summary)
            for metric in fitted
            for kind in drawn
        ),
    )


def find_vocabulary(captions: Sequence[str], *, size: int = VOCABULARY_SIZE) -> tuple[str, ...]:
    """Return the most frequent words of captions, which are split at spaces; ties are in alphabetical order."""
    frequencies = Counter(word for caption in captions for word in caption.split())
    return tuple(sorted(frequencies, key=lambda word: (-frequencies[word], word))[:size])


def _check_strengths(strengths: Sequence[float]) -> None:
    rises = all(left < right for left, right in pairwise(strengths))
    if len(strengths) < 2 or strengths[0] != 0 or strengths[-1] != 1 or not rises:
        raise ProbeError(f"strengths must rise from 0 to 1, got {', '.join(map(str, strengths)) or 'none'}")


def _draw(
    kind: Distortion, pools: Sequence[Sequence[str]], vocabulary: Sequence[str], *, rng: np.random.Generator
) -> Distorted:
    """Draw a distortion of the first caption of each pool."""
    captions = [pool[0] for pool in pools]
    if kind is Distortion.RANDOM_CAPTION:
        return draw_random_captions(captions, pools=pools, rng=rng)
    if kind is Distortion.WORD_PERMUTATION:
        return draw_permuted_words(captions, rng=rng)
    return draw_replaced_words(captions, vocabulary=vocabulary, rng=rng)


def _score_all(
    fitted: Sequence[Metric],
    held_out: HeldOut,
    drawn: Mapping[Distortion, Distorted],
    strengths: Sequence[float],
    *,
    backend: TrustedBackend | None,
    track: Track,
) -> dict[tuple[str, Distortion], list[MetricRun]]:
    """Return the results of each metric and distortion by strength."""
    metrics = {metric.info.id: metric for metric in fitted}
    steps = [(kind, strength) for kind in drawn for strength in strengths]
    # All metrics share the batch of a strength, including tokens and n-grams.
    chunks = (
        Chunk(index, held_out.make_batch(drawn[kind].apply(strength)), tuple(metrics))
        for index, (kind, strength) in enumerate(steps)
    )
    executor, most_waiting = backend.make_executor(len(steps)) if backend else (InlineExecutor(), 1)
    found: dict[tuple[str, int], MetricRun] = {}
    scored = score_chunks(chunks, metrics=metrics, executor=executor, most_waiting=most_waiting)
    with executor, closing(scored) as results:
        for result in track(results, total=len(metrics) * len(steps), label="robustness"):
            if result.error:
                raise MetricError(add_metric_name(result.error, metric=result.metric))
            metric = metrics[result.metric]
            found[result.metric, result.index] = join_results(metric, [result], keys=held_out.image_ids)
    return {
        (name, kind): [found[name, index] for index, (each, _) in enumerate(steps) if each is kind]
        for name in metrics
        for kind in drawn
    }


def _make_curve(
    metric: Metric, kind: Distortion, strengths: tuple[float, ...], runs: Sequence[MetricRun], summary: Summary
) -> RobustnessCurve:
    return RobustnessCurve(
        metric=metric.info.id,
        signature=str(metric.signature),
        higher_is_better=metric.info.higher_is_better,
        distortion=kind,
        strengths=strengths,
        scores=tuple(run.scores.mean if summary == "mean" else run.corpus for run in runs),
        n_missing=tuple(run.scores.n_missing for run in runs),
    )
