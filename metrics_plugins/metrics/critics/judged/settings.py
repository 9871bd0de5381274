"""The choices of `critic-judgments`: what it reads of a caption, and how it learns from that."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from types import MappingProxyType
from typing import Any, Final, Self

from metrics_plugins.api import MetricError
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.critics.artifacts import read_settings

GROUPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "critic": ("critic precision", "critic recall", "critic mean", "critic best"),
        "sentences": ("sentence mean", "sentence best", "references alike"),
        "tokens": ("token precision", "token recall"),
        "words": ("bleu-1", "rouge-l", "meteor", "length"),
    }
)
"""The features of each group, in the order in which they are measured."""

ALL_GROUPS: Final = "+".join(GROUPS)


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticJudgmentsSettings:
    """How it learns.

    Attributes:
        features: Groups of features (`GROUPS`), apart by `+`.
        folds: Into how many parts images are cut, where it learns from judgments of what it scores and where it chooses
            `alpha` and `degree`.
        alpha: How strongly coefficients are held down, per row; 0: chosen among `ridge.ALPHAS` within what is learned
            from.
        degree: 1 for a weighted sum of features, 2 for one of their squares and products too; 0: chosen likewise.
    """

    features: str = ALL_GROUPS
    folds: int = 10
    alpha: float = 0.0
    degree: int = 0

    def __post_init__(self) -> None:
        named = self.features.split("+")
        if not set(named) <= set(GROUPS) or len(set(named)) < len(named):
            raise MetricError(
                f"metric 'critic-judgments': features must be different ones of {', '.join(GROUPS)}, apart by +, got "
                f"{self.features!r}"
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
        """The features, in the order in which they are measured."""
        return tuple(name for group in self.groups for name in GROUPS[group])

    def describe(self) -> dict[str, SignatureValue]:
        """Return the choices as a signature prints them."""
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
        """Return the settings that `to_json` wrote.

        Raises:
            MetricError: A field is unknown or breaks its rule.
        """
        return read_settings(cls, data)
