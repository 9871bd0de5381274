"""The truth probe: how often a metric prefers a true caption to one that a single edit made false."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from captioning.probes.minimal_pairs import PAIR_KINDS, MinimalPair
from captioning.worlds.rendering import render_world
from correlation.resampling.shares import bound_share
from metrics_plugins.api import Batch, Input
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.api.scores import Values
from metrics_plugins.probes.scoring import AnyMetric, check_metrics, fit_on_references, run_checked

_READABLE = frozenset({Input.CANDIDATE, Input.REFERENCES, Input.IMAGE, Input.IMAGE_KEY, Input.WORLD})


@dataclass(frozen=True, slots=True)
class Preference:
    """How often a metric prefers the true caption, among pairs of one kind.

    Parameters
    ----------
    n_pairs : int
        Pairs in which both captions have a score.
    n_missing : int
        Pairs in which one has none.
    n_better, n_equal : int
        Pairs in which the true caption scores better, or the same. Better is as the metric declares it.
    """

    kind: str
    n_pairs: int
    n_missing: int
    n_better: int
    n_equal: int

    @property
    def accuracy(self) -> float:
        """The share of pairs in which the true caption is preferred, a tie counting half; NaN without pairs."""
        return (self.n_better + self.n_equal / 2) / self.n_pairs if self.n_pairs else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the accuracy; pairs of one kind come from different worlds."""
        return bound_share(self.n_better + self.n_equal / 2, self.n_pairs)


@dataclass(frozen=True, slots=True)
class MetricTruth:
    """The preferences of a metric, in the order of `PAIR_KINDS`; kinds without any pair are left out."""

    metric: str
    signature: str
    preferences: tuple[Preference, ...]

    @property
    def mean(self) -> float:
        """The mean accuracy over kinds, each kind counting the same."""
        return float(np.mean([each.accuracy for each in self.preferences]))


@dataclass(frozen=True, slots=True)
class TruthReport:
    """What was probed, and the metrics, the most truthful first.

    Parameters
    ----------
    n_worlds : int
        Worlds with at least one pair.
    """

    sets: tuple[str, ...]
    n_worlds: int
    metrics: tuple[MetricTruth, ...]


def probe_truth(
    metrics: Sequence[AnyMetric], pairs: Sequence[MinimalPair], *, rng: np.random.Generator, track: Track = pass_on
) -> TruthReport:
    """Score both captions of each pair against the references and count which is preferred.

    Metrics that learn from references do so from those of the pairs.

    Raises
    ------
    ProbeError
        A metric does not score single captions, or learns from something else and is not fitted.
    MetricError
        A metric fails.
    """
    checked = check_metrics(metrics, readable=_READABLE)
    kinds = np.array([each.kind for each in pairs])
    probed = []
    with _open_batches(pairs, has_images=any(Input.IMAGE in each.info.inputs for each in checked)) as (true, worse):
        ready = fit_on_references(checked, true, rng=rng)
        for metric, fitted in track(list(zip(checked, ready, strict=True)), total=len(ready), label="truth probe"):
            run = run_checked(fitted, true, rng=rng)
            sign = 1.0 if metric.info.higher_is_better else -1.0
            lead = sign * (run.scores.values - run_checked(fitted, worse, rng=rng).scores.values)
            preferences = tuple(_count(kind, lead[kinds == kind]) for kind in PAIR_KINDS if np.any(kinds == kind))
            probed.append(MetricTruth(metric.info.id, str(run.signature), preferences))
    return TruthReport(
        sets=tuple(dict.fromkeys(each.set_name for each in pairs)),
        n_worlds=len({(each.set_name, each.index) for each in pairs}),
        metrics=tuple(sorted(probed, key=lambda each: -each.mean)),
    )


def _count(kind: str, lead: Values) -> Preference:
    defined = lead[~np.isnan(lead)]
    return Preference(
        kind=kind,
        n_pairs=len(defined),
        n_missing=len(lead) - len(defined),
        n_better=int(np.sum(defined > 0)),
        n_equal=int(np.sum(defined == 0)),
    )


@contextmanager
def _open_batches(pairs: Sequence[MinimalPair], *, has_images: bool) -> Iterator[tuple[Batch, Batch]]:
    """Yield the batches of true and of worse captions; images are files that are removed on exit."""
    keys = [f"{each.set_name}/{each.index}/{each.kind}" for each in pairs]
    with TemporaryDirectory() as folder:
        images = _draw_images(pairs, Path(folder)) if has_images else None

        def make_batch(captions: Sequence[str]) -> Batch:
            return Batch.make(
                keys,
                candidates=captions,
                references=[each.references for each in pairs],
                images=images,
                image_keys=[f"{each.set_name}/{each.index}" for each in pairs],
                worlds=[each.world for each in pairs],
            )

        yield make_batch([each.true for each in pairs]), make_batch([each.worse for each in pairs])


def _draw_images(pairs: Sequence[MinimalPair], folder: Path) -> list[Path]:
    from PIL import Image

    paths = []
    for each in pairs:
        path = folder / f"{each.set_name}-{each.index}.png"
        if not path.exists():
            Image.fromarray(render_world(each.world.world)).save(path)
        paths.append(path)
    return paths
