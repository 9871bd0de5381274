"""Human agreement as measured by metrics, which score each reference against the others.

Chen et al. (2015), "Microsoft COCO Captions: Data Collection and Evaluation Server", Table I.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrics_plugins.api import Batch, Scores
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.holding_out import MIN_REFERENCES, hold_out
from metrics_plugins.probes.scoring import AnyMetric, check_metrics, run_checked


@dataclass(frozen=True, slots=True, eq=False)
class HumanRound:
    """The scores of one reference of each image against the others.

    Attributes:
        position: The position of the reference, from 0.
        system: The system score of these captions: from totals for decomposable metrics (BLEU, METEOR), else the mean
            of the defined scores. NaN if undefined.
        scores: `(n_images,)`: the scores by image id; NaN if undefined.
    """

    position: int
    system: float
    scores: Scores


@dataclass(frozen=True, slots=True, eq=False)
class HumanAgreement:
    """The human agreement in one metric.

    Attributes:
        metric, signature: The id and the signature of the metric.
        rounds: One round for each position, ascending.
        n_dropped: The number of images with one reference only, which are in no round.
    """

    metric: str
    signature: str
    rounds: tuple[HumanRound, ...]
    n_dropped: int

    @property
    def system(self) -> float:
        """The mean of the rounds' system scores, weighted by their numbers of images; NaN if one is undefined."""
        weights = [len(each.scores) for each in self.rounds]
        return float(np.average([each.system for each in self.rounds], weights=weights))


def measure_human_agreement(
    metrics: Iterable[AnyMetric],
    references: Mapping[str, Sequence[str]],
    *,
    rng: np.random.Generator,
    positions: Sequence[int] | None = None,
    track: Track = pass_on,
) -> tuple[HumanAgreement, ...]:
    """Score references against the other references of their images, metric by metric.

    A metric that is fitted on references (CIDEr) is fitted in each round on the references of that round, as on the
    evaluation server: these do not include the held-out captions.

    Args:
        metrics: Metrics at segment level that read captions and references.
        references: The references of each image, by its id.
        rng: The source of randomness for fitting metrics.
        positions: The positions of the references to hold out in turn, by default every position that exists. An image
            without a reference at a position is not in that round.
        track: Reports progress.

    Raises:
        ProbeError: A metric cannot be probed, no image has two references, or none has one at a position.
        MetricError: A metric fails.
    """
    checked = check_metrics(metrics)
    if positions is None:
        positions = range(max([MIN_REFERENCES, *map(len, references.values())]))
    if not positions:
        raise ProbeError("human agreement needs at least one position of a reference, got none")
    rounds: dict[str, list[HumanRound]] = {metric.info.id: [] for metric in checked}
    steps = _list_steps(checked, references, sorted(set(positions)))
    for metric, position, batch in track(steps, total=len(checked) * len(set(positions)), label="human agreement"):
        run = run_checked(metric, batch, rng=rng)
        rounds[metric.info.id].append(HumanRound(position=position, system=run.corpus, scores=run.scores))
    n_dropped = sum(len(texts) < MIN_REFERENCES for texts in references.values())
    return tuple(
        HumanAgreement(
            metric=metric.info.id,
            signature=str(metric.signature),
            rounds=tuple(rounds[metric.info.id]),
            n_dropped=n_dropped,
        )
        for metric in checked
    )


def _list_steps(
    metrics: Sequence[AnyMetric], references: Mapping[str, Sequence[str]], positions: Sequence[int]
) -> Iterator[tuple[AnyMetric, int, Batch]]:
    # All metrics share the batch of a round, including its tokens and n-grams; only one batch is in memory at a time.
    for position in positions:
        batch = hold_out(references, position=position).make_batch()
        for metric in metrics:
            yield metric, position, batch
