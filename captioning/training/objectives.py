"""The objectives of the second phase of training, by name: which terms their loss has, and the weights of samples."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from captioning.training.set_rewards import (
    Floats,
    weigh_epc,
    weigh_jpc,
    weigh_mcider,
    weigh_scst,
    weigh_uda,
)
from captioning.training.settings import Objective, TrainingSettings

Weigh = Callable[[TrainingSettings, Floats, Floats, Floats], Floats]
"""Returns the weights `(n, m)` of settings, accuracies, baselines and kernels."""


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


OBJECTIVES: Mapping[Objective, ObjectiveTerms] = MappingProxyType(
    {
        "scst": ObjectiveTerms(lambda settings, a, b, k: weigh_scst(a, b), has_kernels=False),
        # Equation 11: the loss is that of cross entropy plus alpha times that of the reward.
        "xe-scst": ObjectiveTerms(
            lambda settings, a, b, k: settings.alpha * weigh_scst(a, b), has_kernels=False, has_cross_entropy=True
        ),
        "jpc": ObjectiveTerms(lambda settings, a, b, k: weigh_jpc(a, b, k, eta=settings.eta)),
        "epc": ObjectiveTerms(lambda settings, a, b, k: weigh_epc(a, b, k, gamma=settings.gamma)),
        "mcider": ObjectiveTerms(lambda settings, a, b, k: weigh_mcider(a, b, k, gamma=settings.gamma)),
        # A quality below 0, which the retrieval reward can cause, would be rewarded like a positive one by its square.
        "uda": ObjectiveTerms(lambda settings, a, b, k: weigh_uda(a.clip(min=0.0), k), has_baseline=False),
    }
)
"""All but `xe`, whose second phase has no steps."""
