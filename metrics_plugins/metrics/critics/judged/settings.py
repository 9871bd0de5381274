"""The settings of `critic-judgments`: its features and its regression."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from types import MappingProxyType
from typing import Any, Final, Self

from metrics_plugins.api import MetricError
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.critics.artifacts import read_settings
from metrics_plugins.metrics.critics.reference.settings import PARTS

GROUPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "critic": tuple(f"critic {part.replace('_', ' ')}" for part in PARTS),
        "sentences": ("sentence mean", "sentence best", "references alike"),
        "tokens": ("token precision", "token recall"),
        "words": ("bleu-1", "rouge-l", "meteor", "length"),
    }
)
"""The features of each group, in the order of computation."""

ALL_GROUPS: Final = "+".join(GROUPS)


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticJudgmentsSettings:
    """The settings of a fit.

    Attributes:
        features: Groups of features (`GROUPS`), separated by `+`.
        folds: Number of folds of images, both for cross-fitting and for the selection of `alpha` and `degree`.
        alpha: The penalty on coefficients, per row; 0 to select from `ridge.ALPHAS` by cross-validation on the training
            rows.
        degree: 1 for a linear function of features, 2 to include their squares and products; 0 to select likewise.
    """

    features: str = ALL_GROUPS
    folds: int = 10
    alpha: float = 0.0
    degree: int = 0

    def __post_init__(self) -> None:
        named = self.features.split("+")
        if not set(named) <= set(GROUPS) or len(set(named)) < len(named):
            raise MetricError(
                f"metric 'critic-judgments': features must be different ones of {', '.join(GROUPS)}, separated by +, "
                f"got {self.features!r}"
            )
        if self.folds < 2:
            raise MetricError(f"metric 'critic-judgments': folds must be 2 or more, got {self.folds}")
        if not isfinite(self.alpha) or self.alpha < 0:
            raise MetricError(f"metric 'critic-judgments': alpha must be 0 or more, got {self.alpha}")
        if self.degree not in (0, 1, 2):
            raise MetricError(f"metric 'critic-judgments': degree must be 0, 1 or 2, got {self.degree}")

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of features, in the order of `GROUPS`."""
        return tuple(group for group in GROUPS if group in self.features.split("+"))

    @property
    def names(self) -> tuple[str, ...]:
        """The features, in the order of computation."""
        return tuple(name for group in self.groups for name in GROUPS[group])

    def describe(self) -> dict[str, SignatureValue]:
        """Return the settings as a signature prints them."""
        return {
            "features": "+".join(self.groups),
            "folds": self.folds,
            "alpha": self.alpha or "nested",
            "degree": self.degree or "nested",
        }

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """Return settings written by `to_json`.

        Raises:
            MetricError: A field is unknown or invalid.
        """
        return read_settings(cls, data)
