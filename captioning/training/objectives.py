"""The objectives of the second phase of training, by name: which terms their loss has, and the weights of samples."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from captioning.training.set_rewards import weigh_epc, weigh_jpc, weigh_mcider, weigh_scst, weigh_uda
from captioning.training.settings import Objective, TrainingSettings

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RatedSamples:
    """What weights are computed from; shapes as in `set_rewards`.

    Attributes:
        accuracies: `(n, m)`.
        baselines: `(n,)`; zeros for an objective without a baseline.
        kernels: `(n, m, m)`; zeros for an objective without kernels.
    """

    accuracies: Floats
    baselines: Floats
    kernels: Floats


Weigh = Callable[[RatedSamples, TrainingSettings], Floats]
"""Returns the weights `(n, m)`."""


@dataclass(frozen=True, slots=True)
class ObjectiveTerms:
    """The loss of an objective.

    Attributes:
        weigh: The weights of sampled captions.
        has_baseline: Whether greedy captions are needed.
        has_kernels: Whether the similarity of samples is needed.
        has_cross_entropy: Whether the cross entropy of a human caption is added.
    """

    weigh: Weigh
    has_baseline: bool = True
    has_kernels: bool = True
    has_cross_entropy: bool = False


def _scst(rated: RatedSamples, _: TrainingSettings) -> Floats:
    return weigh_scst(rated.accuracies, rated.baselines)


def _xe_scst(rated: RatedSamples, settings: TrainingSettings) -> Floats:
    # Equation 11: the loss is that of cross entropy plus alpha times that of the reward.
    return settings.alpha * weigh_scst(rated.accuracies, rated.baselines)


def _jpc(rated: RatedSamples, settings: TrainingSettings) -> Floats:
    return weigh_jpc(rated.accuracies, rated.baselines, rated.kernels, eta=settings.eta)


def _epc(rated: RatedSamples, settings: TrainingSettings) -> Floats:
    return weigh_epc(rated.accuracies, rated.baselines, rated.kernels, gamma=settings.gamma)


def _mcider(rated: RatedSamples, settings: TrainingSettings) -> Floats:
    return weigh_mcider(rated.accuracies, rated.baselines, rated.kernels, gamma=settings.gamma)


def _uda(rated: RatedSamples, _: TrainingSettings) -> Floats:
    # A quality below 0, which the retrieval reward can cause, would be rewarded like a positive one by its square.
    return weigh_uda(rated.accuracies.clip(min=0.0), rated.kernels)


OBJECTIVES: Mapping[Objective, ObjectiveTerms] = MappingProxyType(
    {
        "scst": ObjectiveTerms(_scst, has_kernels=False),
        "xe-scst": ObjectiveTerms(_xe_scst, has_kernels=False, has_cross_entropy=True),
        "jpc": ObjectiveTerms(_jpc),
        "epc": ObjectiveTerms(_epc),
        "mcider": ObjectiveTerms(_mcider),
        "uda": ObjectiveTerms(_uda, has_baseline=False),
    }
)
"""All but `xe`, whose second phase has no steps."""
