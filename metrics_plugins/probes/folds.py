"""The two-fold protocol, which scores each system with a critic trained on other captions of the same system.

Cui et al. (2018), appendix E: the images are split in halves; a critic is trained on one half to distinguish the
captions of one system from human captions, and scores that system on the other half; then the halves are swapped. The
procedure is repeated for several seeds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from metrics_plugins.api import Batch, Fittable, MetricError
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.api.scores import Values
from metrics_plugins.runtime import fit_metric, run_metric


@dataclass(frozen=True, slots=True, eq=False)
class FoldScores:
    """The scores of a system under the protocol.

    Attributes:
        system: The name of the system.
        image_ids: `(n_images,)`: the ids of the images.
        values: `(n_seeds, n_images)`: the score of each caption by the critic that was not trained on its image.
    """

    system: str
    image_ids: tuple[str, ...] = field(repr=False)
    values: Values = field(repr=False)

    @property
    def by_seed(self) -> tuple[float, ...]:
        """`(n_seeds,)`: the mean over images, ignoring NaN."""
        return tuple(float(value) for value in np.nanmean(self.values, axis=1))

    @property
    def score(self) -> float:
        """The system's score: the mean over seeds."""
        return float(np.mean(self.by_seed))


def score_by_folds(
    metric: Fittable,
    systems: Mapping[str, Mapping[str, str]],
    references: Mapping[str, Sequence[str]],
    *,
    seeds: Sequence[int],
    track: Track = pass_on,
) -> tuple[FoldScores, ...]:
    """Return the scores of each system, in the order given.

    Args:
        metric: A metric fitted on captions, such as `critic-lstm`; it is fitted anew for each half.
        systems: The captions of each system by image, one per image.
        references: The human captions of each of these images.
        seeds: One seed for each repetition, for the halves and the draws of the metric.
        track: Reports progress, with a step for each critic.

    Raises:
        MetricError: A system's image has no references, there are fewer than four images, or the metric fails.
    """
    for system, captions in systems.items():
        unknown = sorted(set(captions) - set(references))
        if unknown:
            raise MetricError(f"system {system!r}: image {unknown[0]!r} has no references ({len(unknown)} such images)")
        if len(captions) < 4:
            raise MetricError(f"system {system!r}: two folds need at least 4 images, got {len(captions)}")
    values = {system: np.full((len(seeds), len(captions)), np.nan) for system, captions in systems.items()}
    jobs = [(system, place, side) for system in systems for place in range(len(seeds)) for side in (0, 1)]
    for system, place, side in track(jobs, total=len(jobs), label="critics"):
        batch = _make_batch(systems[system], references)
        rng = np.random.default_rng([seeds[place], 0])
        halves = np.array_split(rng.permutation(len(batch)), 2)
        learning, scoring = np.sort(halves[side]), np.sort(halves[1 - side])
        draws = np.random.default_rng([seeds[place], 1 + side])
        fitted = fit_metric(metric, batch.select(learning), rng=draws)
        values[system][place, scoring] = run_metric(fitted, batch.select(scoring), rng=draws).scores.values
    return tuple(FoldScores(system, tuple(captions), values[system]) for system, captions in systems.items())


def _make_batch(captions: Mapping[str, str], references: Mapping[str, Sequence[str]]) -> Batch:
    return Batch.make(captions, candidates=captions.values(), references=[references[image] for image in captions])
