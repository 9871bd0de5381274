"""Probes of metrics with bad captions, whose scores are compared with those of people and systems.

Wang et al. (2020), "Towards Unique and Informative Captioning of Images", section 3: a metric that scores a probe above
people or systems rewards something other than good captions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import nan

import numpy as np

from metrics_plugins.api import Batch, Metric
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.api.scores import Values
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.holding_out import HeldOut, hold_out
from metrics_plugins.probes.scoring import AnyMetric, check_metrics, fit_on_references, run_checked
from metrics_plugins.runtime import MetricRun

PEOPLE = "people"


class Role(StrEnum):
    """The kind of author of captions."""

    PEOPLE = "people"
    SYSTEM = "system"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Showing:
    """The scores of one contestant under a metric.

    Attributes:
        name, role: The contestant.
        system: The metric's score of all captions together: from totals for decomposable metrics, else their mean.
        mean: The mean of the defined scores of single captions; NaN if there are none.
        n_missing: The number of captions with an undefined score.
    """

    name: str
    role: Role
    system: float
    mean: float
    n_missing: int


@dataclass(frozen=True, slots=True)
class Duel:
    """The comparison of a probe with people or a system, image by image.

    Attributes:
        probe, opponent, role: The probe, its opponent, and the role of the opponent.
        share_better: In [0, 1]: the share of images with both scores defined for which the probe's score is better; NaN
            if there are no such images.
        share_equal: In [0, 1]: the share of these images with equal scores.
        n_images: The number of images with both scores defined.
        is_topped: Whether the probe's system score is better than the opponent's; False if one is undefined.
    """

    probe: str
    opponent: str
    role: Role
    share_better: float
    share_equal: float
    n_images: int
    is_topped: bool


@dataclass(frozen=True, slots=True)
class MetricProbing:
    """The results of one metric.

    Attributes:
        metric, signature, higher_is_better: The metric.
        showings: The scores of people, then of systems, then of probes.
        duels: The comparison of each probe with people, then with each system.
    """

    metric: str
    signature: str
    higher_is_better: bool
    showings: tuple[Showing, ...]
    duels: tuple[Duel, ...]

    def find_topping(self, role: Role) -> tuple[str, ...]:
        """Return the probes that score above every contestant of a role; empty if there are no such contestants."""
        probes = dict.fromkeys(duel.probe for duel in self.duels if duel.role is role)
        lost = {duel.probe for duel in self.duels if duel.role is role and not duel.is_topped}
        return tuple(probe for probe in probes if probe not in lost)


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """The results of all metrics.

    Attributes:
        position: The position of the references that represent people.
        n_images, n_dropped: The numbers of images used, and of those left out because they have no second reference.
        examples: The caption of each probe for the first image.
        metrics: The results of each metric, in the order given.
    """

    position: int
    n_images: int
    n_dropped: int
    examples: tuple[tuple[str, str], ...]
    metrics: tuple[MetricProbing, ...]


def probe_metrics(
    metrics: Iterable[AnyMetric],
    references: Mapping[str, Sequence[str]],
    *,
    probes: Mapping[str, Mapping[str, str]],
    systems: Mapping[str, Mapping[str, str]],
    rng: np.random.Generator,
    position: int = 0,
    track: Track = pass_on,
) -> ProbeReport:
    """Score probes, systems and people against the same references and compare them.

    People are represented by one reference of each image, which is removed from the references, so that all contestants
    have the same references. A metric that is fitted on references is fitted once, on these. Images with one reference
    only are left out.

    Args:
        metrics: Metrics at segment level that read captions and references.
        references: The references of each image, by its id.
        probes: The caption of each image, by the name of the probe; captions of other images are not used.
        systems: The same for systems; may be empty.
        rng: The source of randomness for fitting metrics.
        position: The position of the reference that represents people, from 0.
        track: Reports progress.

    Raises:
        ProbeError: A metric cannot be probed, there are no probes, a name is duplicate, or a caption is missing.
        MetricError: A metric fails.
    """
    checked = check_metrics(metrics)
    held_out = hold_out(references, position=position)
    contestants = _list_contestants(held_out, probes=probes, systems=systems)
    fitted = fit_on_references(checked, held_out.make_batch(), rng=rng)
    runs: dict[str, dict[str, MetricRun]] = {metric.info.id: {} for metric in fitted}
    steps = _list_steps(fitted, held_out, contestants)
    for metric, name, batch in track(steps, total=len(fitted) * len(contestants), label="probes"):
        runs[metric.info.id][name] = run_checked(metric, batch, rng=rng)
    roles = {PEOPLE: Role.PEOPLE} | dict.fromkeys(systems, Role.SYSTEM) | dict.fromkeys(probes, Role.PROBE)
    return ProbeReport(
        position=position,
        n_images=len(held_out.image_ids),
        n_dropped=held_out.n_dropped,
        examples=tuple((name, captions[held_out.image_ids[0]]) for name, captions in probes.items()),
        metrics=tuple(_judge(metric, runs[metric.info.id], roles) for metric in fitted),
    )


def _list_contestants(
    held_out: HeldOut, *, probes: Mapping[str, Mapping[str, str]], systems: Mapping[str, Mapping[str, str]]
) -> dict[str, Sequence[str]]:
    if not probes:
        raise ProbeError("a contest needs at least one probe, got none")
    taken = [name for name in (*systems, *probes) if name == PEOPLE or (name in systems and name in probes)]
    if taken:
        raise ProbeError(f"each contestant needs a name of its own (people are {PEOPLE!r}), got {taken[0]!r} twice")
    contestants: dict[str, Sequence[str]] = {PEOPLE: held_out.captions}
    for name, captions in (*systems.items(), *probes.items()):
        absent = [image_id for image_id in held_out.image_ids if image_id not in captions]
        if absent:
            raise ProbeError(f"{name!r} has no caption of image {absent[0]} ({len(absent)} such images)")
        contestants[name] = [captions[image_id] for image_id in held_out.image_ids]
    return contestants


def _list_steps(
    metrics: Sequence[Metric], held_out: HeldOut, contestants: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Metric, str, Batch]]:
    # All metrics share the batch of a contestant, including tokens and n-grams; only one batch is in memory at a time.
    for name, captions in contestants.items():
        batch = held_out.make_batch(captions)
        for metric in metrics:
            yield metric, name, batch


def _judge(metric: Metric, runs: Mapping[str, MetricRun], roles: Mapping[str, Role]) -> MetricProbing:
    sign = 1.0 if metric.info.higher_is_better else -1.0
    return MetricProbing(
        metric=metric.info.id,
        signature=str(metric.signature),
        higher_is_better=metric.info.higher_is_better,
        showings=tuple(
            Showing(name, roles[name], run.corpus, run.scores.mean, run.scores.n_missing) for name, run in runs.items()
        ),
        duels=tuple(
            _compare(probe, opponent, runs, roles[opponent], sign=sign)
            for probe in runs
            for opponent in runs
            if roles[probe] is Role.PROBE and roles[opponent] is not Role.PROBE
        ),
    )


def _compare(probe: str, opponent: str, runs: Mapping[str, MetricRun], role: Role, *, sign: float) -> Duel:
    difference: Values = sign * (runs[probe].scores.values - runs[opponent].scores.values)
    known = difference[~np.isnan(difference)]
    return Duel(
        probe=probe,
        opponent=opponent,
        role=role,
        share_better=float((known > 0).mean()) if len(known) else nan,
        share_equal=float((known == 0).mean()) if len(known) else nan,
        n_images=len(known),
        is_topped=bool(sign * (runs[probe].corpus - runs[opponent].corpus) > 0),
    )
